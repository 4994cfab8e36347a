"""Answers that weigh two things against each other: "A or B?", "are both …?", "what do A and B share?"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .asked import Asked, Topic, name_of
from .nations import is_people, nations_of
from .ranked_spans import wanted_of
from .spans import Date, dates_of, spans_of
from .text import stem, terms_of, words_of

__all__ = ["MEASURES", "Measure", "alternatives_of", "chosen_alternative", "said_yes_or_no", "shared_value"]

Value = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """What two alternatives are compared by, and whether the smaller one is asked for."""

    name: str
    cue: re.Pattern[str]
    of: Callable[[Topic], Value | None]
    least: bool


def _measure(name: str, cue: str, of: Callable[[Topic], Value | None], *, least: bool) -> Measure:
    return Measure(name, re.compile(cue, re.IGNORECASE), of, least)


def _first_date(topic: Topic) -> Date | None:
    return min((date for date, _ in dates_of(topic.text)[:3]), default=None)


def _birth(topic: Topic) -> Date | None:
    return topic.life.date("born") or _first_date(topic)


def _death(topic: Topic) -> Date | None:
    return topic.life.date("died")


def _age(topic: Topic) -> Value | None:
    born, died = topic.life.date("born"), topic.life.date("died")
    if not born or not died:
        return None
    return (372.0 * (died[0] - born[0]) + 31.0 * (died[1] - born[1]) + died[2] - born[2],)


def _largest(topic: Topic) -> Value | None:
    numbers = [re.sub(r"[^\d.]", "", s.text).strip(".") for s in spans_of(topic.text) if s.kind == "number"]
    return max(((float(n),) for n in numbers if re.fullmatch(r"\d+(\.\d+)?", n)), default=None)


_EARLY, _LATE = (
    r"\b(?:first|earlier|earliest|older|oldest|before)\b",
    r"\b(?:later|latest|last|recently|newer|newest|younger)\b",
)
_DYING = r"\b(?:died|death|dies)\b"
MEASURES = (
    _measure("longer life", r"lived? longer|longer life", _age, least=False),
    _measure("earlier death", rf"{_DYING}.*{_EARLY}", _death, least=True),
    _measure("later death", rf"{_DYING}.*{_LATE}", _death, least=False),
    _measure("earlier birth", rf"\bolde(?:r|st)\b|\bborn\b.*{_EARLY}|{_EARLY}.*\bborn\b", _birth, least=True),
    _measure("later birth", rf"\byounge(?:r|st)\b|\bborn\b.*{_LATE}", _birth, least=False),
    _measure("earlier date", _EARLY, _first_date, least=True),
    _measure("later date", _LATE, _first_date, least=False),
    _measure(
        "more", r"\b(?:mo(?:re|st)|large(?:r|st)|higher|taller|longer|bigger|greater)\b", _largest, least=False
    ),
    _measure("less", r"\b(?:fewe(?:r|st)|less|smalle(?:r|st)|lower|shorter)\b", _largest, least=True),
)
"""Tried in this order; the first whose cue the question holds is compared."""

_QUOTES = " \"“”'’?,.;:!"
_JOINED = re.compile(r"\s*(?:\([^()]*\))?[\"”'’,\s]*\b(?:or|and)\b(?: the)?[\"“'‘\s]*")
_OR = re.compile(r",?\s+or\s+", re.IGNORECASE)
_INSIDE_NAMES = frozenset("of the and in de on a".split())
# Where the second alternative ends: punctuation, or the verb that goes on about both.
_REST = re.compile(
    r",\s|\?|\s(?=(?:is|was|were|are|has|have|had|did|do|born|founded|released|published|appears|came|died)\b)"
)


def alternatives_of(asked: Asked) -> tuple[str, str] | None:
    """Return the two things between which a question asks to choose, as it writes them.

    Titles on both sides of an "or" are sought first, since a title may hold an "or" or a comma itself.
    """
    titles = _joined_titles(asked)
    split = None if titles else next(reversed(list(_OR.finditer(asked.question))), None)
    if split is None:
        return titles
    left = asked.question[: split.start()].strip(_QUOTES)
    left = _name_at_end(re.split(r", |[?:]\s|\bbetween\s", left)[-1])
    right = _REST.split(asked.question[split.end() :])[0].strip(_QUOTES)
    return (left, right) if left and right else None


def _name_at_end(text: str) -> str:
    """Return the capitalised words with which a text ends, joining words inside included."""
    words = text.split()
    start = len(words)
    while start and (
        any(c.isupper() or c.isdigit() for c in words[start - 1]) or words[start - 1] in _INSIDE_NAMES
    ):
        start -= 1
    while start < len(words) and words[start] in _INSIDE_NAMES:
        start += 1
    return " ".join(words[start:]).strip(_QUOTES)


def _joined_titles(asked: Asked) -> tuple[str, str] | None:
    """Return two named titles between which nothing but "or" or "and" stands."""
    places = []
    for topic in (asked.topics[n] for n in sorted(asked.named)):
        at = topic.place_in(asked.folded)
        end = at + len(next(form for form in topic.forms if asked.folded.startswith(form, at)))
        # Folding may change lengths; offsets then mean nothing in the question as written.
        aligned = len(asked.folded) == len(asked.question)
        places.append((at, end, name_of(asked.question[at:end]) if aligned else topic.name))
    return next(
        (
            (one, other)
            for _, end, one in places
            for start, _, other in places
            if end < start and _JOINED.fullmatch(asked.folded, end, start)
        ),
        None,
    )


def chosen_alternative(asked: Asked) -> str:
    """Choose between the alternatives by what the question compares; by shared terms where nothing tells."""
    pair = alternatives_of(asked)
    if not pair:
        return ""
    topics = [asked.topic_of(name) for name in pair]
    rest = asked.question
    for name in pair:
        rest = rest.replace(name, " ")
    measure = next((measure for measure in MEASURES if measure.cue.search(rest)), None)
    if measure:
        values = [None if n is None else _value(asked, n, measure) for n in topics]
        if values[0] is not None and values[1] is not None and values[0] != values[1]:
            return pair[(values[0] > values[1]) == measure.least]
        if (values[0] is None) != (values[1] is None) and measure.name.endswith("death"):
            return pair[values[0] is None]
    scores = [0.0 if n is None else _fit(asked, n, pair) for n in topics]
    return pair[scores[1] > scores[0]]


def _value(asked: Asked, number: int, measure: Measure) -> Value | None:
    bridge = asked.bridge_from(number) if asked.asks_of_maker else None
    return measure.of(asked.topics[number if bridge is None else bridge])


def _fit(asked: Asked, number: int, pair: tuple[str, str]) -> float:
    """Weigh the terms of the question that one alternative's passage holds, rare ones more."""
    names = terms_of(" ".join(pair))
    held = (asked.terms - names) & asked.topics[number].terms
    return sum(1.0 / sum(term in topic.terms for topic in asked.topics) for term in sorted(held))


