"""What a passage says, found once and kept: sentences, terms, and the entities that it mentions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .passages import Corpus, normalise_title
from .text import STOPWORDS, sentences_of, stem, terms_of

__all__ = ["Mention", "Reader", "Reading", "Sentence", "key_of", "surface_forms", "tokens_of"]

# A combining mark belongs to its letter: case-folding "İ" makes one.
_TOKEN = re.compile(
    r"[\w\u0300-\u036f]+(?:[-.&][\w\u0300-\u036f]+|'(?!s\b)[\w\u0300-\u036f]+)*|[^\w\s]", re.UNICODE
)
_PARENTHETICAL = re.compile(r"\s*[(,].*$")
_BEFORE, _AFTER = 6, 4  # words that count as being around a mention
_LONGEST = 12  # tokens of a title that is looked for in running text
_CONNECTORS = frozenset("of the de la le van von der den del di da du and & for in on at to".split())
# Words that begin sentences in capitals without naming anything.
_OPENERS = frozenset(
    """he she it they his her its their this that these those the a an in on at as after before when while
    during although since for from by with there both however according following until one two three some many
    most other another such all if but and or not born its
    is are was were do does did has have had can could would should who whose whom what which where
    why how""".split()
)
_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity named in a text: its surface, the corpus rows titled so, and the sentence it stands in."""

    name: str
    key: str
    """The normalised surface, under which mentions of one entity meet."""
    rows: tuple[int, ...]
    sentence: int
    around: frozenset[str]
    """Content terms of the few words before and after it: what the text says of the entity."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its content terms."""

    text: str
    terms: frozenset[str]


