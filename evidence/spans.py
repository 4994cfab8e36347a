"""What a sentence offers as an answer: names, titles, dates, numbers, nationalities and classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from .nations import nation_words
from .text import STOPWORDS

__all__ = ["Date", "Life", "Span", "dates_of", "life_of", "spans_of"]

Kind = Literal["name", "work", "date", "number", "nation", "class"]
Date = tuple[int, int, int]
"""Year, month and day; 0 where the text does not say."""

_MONTHS = "January February March April May June July August September October November December".split()
_MONTH = "(?:" + "|".join(f"{name}|{name[:3]}\\b\\.?" for name in _MONTHS if name != "May") + "|May)"
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH},?\s+\d{{3,4}}"
    rf"|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    rf"|{_MONTH},?\s+\d{{4}}|{_MONTH}\s+\d{{1,2}}|\d{{1,2}}\s+{_MONTH}|1\d{{3}}|20\d{{2}})\b(?![,.]?\d)"
)
_COUNTED = "zero one two three four five six seven eight nine ten eleven twelve".split()
_NUMBER = re.compile(
    rf"(?:[$£€]\s?)?(?<![\w.,])\d+(?:,\d{{3}})*(?:\.\d+)?(?![\w])(?:\s?%|\s(?:million|billion|percent)\b)?"
    rf"|\b(?:{'|'.join(_COUNTED[2:])})\b"
)
_QUOTED = re.compile(r"[\"“]\s?([^\"“”]{2,80}?)\s?[\"”]")
_WORD = re.compile(r"[^\W_][\w'’./&-]*")
_CLASS = re.compile(
    r"\b(?:is|was|are|were|as|became) (?:an?|the|one of the) "
    r"([a-z][\w-]*(?: (?!who|that|which|and|or|known)[a-z][\w-]*){0,3}?)"
    r"(?=,|\.| (?:of|in|on|from|who|that|which|and|or|by|for|with|known|at|to|based|located|written|played)\b)"
)
_JOINERS = frozenset("of the de la le van von der den del di da du and &".split())
_SUFFIX = re.compile(r", (?:Jr|Sr)\.")
_OPENING = frozenset({"the", "a", "an"})
_NEVER_NAMES = STOPWORDS | frozenset("born raised located directed written based starring prior".split())


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a sentence that could be an answer."""

    text: str
    kind: Kind
    start: int
    """Offset of its first character in the sentence."""

    @property
    def end(self) -> int:
        """Offset behind its last character."""
        return self.start + len(self.text)

    @property
    def words(self) -> frozenset[str]:
        """Its words, case-folded."""
        return words_in(self.text)


@lru_cache(maxsize=1 << 15)
def words_in(text: str) -> frozenset[str]:
    """Return the case-folded words of a short text, without articles and possessive endings."""
    folded = text.casefold().replace("’", "'")
    return frozenset(re.findall(r"\w+", re.sub(r"'s\b", "", folded))) - _OPENING


@lru_cache(maxsize=1 << 14)
def spans_of(sentence: str) -> tuple[Span, ...]:
    """Return the candidate answers of a sentence, in the order in which they stand."""
    dates = [Span(found.group(), "date", found.start()) for found in _DATE.finditer(sentence)]
    taken = [(span.start, span.end) for span in dates]
    found = [*dates, *_nations(sentence), *_quoted(sentence), *_names(sentence, taken)]
    found += [Span(m.group(1), "class", m.start(1)) for m in _CLASS.finditer(sentence)]
    found += [
        Span(m.group(), "number", m.start())
        for m in _NUMBER.finditer(sentence)
        if not any(start <= m.start() < end for start, end in taken)
    ]
    return tuple(sorted(found, key=lambda span: (span.start, -span.end, span.kind)))


def _nations(sentence: str) -> Iterator[Span]:
    return (Span(word, "nation", start) for start, word in nation_words(sentence))


def _quoted(sentence: str) -> Iterator[Span]:
    return (Span(found.group(1), "work", found.start(1)) for found in _QUOTED.finditer(sentence))


def _names(sentence: str, taken: list[tuple[int, int]]) -> Iterator[Span]:
    """Yield the runs of capitalised words; a run goes on over joining words and initials, not over dates."""
    words = [m for m in _WORD.finditer(sentence) if not any(s <= m.start() < e for s, e in taken)]
    place = 0
    while place < len(words):
        end = _run_end(words, sentence, place)
        if end > place and (first := _run_start(words, place, end)) < end:
            text = sentence[words[first].start() : words[end - 1].end()]
            text = re.sub(r"['’]s?$", "", text.rstrip(".,/-&") if not re.search(r"\b[A-Z]\.$", text) else text)
            suffix = _SUFFIX.match(sentence, words[first].start() + len(text))
            yield from _with_parts(text + (suffix.group() if suffix else ""), words[first].start())
        place = max(end, place + 1)


def _with_parts(text: str, start: int) -> Iterator[Span]:
    """Yield a name, and the names that it joins by "and"."""
    yield Span(text, "name", start)
    if " and " in text:
        left, _, right = text.partition(" and ")
        yield Span(left, "name", start)
        yield Span(right, "name", start + len(left) + len(" and "))


def _run_start(words: list[re.Match[str]], place: int, end: int) -> int:
    """Skip words that begin a sentence in capitals without naming anything."""
    while place < end and words[place].group().casefold().rstrip(".") in _NEVER_NAMES:
        if words[place].group().casefold() in _OPENING and end - place > 1:
            break
        place += 1
    return place


