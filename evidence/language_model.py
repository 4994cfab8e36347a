"""The language model as a controller sees it: a few named tasks, each with a typed, metered reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from .passages import Passage
from .state import Usage, Verdict

__all__ = ["LanguageModel", "Metered", "Snippet"]

Result_co = TypeVar("Result_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Metered(Generic[Result_co]):
    """A task's result and what it cost."""

    value: Result_co
    usage: Usage


@dataclass(frozen=True, slots=True)
class Snippet:
    """A sentence kept by compression, with the passage it stands in."""

    passage_id: str
    title: str
    text: str


class LanguageModel(Protocol):
    """The tasks of the seven actions.

    Implementations must be deterministic (greedy decoding), safe to call from several threads, and
    must count every call they make.
    """

    @property
    def name(self) -> str:
        """A name that changes whenever replies may change; it enters fingerprints."""
        ...

    def judge_sufficiency(self, question: str, passages: Sequence[Passage]) -> Metered[Verdict]:
        """Say whether the passages suffice to answer, and which facts are missing if not."""
        ...

    def rewrite_query(self, question: str, query: str, passages: Sequence[Passage]) -> Metered[str]:
        """Rewrite the active query in the light of the evidence; blank when nothing can be added."""
        ...

    def compress(
        self, question: str, passages: Sequence[Passage], *, snippets: int, tokens: int
    ) -> Metered[tuple[Snippet, ...]]:
        """Distil the passages to at most `snippets` sentences and `tokens` tokens."""
        ...

    def answer(self, question: str, evidence: Sequence[Snippet], *, tokens: int = 48) -> Metered[str]:
        """Answer in at most `tokens` tokens from the evidence alone; blank when it abstains."""
        ...
