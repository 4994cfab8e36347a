"""What a controller is to a comparison: a declared way to take questions to answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...evidence.actions import Action
from ...evidence.environment import Environment
from ...evidence.state import State
from ...files import fingerprint
from ...models.runner import Answer, Choice, Choose, run_policy

__all__ = ["Asked", "Context", "Controller", "Run", "drawn", "first_of", "one_by_one", "stepwise"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a controller gets it: its text, and its gold where the controller declares its use."""

    text: str
    support: frozenset[str] = frozenset()
    """Ids of the gold passages; empty for every controller whose `uses_gold` is false."""


Run = Callable[[Sequence[Asked]], list[Answer]]
"""Takes questions side by side to their answers, in order."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a controller is made from."""

    environment: Environment
    seed: int = 13
    bundles: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Controller:
    """One declared controller."""

    name: str
    doc: str
    make: Callable[[Context], Run]
    uses_gold: bool = False
    """Whether it is shown the gold: an upper bound, which no deployed controller can reach by honest means."""


def stepwise(environment: Environment, choose: Choose) -> Run:
    """Return a controller that chooses step by step and is shown question texts alone."""

    def run(asked: Sequence[Asked]) -> list[Answer]:
        return run_policy(environment, choose, [one.text for one in asked])

    return run


def one_by_one(choose: Callable[[State, tuple[Action, ...]], Action]) -> Choose:
    """Turn a choice in one state into the choice in many that `run_policy` asks for."""

    def choose_all(states: Sequence[State], valids: Sequence[tuple[Action, ...]]) -> list[Choice]:
        return [Choice(choose(state, valid)) for state, valid in zip(states, valids, strict=True)]

    return choose_all


def first_of(valid: Sequence[Action], *kinds: str) -> Action:
    """Return the first valid action of the earliest of `kinds` that has one; `stop_answer` comes last.

    Raises:
        ValueError: none of them is valid, nor is stopping.
    """
    for kind in (*kinds, "stop_answer"):
        for action in valid:
            if action.kind == kind:
                return action
    raise ValueError(f"none of {', '.join(kinds)} is valid, nor is stop_answer")


def drawn(valid: Sequence[Action], seed: int, state: State) -> Action:
    """Draw uniformly from `valid` by seed, question and step alone, so that neither order nor batch counts."""
    digest = fingerprint((str(seed), state.question, str(state.steps)))
    return valid[int(digest, 16) % len(valid)]
