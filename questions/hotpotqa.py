"""HotpotQA and 2WikiMultiHopQA records: one shape, in which gold is named by title and sentence number.

    {"_id", "question", "answer", "type", "supporting_facts": [[title, sentence number], …],
     "context": [[title, [sentence, …]], …]}

2WikiMultiHopQA adds `evidences`. Hub exports call the id `id` and hold both tables as columns. Test
splits lack answer and supporting facts.
Sources: Yang et al. 2018 (HotpotQA), Ho et al. 2020 (2WikiMultiHopQA).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..evidence.passages import Passage, normalise_title
from .paragraphs import EMPTY_PARAGRAPH, NO_PARAGRAPHS, joined
from .question import Question
from .record import Record

__all__ = ["TWO_WIKI_KINDS", "hotpotqa_question", "is_two_wiki", "two_wiki_question"]

GOLD_NOT_IN_CONTEXT = "supporting title missing from the context"
SENTENCE_OUT_OF_RANGE = "supporting sentence number past the end of its paragraph"
AMBIGUOUS_TITLE = "supporting title borne by several different paragraphs"

TWO_WIKI_KINDS = {"compositional": 2, "inference": 2, "comparison": 2, "bridge_comparison": 4}
"""Question types of 2WikiMultiHopQA and their hops; only `comparison` is HotpotQA's too."""

_SENTENCE_BREAK = re.compile(r"[.!?]\W{0,2}\s+\w")


@dataclass(frozen=True, slots=True)
class _Paragraph:
    passage: Passage
    sentences: int | None
    """How many sentences it has; None where the source holds several in one string."""

    def has(self, sentence: int) -> bool:
        return sentence >= 0 and (self.sentences is None or sentence < self.sentences)


def is_two_wiki(sample: Sequence[Record]) -> bool:
    """Whether records of this shape are 2WikiMultiHopQA's: evidence triples or types of its own tell."""
    own = [kind for kind in TWO_WIKI_KINDS if kind != "comparison"]
    return any("evidences" in record.fields or record.fields.get("type") in own for record in sample)


def hotpotqa_question(record: Record) -> Question:
    """Read a HotpotQA record; every question has two hops."""
    return _question(record, {}, 2)


def two_wiki_question(record: Record) -> Question:
    """Read a 2WikiMultiHopQA record; a type it does not know has as many hops as gold passages."""
    return _question(record, TWO_WIKI_KINDS, None)


def _question(record: Record, hops_of: dict[str, int], default_hops: int | None) -> Question:
    record.require_table("context")
    kind = record.tidy(record.fields.get("type"), "type")
    paragraphs = _paragraphs(record)
    support, missing = _support(record, paragraphs)
    gold = len(support) + missing
    return Question(
        id=record.identifier(),
        text=record.question(),
        kind=kind,
        hops=hops_of.get(kind, gold if default_hops is None else default_hops),
        answers=record.texts("answer", "answer_aliases", "aliases"),
        support=support,
        passages=tuple(paragraph.passage for paragraph in paragraphs),
        missing_support=missing,
    )


def _paragraphs(record: Record) -> list[_Paragraph]:
    """Return the paragraphs, each once."""
    found: dict[str, _Paragraph] = {}
    for title, body in record.rows("context", ("title", "sentences")):
        sentences = record.sentences(body, "sentences")
        text = joined(sentences)
        if not text:
            record.note(EMPTY_PARAGRAPH)
            continue
        passage = Passage.of(record.tidy(title, "title"), text)
        unsplit = len(sentences) == 1 and _SENTENCE_BREAK.search(text)
        count = None if unsplit else len(sentences)
        found.setdefault(passage.id, _Paragraph(passage, count))
    if not found:
        record.note(NO_PARAGRAPHS)
    return list(found.values())


def _support(record: Record, paragraphs: list[_Paragraph]) -> tuple[tuple[str, ...], int]:
    """Return the ids of the gold paragraphs, and how many the context lacks.

    The paragraph is gold also when the sentence number is past its end.
    """
    titled: dict[str, list[_Paragraph]] = {}
    for paragraph in paragraphs:
        titled.setdefault(normalise_title(paragraph.passage.title), []).append(paragraph)
    named: dict[str, list[int]] = {}
    for title, sentence in record.rows("supporting_facts", ("title", "sent_id")):
        named.setdefault(record.tidy(title, "title"), []).append(_number(sentence))
    support: dict[str, None] = {}
    missing: set[str] = set()
    for title, sentences in named.items():
        key = normalise_title(title)
        if key not in titled:
            missing.add(key)
            continue
        gold = _resolved(record, title, sentences, titled[key])
        support[gold.passage.id] = None
        for sentence in sentences:
            if not gold.has(sentence):
                record.note(SENTENCE_OUT_OF_RANGE)
    for _ in missing:
        record.note(GOLD_NOT_IN_CONTEXT)
    return tuple(support), len(missing)


def _resolved(record: Record, title: str, sentences: list[int], bearers: list[_Paragraph]) -> _Paragraph:
    """Return the paragraph that a supporting title stands for, out of those that bear it.

    The title as it is written goes first ("Brass Buttons" is a film, "Brass buttons" a list). Where
    several different paragraphs bear it, gold is the first that has all the named sentences, else the
    first.
    """
    candidates = [one for one in bearers if one.passage.title == title] or bearers
    if len(candidates) > 1:
        record.note(AMBIGUOUS_TITLE)
    return next((one for one in candidates if all(map(one.has, sentences))), candidates[0])


def _number(value: Any) -> int:
    """Return a sentence number; anything that is none counts as out of range."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return -1
