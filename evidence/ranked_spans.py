"""The span of the snippets that best fits what a question asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .asked import Asked, placed_terms
from .nations import is_people, nation_of
from .spans import Span, spans_of, words_in
from .text import stem

__all__ = ["WEIGHTS", "Wanted", "best_span", "wanted_of"]

# Fitted by softmax regression on answer F1, then rounded: 571 training questions of HotpotQA, 2WikiMultiHopQA
# and MuSiQue (those of the first 300 of each that no other form answers), with gold passages as snippets.
WEIGHTS: dict[str, float] = {
    "title": 0.1,
    "title_place": -0.9,
    "title_work": 0.8,
    "own_title": 0.2,
    "class_cue": 1.2,
    "unnamed": 1.6,
    "linked": 0.6,
    "overlap": 0.8,
    "near": 1.0,
    "first": 0.5,
    "late": -0.7,
    "repeats": -0.9,
    "place": 1.4,
    "person": 1.1,
    "marked": 1.2,
    "subject": -0.1,
    "nation": -0.3,
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What kind of answer a question asks for."""

    name: str
    cue: re.Pattern[str]
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Mark:
    """Words that answers bear when a question asks for a certain kind of name."""

    cue: re.Pattern[str]
    borne: re.Pattern[str]


def _mark(cue: str, borne: str) -> Mark:
    return Mark(re.compile(rf"\b(?:{cue})\b", re.IGNORECASE), re.compile(rf"\b(?:{borne})\b"))


MARKS = (
    _mark(r"awards?|prize|received?|got", "Awards?|Prize|Medal|Fame|Honou?r|Order"),
    _mark(
        r"universit\w+|college|school|graduate\w*|stud(?:y|ied)|educated|alma mater",
        "University|College|School|Academy|Institute",
    ),
    _mark(
        "company|organi[sz]ation|label|manufacturer|publisher|network|employer|studio",
        "Company|Records|Entertainment|Pictures|Corporation|Inc|Group|Association|Network|Studios?|Press",
    ),
    _mark("team|club", r"FC|F\.C|United|Club|City|Rovers|Association"),
    _mark("body of water|river|lake|sea", "River|Lake|Sea|Ocean|Bay|Creek"),
    _mark("counties|county", "County|Parish"),
    _mark("airport|stadium|arena|park", "Airport|Stadium|Arena|Park"),
    _mark("museum|church|district|province", "Museum|Church|District|Province"),
    _mark("battle|war|treaty", "Battle|War|Treaty"),
)


def _wanted(name: str, cue: str, *kinds: str) -> Wanted:
    return Wanted(name, re.compile(cue, re.IGNORECASE), frozenset(kinds))


_WHICH = r"\b(?:what|which)(?: [\w-]+){0,3}"
_WORK = (
    "film|movie|book|novel|album|song|single|show|series|play|opera|magazine"
    "|musical|documentary|sitcom|poem|game"
)
_PERSON = (
    "actor|actress|person|singer|author|writer|director|player|musician|politician|president|king|queen"
    "|artist|composer|man|woman|star|character|wrestler"
)
_PLACE = (
    "city|town|country|state|county|village|district|region|place|continent|province|river|location|island"
    "|area|territory|neighborhood|borough|street|body of water"
)
WANTED = (
    _wanted("person", r"^who\b|^whose\b", "name"),
    _wanted("year", r"\b(?:what|which|whose) year\b|\bbirth year\b|\byear (?:was|did)\b", "date"),
    _wanted(
        "date",
        r"^when\b|\bwhen\s*\??$|, when\b"
        r"|\b(?:what|which) (?:date|day|month|decade|century)\b|\bdate of\b|birthday",
        "date",
    ),
    _wanted(
        "number",
        r"\bhow (?:many|much|long|old|far|tall|high|large|big|often)\b"
        r"|\bwhat (?:number|percent\w*|amount|age)\b|\bpopulation\b|\bdebt\b",
        "number",
    ),
    _wanted("nationality", r"\bnationality\b|\b(?:what|which) country\b.*\bfrom\b", "nation"),
    _wanted(
        "class",
        r"\b(?:occupation|profession|job|what (?:type|kind|sort|genre|sport|style|position))\b",
        "class",
    ),
    _wanted("person", rf"{_WHICH} (?:{_PERSON})\b|\bwho(?:m|se)?\s*\?|, who\b|\bwhom\b|\bby who\b", "name"),
    _wanted("place", rf"^where\b|\bwhere\s*\??$|, where\b|{_WHICH} (?:{_PLACE})\b|\bplace of\b", "name"),
    _wanted("work", rf"{_WHICH} (?:{_WORK})\b", "name", "work"),
)
ANYTHING = _wanted("anything", "", "name", "work")
_HEAD = re.compile(r"\b(?:what|which|whose)\b\s+((?:[\w'’-]+\s?){1,5})", re.IGNORECASE)
_BEFORE_PLACE = re.compile(r"\b(?:in|at|near|from|to|of|,)\s+(?:the\s+)?$")
_REACH = 30.0  # characters at which a term counts half


def wanted_of(question: str) -> Wanted:
    """Return what a question asks for."""
    return next((wanted for wanted in WANTED if wanted.cue.search(question)), ANYTHING)


