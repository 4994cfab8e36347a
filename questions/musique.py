"""MuSiQue records: gold is a flag on each paragraph, the kind is part of the id.

    {"id": "3hop1__…", "question", "answer", "answer_aliases", "answerable",
     "question_decomposition": [{"paragraph_support_idx", …}, …],
     "paragraphs": [{"idx", "title", "paragraph_text", "is_supporting"}, …]}

Titles repeat within a record with different texts, so gold never goes by title. Source: Trivedi et al. 2022.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .paragraphs import flagged_passages
from .question import Question
from .record import Record

__all__ = ["musique_question"]

UNANSWERABLE = "unanswerable question skipped"

_KIND = re.compile(r"((\d)hop\d*)__")


def musique_question(record: Record) -> Question | None:
    """Read a MuSiQue record; None for an unanswerable twin of MuSiQue-Full, whose support is incomplete."""
    answerable = record.fields.get("answerable")
    if answerable is not None and not record.flag(answerable, "answerable"):
        record.note(UNANSWERABLE)
        return None
    name = record.identifier()
    passages, support, missing = flagged_passages(record, _rows(record))
    kind = _KIND.match(name)
    return Question(
        id=name,
        text=record.question(),
        kind=kind[1] if kind else "",
        hops=int(kind[2]) if kind else len(support) + missing,
        answers=record.texts("answer", "answer_aliases"),
        support=support,
        passages=passages,
        missing_support=missing,
    )


def _rows(record: Record) -> Iterator[tuple[Any, Any, int]]:
    """Yield (title, text, place in the reasoning, 0 for a distractor) of each paragraph."""
    record.require_table("paragraphs")
    hop_of = _hops(record)
    table = record.rows("paragraphs", ("title", "paragraph_text"), ("is_supporting", "idx"))
    for title, text, flag, idx in table:
        supporting = record.flag(flag, "is_supporting")
        yield title, text, hop_of.get(str(idx), len(hop_of) + 1) if supporting else 0


def _hops(record: Record) -> dict[str, int]:
    """Map a paragraph's `idx` to the first hop that it supports, from 1."""
    table = record.rows("question_decomposition", (), ("paragraph_support_idx",))
    hops: dict[str, int] = {}
    for hop, (idx,) in enumerate(table, start=1):
        hops.setdefault(str(idx), hop)
    return hops
