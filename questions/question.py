"""A question with its gold labels, and a set of them that shares one corpus."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

from ..errors import InputError
from ..evidence.passages import Corpus, Passage
from ..files import fingerprint

__all__ = ["DATASET_NAMES", "Dataset", "Question"]

DATASET_NAMES: tuple[str, ...] = ("hotpotqa", "2wikimultihopqa", "musique", "hopilot")
"""Names a dataset may bear; each has its own rules for scoring answers. `hopilot` is everyone's own."""


@dataclass(frozen=True)
class Question:
    """One question, its gold labels where it has them, and the paragraphs it came with."""

    id: str
    text: str
    kind: str = ""
    """The dataset's own type (`bridge`, `3hop1`, …), or empty."""
    hops: int = 0
    """Reasoning hops; 0 where unknown."""
    answers: tuple[str, ...] = ()
    """The canonical answer first, then its aliases; empty when unlabelled."""
    support: tuple[str, ...] = ()
    """Ids of the gold passages, each once, in the order of the reasoning where it is known."""
    passages: tuple[Passage, ...] = ()
    """Its own paragraphs, gold and distractors, each once."""
    missing_support: int = 0
    """Gold passages that the source names but does not contain (full-wiki contexts)."""

    @property
    def labelled(self) -> bool:
        """Whether it has a gold answer and gold support."""
        return bool(self.answers) and self.gold_count > 0

    @property
    def gold_count(self) -> int:
        """Gold passages in all, also those that cannot be found: the denominator of support recall."""
        return len(self.support) + self.missing_support

    def support_recall(self, found: Collection[str]) -> float:
        """Return |support ∩ found| / (|support| + missing_support), in [0, 1].

        Missing gold stays in the denominator: leaving it out would reward an incomplete source.

        Raises:
            ValueError: the question has no gold support.
        """
        if not self.gold_count:
            raise ValueError(f"question {self.id!r} has no gold support")
        return sum(gold in found for gold in self.support) / self.gold_count


@dataclass(frozen=True)
class Dataset:
    """Questions from one source, in its order, and what was wrong with that source."""

    name: str
    questions: tuple[Question, ...]
    source: str = ""
    flaws: tuple[str, ...] = ()
    """One short sentence per kind of flaw: what, how often, and where first."""

    def __len__(self) -> int:
        return len(self.questions)

    def corpus(self) -> Corpus:
        """Return the pool of all paragraphs of all questions, each stored once."""
        return self._corpus

    @cached_property
    def _corpus(self) -> Corpus:
        return Corpus.of(passage for question in self.questions for passage in question.passages)

    @cached_property
    def fingerprint(self) -> str:
        """Name the dataset by its contents; where it was read from does not count."""
        return fingerprint((self.name, *(_contents(question) for question in self.questions)))

    def head(self, limit: int | None) -> Dataset:
        """Return the first `limit` questions, or all of them for None.

        Raises:
            InputError: the limit is below one.
        """
        if limit is None:
            return self
        if limit < 1:
            raise InputError(f"a limit of {limit} leaves no question", where="limit", expected="1 or more")
        return replace(self, questions=self.questions[:limit])

    def require_labels(self, purpose: str) -> None:
        """Refuse a dataset in which a question lacks gold.

        Raises:
            InputError: a question has no answer or no support; `purpose` says what needs them.
        """
        bare = [question.id for question in self.questions if not question.labelled]
        if bare:
            raise InputError(
                f"{purpose} needs gold answers and supporting passages, "
                f"and {len(bare)} of {len(self.questions)} questions have none (first: {bare[0]!r})",
                where=self.source,
                remedy="use a labelled split; unlabelled ones can only be retrieved for and answered",
            )


def _contents(question: Question) -> str:
    passages = [passage.id for passage in question.passages]
    labels = [question.answers, question.support, question.missing_support]
    return json.dumps([question.id, question.text, question.kind, question.hops, labels, passages])
