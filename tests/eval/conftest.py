"""A tiny world: eight two-hop questions, twenty-four passages, vectors that count words."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hopilot.evidence.environment import Environment
from hopilot.evidence.index import EvidenceIndex
from hopilot.evidence.language_model import Metered, Snippet
from hopilot.evidence.passages import Corpus, Passage
from hopilot.evidence.state import Limits, Usage, Verdict
from hopilot.questions.question import Dataset, Question

TOWNS = ("Ambrel", "Birkham", "Corvale", "Dunmoor", "Eastry", "Farlow", "Grenby", "Holt")
PEOPLE = ("Ada", "Bruno", "Clara", "Dario", "Edith", "Felix", "Greta", "Hugo")
RIVERS = ("Sorrow", "Mist", "Amber", "Thorn", "Willow", "Raven", "Silver", "Hollow")


@dataclass
class WordCounts:
    """An encoder whose vectors are hashed word counts."""

    name: str = "word-counts"
    fingerprint: str = "word-counts-1"
    revision: str = "1"
    dimension: int = 128
    query_prompt: str = ""
    passage_prompt: str = ""

    def encode(self, texts: Sequence[str], *, tick: Callable[[int], None] = lambda count: None):
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().replace(".", " ").replace("?", " ").split():
                place = int(hashlib.blake2b(word.encode(), digest_size=4).hexdigest(), 16) % self.dimension
                vectors[row, place] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    def count_truncated(self, texts: Sequence[str]) -> int:
        return 0


@dataclass
class Scripted:
    """A language model that repeats what it reads; `fails` names questions that it refuses to answer."""

    fails: dict[str, BaseException] = field(default_factory=dict)
    name: str = "scripted"

    def judge_sufficiency(self, question: str, passages: Sequence[Passage]) -> Metered[Verdict]:
        enough = len(passages) >= 4
        missing = () if enough else (f"river of {passages[-1].title}",)
        return Metered(
            Verdict(enough, 0.5, missing), Usage(model_calls=1, prompt_tokens=10, completion_tokens=2)
        )

    def rewrite_query(self, question: str, query: str, passages: Sequence[Passage]) -> Metered[str]:
        usage = Usage(model_calls=1, prompt_tokens=7, completion_tokens=3)
        return Metered(f"{question} {passages[-1].title}", usage)

    def compress(self, question, passages, *, snippets, tokens) -> Metered[tuple[Snippet, ...]]:
        kept = tuple(Snippet(one.id, one.title, one.text) for one in passages[:snippets])
        return Metered(kept, Usage(model_calls=1, prompt_tokens=20, completion_tokens=5))

    def answer(self, question: str, evidence: Sequence[Snippet], *, tokens: int = 48) -> Metered[str]:
        if question in self.fails:
            raise self.fails[question]
        rivers = [one.text.split()[-1].rstrip(".") for one in evidence if "river" in one.text]
        return Metered((rivers or [""])[0], Usage(model_calls=1, prompt_tokens=15, completion_tokens=1))


def _passages() -> list[Passage]:
    born = [
        Passage.of(who, f"{who} was born in the town of {town}.")
        for who, town in zip(PEOPLE, TOWNS, strict=True)
    ]
    lies = [
        Passage.of(town, f"{town} lies on the river {river}.")
        for town, river in zip(TOWNS, RIVERS, strict=True)
    ]
    other = [Passage.of(f"{who} (band)", f"{who} is a band that sings of birth.") for who in PEOPLE]
    return [*born, *lies, *other]


@pytest.fixture
def dataset() -> Dataset:
    born, lies = _passages()[:8], _passages()[8:16]
    questions = tuple(
        Question(
            id=f"q{place}",
            text=f"Which river does the town lie on where {who} was born?",
            kind="compositional" if place % 2 else "bridge",
            hops=2,
            answers=(RIVERS[place],),
            support=(born[place].id, lies[place].id),
            passages=tuple(_passages()),
        )
        for place, who in enumerate(PEOPLE)
    )
    return Dataset(name="hopilot", questions=questions, source="tiny.jsonl", flaws=())


@pytest.fixture
def index(tmp_path_factory: pytest.TempPathFactory) -> EvidenceIndex:
    return EvidenceIndex.build(Corpus.of(_passages()), WordCounts(), cache=tmp_path_factory.mktemp("vectors"))


@pytest.fixture
def limits() -> Limits:
    return Limits(max_steps=3, passages_per_retrieval=1, context_passages=3, frontier_depth=6)


@pytest.fixture
def model() -> Scripted:
    return Scripted()


@pytest.fixture
def environment(index: EvidenceIndex, model: Scripted, limits: Limits) -> Environment:
    return Environment(index, model, limits)