def best_span(asked: Asked) -> str:
    """Return the candidate of highest weighted sum, the earlier one of two equals; blank without any.

    A span of another kind than asked for is considered only where none of that kind is to be had.
    """
    wanted = wanted_of(asked.question)
    best, answer = float("-inf"), ""
    for span, facts in candidates_of(asked, wanted):
        score = sum(WEIGHTS[name] * value for name, value in facts.items())
        if score > best:
            best, answer = score, span.text
    return answer


def candidates_of(asked: Asked, wanted: Wanted) -> list[tuple[Span, dict[str, float]]]:
    """Return the spans of the kind wanted that the question does not hold, each with what speaks for it."""
    weighing = _Weighing(asked, wanted)
    places = [
        (number, place, span)
        for number, topic in enumerate(asked.topics)
        for place in range(len(topic.sentences))
        for span in weighing.spans(number, place)
        if span.words and not span.words <= asked.words and (span.kind == "nation" or not is_people(span.text))
    ]
    of_kind = [candidate for candidate in places if candidate[2].kind in wanted.kinds]
    return [
        (span, weighing.of_place(number, place, span) | weighing.of_span(number, span))
        for number, place, span in of_kind or places
    ]


class _Weighing:
    """What speaks for a candidate: each fact in about [0, 1]."""

    def __init__(self, asked: Asked, wanted: Wanted) -> None:
        self.asked, self.wanted = asked, wanted
        self.rarity = _rarity(asked)
        self.most = sum(self.rarity.values()) or 1.0
        self.titles = {words_in(asked.topics[n].name): n for n in asked.last}
        self.cue = _class_cue(asked)
        self.marks = [mark for mark in MARKS if mark.cue.search(asked.question)]
        self.mentions = _mentions(asked)
        self.linked = {n for n in asked.last if any(asked.leads(m, n) for m in asked.named)}

    def spans(self, number: int, place: int) -> tuple[Span, ...]:
        """Return a sentence's spans; an unnamed topic's title counts as standing at the head of each."""
        topic = self.asked.topics[number]
        found = spans_of(topic.sentences[place])
        if number not in self.asked.last or any(span.words == words_in(topic.name) for span in found):
            return found
        return (Span(topic.name, "name", 0), *found)

    def of_place(self, number: int, place: int, span: Span) -> dict[str, float]:
        """Weigh where a span stands."""
        sentence = self.asked.topics[number].sentences[place]
        before = sentence[: span.start]
        terms = [(at, term) for at, term in placed_terms(sentence) if term in self.rarity]
        return {
            "unnamed": float(number in self.asked.last),
            "linked": float(number in self.linked),
            "overlap": sum(self.rarity[term] for term in sorted({term for _, term in terms})) / self.most,
            "near": _near(span, terms, self.rarity) / self.most,
            "first": float(place == 0),
            "subject": float(span.start == 0 and not self.cue),
            "late": min(place, 8) / 8,
            "place": float(self.wanted.name == "place" and bool(_BEFORE_PLACE.search(before))),
        }

    def of_span(self, number: int, span: Span) -> dict[str, float]:
        """Weigh what a span is."""
        words, wanted = span.words, self.wanted.name
        title, own = words in self.titles, self.titles.get(words) == number
        name = span.kind == "name"
        return {
            "title": float(title),
            "title_place": float(title and wanted == "place"),
            "title_work": float(title and wanted == "work"),
            "own_title": float(own),
            "class_cue": float(own and bool(self.cue) and self.cue in self.asked.topics[number].folded[:250]),
            "repeats": min(self.mentions.get(words, 1) - 1, 3) / 3,
            "marked": float(any(mark.borne.search(span.text) for mark in self.marks)),
            "person": float(wanted == "person" and name and 2 <= len(span.text.split()) <= 3),
            "nation": float(name and bool(nation_of(span.text))),
        }


def _rarity(asked: Asked) -> dict[str, float]:
    """Weigh each term that the question adds to the names it holds: 1 / √(sentences that have it)."""
    counts: dict[str, int] = {}
    for topic in asked.topics:
        for sentence in topic.sentences:
            for term in {term for _, term in placed_terms(sentence)} & asked.unmet:
                counts[term] = counts.get(term, 0) + 1
    return {term: 1.0 / counts[term] ** 0.5 for term in sorted(counts)}


def _near(span: Span, terms: list[tuple[int, str]], rarity: dict[str, float]) -> float:
    """Sum the weights of the question's terms around a span, each halved at `_REACH` characters."""
    best: dict[str, float] = {}
    for at, term in terms:
        if span.start <= at < span.end:
            continue
        away = span.start - at if at < span.start else at - span.end
        best[term] = max(best.get(term, 0.0), rarity[term] / (1.0 + max(away, 0) / _REACH))
    return sum(best[term] for term in sorted(best))


def _class_cue(asked: Asked) -> str:
    """Return the noun behind "which" or "what" ("actress" in "which American actress"); blank without one."""
    found = _HEAD.search(asked.question)
    words: list[str] = re.findall(r"[a-z][\w-]+", found.group(1)) if found else []
    for word in words:
        if any(word in topic.folded[:250] for topic in asked.topics) and stem(word) in asked.terms:
            return word
    return ""


def _mentions(asked: Asked) -> dict[frozenset[str], int]:
    """Count the topics that hold each span."""
    counts: dict[frozenset[str], int] = {}
    for topic in asked.topics:
        for words in {span.words for sentence in topic.sentences for span in spans_of(sentence)}:
            counts[words] = counts.get(words, 0) + 1
    return counts