@dataclass(frozen=True)
class Reading:
    """A text, read."""

    sentences: tuple[Sentence, ...]
    terms: frozenset[str]
    mentions: tuple[Mention, ...]

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of all entities mentioned."""
        return frozenset(mention.key for mention in self.mentions)


def tokens_of(text: str) -> list[str]:
    """Split a text into words and punctuation marks; a possessive ending is a token of its own."""
    return _TOKEN.findall(unicodedata.normalize("NFC", text).replace("’", "'"))


def key_of(text: str) -> str:
    """Return the form under which namings of one entity meet: its tokens, case-folded."""
    return " ".join(token.casefold() for token in tokens_of(text))


def surface_forms(title: str) -> tuple[str, ...]:
    """Return the forms in which running text may name a title: whole, and without "(…)" or ", …"."""
    whole = normalise_title(title)
    short = _PARENTHETICAL.sub("", whole).strip()
    return (whole, short) if short and short != whole else (whole,)


class Reader:
    """Reads passages of one corpus, linking what they mention to corpus titles."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._readings: dict[int, Reading] = {}

    @cached_property
    def catalog(self) -> dict[tuple[str, ...], tuple[int, ...]]:
        """Map the tokens of each surface form to the rows that it may mean, whole titles first."""
        found: dict[tuple[str, ...], list[int]] = {}
        ranked = sorted(
            (place, row, form)
            for row, passage in enumerate(self._corpus)
            for place, form in enumerate(surface_forms(passage.title))
        )
        for _, row, form in ranked:
            tokens = tuple(tokens_of(form))
            if 0 < len(tokens) <= _LONGEST and _tells(tokens):
                rows = found.setdefault(tokens, [])
                if row not in rows:
                    rows.append(row)
        return {tokens: tuple(rows) for tokens, rows in found.items()}

    @cached_property
    def _longest_by_first(self) -> dict[str, int]:
        longest: dict[str, int] = {}
        for tokens in self.catalog:
            longest[tokens[0]] = max(longest.get(tokens[0], 0), len(tokens))
        return longest

    def passage(self, row: int) -> Reading:
        """Return the reading of a corpus row; its title counts as terms, not as a mention."""
        reading = self._readings.get(row)
        if reading is None:
            passage = self._corpus.passages[row]
            reading = self._readings[row] = self.read(passage.text, title=passage.title)
        return reading

    def read(self, text: str, *, title: str = "") -> Reading:
        """Read any text."""
        parts = sentences_of(unicodedata.normalize("NFC", text))
        sentences = tuple(Sentence(part, terms_of(part)) for part in parts)
        mentions = tuple(
            mention
            for place, sentence in enumerate(sentences)
            for mention in self._mentions(sentence.text, place)
        )
        terms = terms_of(title).union(*(sentence.terms for sentence in sentences))
        return Reading(sentences, terms, mentions)

    def _mentions(self, text: str, sentence: int) -> list[Mention]:
        tokens = tokens_of(text)
        folded = [token.casefold() for token in tokens]
        found: list[Mention] = []
        place = 0
        while place < len(tokens):
            length, rows = self._linked(tokens, folded, place)
            if not length:
                length = self._unlinked(tokens, folded, place)
            if length:
                end = place + length
                nearby = tokens[max(place - _BEFORE, 0) : place] + tokens[end : end + _AFTER]
                around = frozenset(stem(word) for word in nearby if word.casefold() not in STOPWORDS)
                name, key = _joined(tokens[place:end]), " ".join(folded[place:end])
                found.append(Mention(name, key, rows, sentence, around))
            place += max(length, 1)
        return found

    def _unlinked(self, tokens: Sequence[str], folded: Sequence[str], place: int) -> int:
        """Return the length of an untitled name, which ends where a title of several words begins.

        So "Director Mira Tolland" names Mira Tolland, and "A and B" names both.
        """
        length = _capitalised(tokens, folded, place)
        for inside in range(1, length):
            if self._linked(tokens, folded, place + inside)[0] > 1:
                names = [at for at in range(inside) if folded[place + at] not in _CONNECTORS]
                return names[-1] + 1 if names else inside
        return length

    def _linked(self, tokens: Sequence[str], folded: Sequence[str], place: int) -> tuple[int, tuple[int, ...]]:
        """Return the length and rows of the longest title that begins here, written with a capital or digit."""
        if not (tokens[place][0].isupper() or tokens[place][0].isdigit()):
            return 0, ()
        for length in range(min(self._longest_by_first.get(folded[place], 0), len(tokens) - place), 0, -1):
            rows = self.catalog.get(tuple(folded[place : place + length]))
            if rows and (length > 1 or not (place == 0 and folded[0] in _OPENERS)):
                return length, rows
        return 0, ()


def _tells(tokens: Sequence[str]) -> bool:
    """Whether a surface form says more than a year, a month or a common word."""
    if len(tokens) > 1:
        return True
    token = tokens[0]
    return len(token) > 2 and not token.isdigit() and token not in _MONTHS and token not in STOPWORDS


def _capitalised(tokens: Sequence[str], folded: Sequence[str], place: int) -> int:
    """Return the length of the run of capitalised words that begins here, connectors inside included."""
    if not tokens[place][0].isupper() or folded[place] in _OPENERS or folded[place] in _MONTHS:
        return 0
    end = place + 1
    while end < len(tokens):
        if tokens[end][0].isupper():
            end += 1
        elif folded[end] in _CONNECTORS and end + 1 < len(tokens) and tokens[end + 1][0].isupper():
            end += 2
        elif (
            folded[end] in _CONNECTORS
            and end + 2 < len(tokens)
            and folded[end + 1] in _CONNECTORS
            and tokens[end + 2][0].isupper()
        ):
            end += 3
        else:
            break
    single = end - place == 1
    return 0 if single and (len(tokens[place]) < 3 or stem(tokens[place]) in STOPWORDS) else end - place


def _joined(tokens: Sequence[str]) -> str:
    text = " ".join(tokens)
    return re.sub(r"\s+([,.;:!?)’'])", r"\1", re.sub(r"([(])\s+", r"\1", text))