_SAME_NATION = re.compile(r"\b(?:nationality|nationalities|country|nation)\b", re.IGNORECASE)
_SAME = re.compile(r"\bsame\b", re.IGNORECASE)


def said_yes_or_no(asked: Asked) -> str:
    """Answer yes when the compared values agree, or when all that is asked stands in every named passage."""
    subjects = sorted(asked.named, key=lambda n: asked.topics[n].place_in(asked.folded))[:2]
    if _SAME_NATION.search(asked.question):
        nations = [_nations(asked, n) for n in subjects]
        if len(nations) == 2 and all(nations):
            return "yes" if set(nations[0]) & set(nations[1]) else "no"
        return "no"
    if _SAME.search(asked.question) and len(subjects) == 2:
        one, other = (asked.topics[n].life.birthplace for n in subjects)
        return "yes" if one and one == other else "no"
    holders = [asked.topics[n].terms for n in subjects] or [topic.terms for topic in asked.topics]
    asks = [word for word in words_of(asked.question) if stem(word) in asked.unmet]
    shares = [sum(_holds(terms, word) for word in asks) / max(len(asks), 1) for terms in holders]
    return "yes" if shares and min(shares) >= 0.5 else "no"


def _holds(terms: frozenset[str], word: str) -> bool:
    """Whether terms hold a word of the question, or its singular: "both writers" asks for two of "writer"."""
    return stem(word) in terms or stem(word.removesuffix("s")) in terms


def _nations(asked: Asked, number: int) -> tuple[str, ...]:
    """Return the nation named first of a subject, or of its maker where makers are asked about."""
    bridge = asked.bridge_from(number) if asked.asks_of_maker else None
    topic = asked.topics[number if bridge is None else bridge]
    nations = next((found for s in topic.sentences if (found := nations_of(s.replace(topic.title, " ")))), ())
    return nations[:1]


_ROLE = re.compile(r"\b[a-z]{2,}(?:er|or|ist|ian|man|ress|wright|poet)\b")
_NO_ROLE = frozenset("member former other later under number after over never center order".split())


def shared_value(asked: Asked) -> str:
    """Return what two named subjects share: a role where one is asked for, else a name or class."""
    subjects = sorted(asked.named, key=lambda n: asked.topics[n].place_in(asked.folded))[:2]
    if len(subjects) < 2:
        return ""
    one, other = (asked.topics[n] for n in subjects)
    if re.search(r"\b(?:occupation|profession|job|career|known as)\b", asked.question, re.IGNORECASE):
        roles = _roles(other)
        return next((role for role in _roles(one) if role in roles), "")
    wanted = wanted_of(asked.question)
    theirs = {span.words for sentence in other.sentences for span in spans_of(sentence)}
    shared = [
        span
        for sentence in one.sentences
        for span in spans_of(sentence)
        if span.kind in wanted.kinds
        and span.words in theirs
        and not span.words <= asked.words
        and (span.kind == "nation" or not is_people(span.text))
    ]
    return shared[0].text if shared else ""


def _roles(topic: Topic) -> list[str]:
    return [role for role in _ROLE.findall(topic.text) if role not in _NO_ROLE]
