"""Hopilot's own question files: JSONL, one object per line.

    {"id": "q1", "question": "…", "answers": ["canonical", "alias"], "kind": "bridge", "hops": 2,
     "passages": [{"title": "…", "text": "…", "supporting": 1}, {"title": "…", "text": "…"}]}

`id`, `question` and `passages` are required, the rest is optional. `supporting` marks gold: true, or its
place (1, 2, …) in the reasoning. `text` is one string or a list of sentences. A converted file also
names the `dataset` whose scoring rules hold, and counts gold that its source did not contain in
`missing_support`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .paragraphs import flagged_passages
from .question import DATASET_NAMES, Question
from .record import Record

__all__ = ["own_dataset", "own_question", "own_record"]

GOLD_MISSING = "supporting passage missing from the source"

_FIELDS = frozenset(
    ("id", "_id", "question", "answers", "kind", "hops", "dataset", "missing_support", "passages")
)


def own_question(record: Record) -> Question:
    """Read a record; fields that mean nothing here are noted, since they may be misspelt."""
    for name in record.fields.keys() - _FIELDS:
        record.note(f"unknown field {name!r} ignored")
    passages, support, empty = flagged_passages(record, _rows(record))
    missing = record.count(record.fields.get("missing_support"), "missing_support")
    if missing:
        record.note(GOLD_MISSING)
    return Question(
        id=record.identifier(),
        text=record.question(),
        kind=record.tidy(record.fields.get("kind"), "kind"),
        hops=record.count(record.fields.get("hops"), "hops"),
        answers=record.texts("answers"),
        support=support,
        passages=passages,
        missing_support=missing + empty,
    )


def own_dataset(record: Record) -> str:
    """Return the name of the dataset that a record says it comes from; `hopilot` if it says nothing.

    Raises:
        InputError: it says something that is no dataset's name.
    """
    name = record.tidy(record.fields.get("dataset"), "dataset") or "hopilot"
    if name not in DATASET_NAMES:
        raise record.fail(
            f"'dataset' is {name!r}",
            expected=f"one of {', '.join(DATASET_NAMES)}",
            remedy="leave the field out for questions of your own",
        )
    return name


def own_record(question: Question, dataset: str) -> dict[str, Any]:
    """Return the record that `own_question` reads as this question; empty fields are left out.

    Raises:
        ValueError: a supporting id names none of the question's own passages.
    """
    place = {gold: number for number, gold in enumerate(question.support, start=1)}
    strangers = place.keys() - {passage.id for passage in question.passages}
    if strangers:
        raise ValueError(f"{len(strangers)} supporting ids of question {question.id!r} name no passage")
    optional: dict[str, Any] = {
        "dataset": dataset if dataset != "hopilot" else "",
        "kind": question.kind,
        "hops": question.hops,
        "answers": list(question.answers),
        "missing_support": question.missing_support,
    }
    passages = [
        {"title": passage.title, "text": passage.text}
        | ({"supporting": place[passage.id]} if passage.id in place else {})
        for passage in question.passages
    ]
    kept = {name: value for name, value in optional.items() if value}
    return {"id": question.id, "question": question.text} | kept | {"passages": passages}


def _rows(record: Record) -> Iterator[tuple[Any, Any, int]]:
    """Yield (title, text, place in the reasoning, 0 for a distractor) of each passage."""
    record.require_table("passages")
    for title, text, mark in record.rows("passages", ("title", "text"), ("supporting",)):
        place = int(mark) if isinstance(mark, bool) else record.count(mark, "supporting")
        yield title, text, place
