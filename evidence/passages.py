"""Passages, and the corpus they form."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..files import fingerprint

__all__ = ["Corpus", "Passage", "normalise_title", "passage_id"]


@lru_cache(maxsize=1 << 16)
def normalise_title(title: str) -> str:
    """Return the form in which titles are compared: unescaped, NFC, single spaces, case-folded."""
    return " ".join(unicodedata.normalize("NFC", html.unescape(title)).split()).casefold()


def _normalise_text(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def passage_id(title: str, text: str) -> str:
    """Return the stable 32-digit id of a passage: its title *and* its text.

    The title alone does not identify a passage: MuSiQue repeats titles with different texts.
    White space and Unicode composition do not count.
    """
    return fingerprint((normalise_title(title), _normalise_text(text)))


@dataclass(frozen=True, slots=True)
class Passage:
    """One retrievable paragraph; the title is kept as it was written."""

    id: str
    title: str
    text: str

    @classmethod
    def of(cls, title: str, text: str) -> Passage:
        """Build a passage and its id from title and text."""
        return cls(passage_id(title, text), title, text)


@dataclass(frozen=True)
class Corpus:
    """Passages in a fixed order, each stored once."""

    passages: tuple[Passage, ...]

    @classmethod
    def of(cls, passages: Iterable[Passage]) -> Corpus:
        """Keep the first of each group of identical passages, in the order in which they come."""
        unique: dict[str, Passage] = {}
        for passage in passages:
            unique.setdefault(passage.id, passage)
        return cls(tuple(unique.values()))

    def __len__(self) -> int:
        return len(self.passages)

    def __iter__(self) -> Iterator[Passage]:
        return iter(self.passages)

    @cached_property
    def position(self) -> dict[str, int]:
        """Map a passage id to its row."""
        return {passage.id: row for row, passage in enumerate(self.passages)}

    @cached_property
    def titled(self) -> dict[str, tuple[int, ...]]:
        """Map a normalised title to the rows of the passages that bear it."""
        rows: dict[str, list[int]] = {}
        for row, passage in enumerate(self.passages):
            rows.setdefault(normalise_title(passage.title), []).append(row)
        return {title: tuple(found) for title, found in rows.items()}

    @cached_property
    def fingerprint(self) -> str:
        """Name the corpus by its passages in order."""
        return fingerprint(passage.id for passage in self.passages)
