"""The paragraphs of a record: each kept once, empty ones dropped, and gold that is flagged put in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..evidence.passages import Passage
from .record import Record

__all__ = ["EMPTY_PARAGRAPH", "NO_PARAGRAPHS", "flagged_passages", "joined"]

EMPTY_PARAGRAPH = "empty paragraph dropped"
GOLD_EMPTY = "supporting paragraph is empty"
NO_PARAGRAPHS = "question without a paragraph of its own"


def joined(sentences: Iterable[str]) -> str:
    """Return sentences as one text; both shapes of a paragraph thus give the same passage."""
    return " ".join(filter(None, sentences))


def flagged_passages(
    record: Record, rows: Iterable[tuple[Any, Any, int]]
) -> tuple[tuple[Passage, ...], tuple[str, ...], int]:
    """Return the passages, the ids of the gold ones, and the number of gold ones that are empty.

    `rows` are (title, text or sentences, place), where place is 0 for a distractor and otherwise the
    place of a gold paragraph in the reasoning; gold of one place keeps the order of the record.
    """
    passages: dict[str, Passage] = {}
    gold: dict[str, int] = {}
    empty = 0
    for title, body, place in rows:
        text = joined(record.sentences(body, "the text of a paragraph"))
        if not text:
            record.note(GOLD_EMPTY if place else EMPTY_PARAGRAPH)
            empty += place > 0
            continue
        passage = Passage.of(record.tidy(title, "title"), text)
        passages.setdefault(passage.id, passage)
        if place:
            gold.setdefault(passage.id, place)
    if not passages:
        record.note(NO_PARAGRAPHS)
    return tuple(passages.values()), tuple(sorted(gold, key=gold.__getitem__)), empty
