"""Explorers: which of the reached states are looked into further."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..evidence.environment import Environment
from .tree import Node, Tree, grow

__all__ = ["EXPLORERS", "Explorer"]


@dataclass(frozen=True, slots=True)
class Explorer:
    """One declared way to explore.

    `explore(environment, questions, rollouts, seed)` returns one tree a question. It must give a
    question the same tree in whatever company the question comes.
    """

    name: str
    doc: str
    explore: Callable[[Environment, Sequence[str], int, int], list[Tree]]


def _exhaustive(environment: Environment, questions: Sequence[str], rollouts: int, seed: int) -> list[Tree]:
    return grow(environment, questions, lambda place, frontier: frontier)


def _sampled(environment: Environment, questions: Sequence[str], rollouts: int, seed: int) -> list[Tree]:
    """Follow at most `rollouts` distinct uniform roll-outs; every visited state has all its actions tried."""
    generators = [_generator(seed, question) for question in questions]

    def choose(place: int, frontier: Sequence[Node]) -> Sequence[Node]:
        return _drawn(generators[place], frontier, rollouts)

    return grow(environment, questions, choose)


def _drawn(generator: random.Random, frontier: Sequence[Node], many: int) -> Sequence[Node]:
    if len(frontier) <= many:
        return frontier
    kept = sorted(generator.sample(range(len(frontier)), many))
    return [frontier[place] for place in kept]


def _generator(seed: int, question: str) -> random.Random:
    """Return a generator that depends on seed and question, not on the question's place."""
    digest = hashlib.blake2b(f"{seed}\0{question}".encode("utf-8", "surrogatepass"), digest_size=8)
    return random.Random(int.from_bytes(digest.digest(), "little"))


EXPLORERS: dict[str, Explorer] = {
    explorer.name: explorer
    for explorer in (
        Explorer("exhaustive", "Every valid action of every state, to the step cap.", _exhaustive),
        Explorer(
            "sampled", "Seeded roll-outs, with all one-step alternatives of each visited state.", _sampled
        ),
    )
}
