"""A tiny world for tests: eight two-hop questions, vectors that count words, a scripted language model.

It is also a script, for the tests that need a process of their own:
python tiny_world.py OUT [--explorer NAME] [--shard N] [--jobs N] [--slow SECONDS] [--extractive]
"""

from __future__ import annotations

import argparse
import hashlib
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from hopilot.evidence.environment import Environment
from hopilot.evidence.extractive import Extractive
from hopilot.evidence.index import EvidenceIndex
from hopilot.evidence.language_model import Metered, Snippet
from hopilot.evidence.lens import Lenses
from hopilot.evidence.passages import Corpus, Passage
from hopilot.evidence.state import Limits, Usage, Verdict
from hopilot.questions.question import Dataset, Question

PEOPLE = (
    "Ada Quill",
    "Bruno Marsh",
    "Clara Finch",
    "Dario Holt",
    "Edith Penn",
    "Felix Rowe",
    "Greta Lunn",
    "Hugo Vane",
)
TOWNS = ("Ambrel", "Birkham", "Corvale", "Dunmoor", "Eastry", "Farlow", "Grenby", "Hollin")
RIVERS = ("Sorrow", "Mistle", "Amberley", "Thornwater", "Willowe", "Ravenbeck", "Silverlin", "Hollowell")


@dataclass
class WordVectors:
    """An encoder whose vectors are hashed word counts; `encoded` lists what it was asked for."""

    name: str = "words"
    fingerprint: str = "words-1"
    revision: str = "revision-1"
    dimension: int = 64
    batch_size: int = 4
    precision: str = "float32"
    query_prompt: str = ""
    passage_prompt: str = ""
    window: int = 1000
    encoded: list[str] = field(default_factory=list)

    def encode(self, texts: Sequence[str], *, tick: Callable[[int], None] = lambda count: None):
        self.encoded.extend(texts)
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=4).digest()
                vectors[row, int.from_bytes(digest, "little") % self.dimension] += 1
            tick(1)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    def count_truncated(self, texts: Sequence[str]) -> int:
        return sum(len(text.split()) > self.window for text in texts)


@dataclass
class Scripted:
    """A language model that reads little: what it says depends on the number of passages and their titles."""

    enough: int = 4
    seconds: float = 0.0
    rewrite: str | None = None
    missing: tuple[str, ...] | None = None
    name: str = "scripted-1"

    def judge_sufficiency(self, question: str, passages: Sequence[Passage]) -> Metered[Verdict]:
        time.sleep(self.seconds)
        suffices = len(passages) >= self.enough
        missing = (f"river of {passages[-1].title}", f"birth of {passages[0].title}")
        wanted = missing if self.missing is None else self.missing
        return Metered(Verdict(suffices, 0.5, () if suffices else wanted), Usage(0, 1, 10, 2))

    def rewrite_query(self, question: str, query: str, passages: Sequence[Passage]) -> Metered[str]:
        time.sleep(self.seconds)
        text = f"{query} {passages[-1].title}" if self.rewrite is None else self.rewrite
        return Metered(text, Usage(0, 1, 7, 3))

    def compress(self, question, passages, *, snippets, tokens) -> Metered[tuple[Snippet, ...]]:
        kept = tuple(Snippet(one.id, one.title, one.text) for one in passages[:snippets])
        return Metered(kept, Usage(0, 1, 20, 5))

    def answer(self, question, evidence, *, tokens=48) -> Metered[str]:
        return Metered(evidence[-1].title, Usage(0, 1, 15, 1))


def born(place: int) -> Passage:
    text = f"{PEOPLE[place]} was a painter. {PEOPLE[place]} was born in {TOWNS[place]}."
    return Passage.of(PEOPLE[place], text)


def lies(place: int) -> Passage:
    return Passage.of(TOWNS[place], f"{TOWNS[place]} is a town. It lies on the {RIVERS[place]}.")


def tiny_dataset(many: int = len(PEOPLE)) -> Dataset:
    """Return questions that each share the whole pool of passages."""
    bands = [
        Passage.of(f"{who} (band)", f"{who} is a band that sings of rivers and birthplaces.") for who in PEOPLE
    ]
    pool = (*map(born, range(len(PEOPLE))), *map(lies, range(len(PEOPLE))), *bands)
    questions = tuple(
        Question(
            id=f"q{place}",
            text=f"Which river flows through the birthplace of {PEOPLE[place]}?",
            kind="bridge",
            hops=2,
            answers=(RIVERS[place],),
            support=(born(place).id, lies(place).id),
            passages=pool,
        )
        for place in range(many)
    )
    return Dataset("hopilot", questions, "tiny.jsonl")


def build_index(cache: Path, passages: Sequence[Passage] = (), **options) -> EvidenceIndex:
    """Index passages, the tiny world's by default, with word vectors."""
    corpus = Corpus.of(passages) if passages else tiny_dataset().corpus()
    return EvidenceIndex.build(corpus, WordVectors(), cache=cache, **options)


TINY_LIMITS = Limits(max_steps=3, passages_per_retrieval=2, context_passages=4, frontier_depth=8)


def open_world(
    cache: Path, limits: Limits = TINY_LIMITS, *, scripted: bool = False, seconds: float = 0.0, threads: int = 1
) -> Environment:
    """Open the tiny world with the extractive language model, or with the scripted one."""
    index = build_index(cache)
    lenses = Lenses(index)
    model = Scripted(seconds=seconds) if scripted or seconds else Extractive(index, lenses)
    return Environment(index, model, limits, lenses=lenses, threads=threads)


def main() -> None:
    from hopilot.trajectories.exploring import ExploreSettings, explore

    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--explorer", default="exhaustive")
    parser.add_argument("--shard", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--slow", type=float, default=0.0)
    parser.add_argument("--extractive", action="store_true")
    given = parser.parse_args()
    settings = ExploreSettings(given.explorer, rollouts=2, shard_questions=given.shard, jobs=given.jobs)
    opening = partial(open_world, given.out.parent / "cache", scripted=not given.extractive, seconds=given.slow)
    explore(tiny_dataset(), opening, settings, given.out)


if __name__ == "__main__":
    main()