def _run_end(words: list[re.Match[str]], sentence: str, place: int) -> int:
    def capital(at: int) -> bool:
        return at < len(words) and (words[at].group()[0].isupper() or words[at].group()[0].isdigit())

    def joined(left: int, right: int) -> bool:
        if right >= len(words):
            return False
        gap = sentence[words[left].end() : words[right].start()]
        full_stop = words[left].group().endswith(".") and len(words[left].group()) > 4
        return (gap in (" ", ": ") and not full_stop) or (gap == ". " and len(words[left].group()) < 3)

    if not capital(place):
        return place
    end = place + 1
    while joined(end - 1, end):
        step = next((n for n in (0, 1, 2) if capital(end + n)), None)
        between = words[end : end + (step or 0)]
        if step is None or any(word.group() not in _JOINERS for word in between):
            break
        if any(not joined(end + n, end + n + 1) for n in range(step)):
            break
        end += step + 1
    only_digits = all(word.group()[0].isdigit() for word in words[place:end])
    return place if only_digits else end


def dates_of(text: str) -> list[tuple[Date, str]]:
    """Return the dates that a text gives with a year, and how it writes them, in order."""
    return [(date, written) for _, date, written in _dated(text) if date[0]]


@lru_cache(maxsize=1 << 14)
def _dated(text: str) -> tuple[tuple[int, Date, str], ...]:
    return tuple((found.start(), _parsed(found.group()), found.group()) for found in _DATE.finditer(text))


def _parsed(written: str) -> Date:
    numbers = [int(digits) for digits in re.findall(r"\d+", written)]
    named = re.search(_MONTH, written)
    month = next((n for n, name in enumerate(_MONTHS, 1) if named and named.group()[:3] == name[:3]), 0)
    year = next((n for n in numbers if n > 31), 0)
    return year, month, next((n for n in numbers if n <= 31), 0)


@dataclass(frozen=True, slots=True)
class Life:
    """When and where someone was born and died, as written; blank where the text does not say."""

    born: str = ""
    died: str = ""
    birthplace: str = ""
    deathplace: str = ""
    cause: str = ""
    """What its end was due to."""

    def date(self, event: str) -> Date | None:
        """Return the date of the event `born` or `died`."""
        written = self.born if event == "born" else self.died
        return _parsed(written) if written else None


_PLACE = r"((?:the )?[A-ZÀ-Þ][\w'’.-]*(?:[ -](?:(?:of|de|la|upon|am|the|del|on) )?[A-ZÀ-Þ][\w'’-]*)*)"
_ANY_DATE = rf"(?:{_DATE.pattern}|\b\d{{3,4}}\b)"
_BRACKET = re.compile(r"\(([^()]*\d{3,4}[^()]*)\)")
_BORN = re.compile(rf"\b[Bb]orn\b[^.;()]{{0,60}}?({_ANY_DATE})")
_DIED = re.compile(rf"\b(?:[Dd]ied|[Dd]eath|[Kk]illed|[Dd]ies)\b[^.;()]{{0,60}}?({_ANY_DATE})")
_BORN_IN = re.compile(
    rf"\b(?:[Bb]orn|[Nn]ative of|[Bb]irthplace)\b[^.;()]{{0,70}}?\b(?:in|at|of|is|was|near) {_PLACE}"
)
_DIED_IN = re.compile(
    r"\b(?:[Dd]ied|[Dd]eath|[Kk]illed|[Dd]ies|[Ee]xecuted|[Mm]urdered)\b[^.;()]{0,70}?"
    rf"\b(?:in|at|near) (?:his |her |a )?(?:home |hospital )?(?:in |at )?{_PLACE}"
)
_CAUSE = re.compile(
    r"\b(?:died|death|dies|killed)\b[^.;()]{0,60}?\b(?:from|of|due to|by) (?:an? |the )?"
    r"([a-z][\w-]*(?: (?!in|at|on|and|while|during|when|that)[a-z][\w-]*){0,2})"
)
_BRACKET_PLACE = re.compile(rf"(?:\d,?\s+(?:in|at)\s+|\d,\s+|\bin\s+){_PLACE}")


def life_of(text: str) -> Life:
    """Read the dates and places of a life: the bracket behind the name first, then "born …" and "died …"."""
    born, died, birthplace, deathplace = _bracketed(text)
    return Life(
        born or _group(_BORN, text),
        died or _group(_DIED, text),
        birthplace or _group(_BORN_IN, text),
        deathplace or _group(_DIED_IN, text),
        _group(_CAUSE, text),
    )


def _bracketed(text: str) -> tuple[str, str, str, str]:
    bracket = _BRACKET.search(text[:400])
    if not bracket:
        return "", "", "", ""
    inner = bracket.group(1)
    halves = re.split(r"\s*[–—]\s*|\s+-+\s*|(?<=\d)-(?=\s|\d|[A-Z])|\bdied\b", inner, maxsplit=1)
    dates = [_group(re.compile(f"({_ANY_DATE})"), half) for half in halves]
    places = [_group(_BRACKET_PLACE, half) for half in halves]
    if len(halves) == 2 and dates[1]:
        return dates[0], dates[1], places[0], places[1]
    if re.search(r"\bborn\b|\bb\.", inner):
        return dates[0], "", places[0], ""
    if re.match(r"\s*(?:died|d\.)", inner):
        return "", dates[0], "", places[0]
    return "", "", "", ""


def _group(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found.group(1) if found else ""
