"""Answers read off snippets by the form of the question: no language model, no corpus, the same every time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .asked import Asked
from .comparing_answers import chosen_alternative, said_yes_or_no, shared_value
from .language_model import Snippet
from .ranked_spans import best_span
from .spans import Life

__all__ = ["FORMS", "Form", "extract_answer"]


@dataclass(frozen=True, slots=True)
class Form:
    """A form of question: the cue that tells it, and how it is answered (blank: try the next form)."""

    name: str
    cue: re.Pattern[str]
    answer: Callable[[Asked], str]


def _form(name: str, cue: str, answer: Callable[[Asked], str]) -> Form:
    return Form(name, re.compile(cue, re.IGNORECASE), answer)


def _life_fact(read: Callable[[Life], str]) -> Callable[[Asked], str]:
    """Answer with a fact of a life: that of the last topic that tells it, of a named one if none does."""

    def answer(asked: Asked) -> str:
        order = [*asked.last, *sorted(asked.named)]
        return next((fact for n in order if (fact := read(asked.topics[n].life))), "")

    return answer


def _year(written: str) -> str:
    """Return the year of a date; blank where there is none."""
    found = re.search(r"\b\d{4}\b", written)
    return found.group() if found else ""


_BORN = _life_fact(lambda life: life.born)
_AUXILIARY = r"(?:are|is|was|were|do|does|did|has|have|had|can|could|will|would)"
_NOT_BOTH = rf"^(?!{_AUXILIARY}\b.*\b(?:both|same)\b).*"
_COMPARED = r"\b(?:older|younger|first|earlier|later|more|most|larger|longer|fewer)\b"

# What is asked, not what tells apart whom it is asked of ("in what county is the place of birth of …?").
_WHAT_IS, _END = r"^(?:what|where) (?:is|was)(?: the)?", r"\W*$"
FORMS = (
    _form("A or B", rf"{_NOT_BOTH}\bor\b", chosen_alternative),
    _form(
        "which of A and B",
        rf"^(?:which|who|of)\b.*{_COMPARED}|\band\b.*\b(?:who|which)\b.*{_COMPARED}",
        chosen_alternative,
    ),
    _form("yes or no", rf"^{_AUXILIARY}\b", said_yes_or_no),
    _form("shared value", r"\bboth\b|\bin common\b|\bshare[sd]?\b", shared_value),
    _form("year of birth", r"\byear\b.*\bborn\b|\bbirth year\b", lambda asked: _year(_BORN(asked))),
    _form(
        "date of birth",
        r"\bwhen (?:was|is|were)\b.*\b(?:born|birthday)\b|\bdate of birth\b|\bbirth ?da(?:te|y)\b",
        _BORN,
    ),
    _form(
        "date of death",
        r"\bwhen did\b.*\bdie\b|\bdate of death\b|\bdeath date\b",
        _life_fact(lambda life: life.died),
    ),
    _form(
        "place of birth",
        rf"\bwhere (?:was|is|were)\b.*\bborn{_END}|{_WHAT_IS} (?:place of birth|birthplace)\b",
        _life_fact(lambda life: life.birthplace),
    ),
    _form(
        "place of death",
        rf"\bwhere did\b.*\bdie{_END}|{_WHAT_IS} place of death\b",
        _life_fact(lambda life: life.deathplace),
    ),
    _form(
        "cause of death",
        r"\bwhy did\b.*\bdie\b|\bcause of (?:\w+ )?death\b",
        _life_fact(lambda life: life.cause),
    ),
    _form("year", r"\b(?:what|which) year\b", lambda asked: _year(best_span(asked))),
    _form("best span", "", best_span),
)
"""Tried in this order; the first that answers decides."""


def extract_answer(question: str, snippets: Sequence[Snippet]) -> str:
    """Return a short answer to a question from snippets alone; blank without snippets.

    It follows at most one bridge: from a passage that the question names to one that it mentions.
    """
    asked = Asked(question, snippets)
    if not asked.topics:
        return ""
    replies = (form.answer(asked) for form in FORMS if form.cue.search(asked.question))
    fallback = asked.topics[(*asked.last, 0)[0]].name
    return next((reply for reply in replies if reply), fallback).strip(" ,;:")
