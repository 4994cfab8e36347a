"""A question set against its snippets: what they are about, which of it the question names, what leads on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .language_model import Snippet
from .passages import normalise_title
from .reading import surface_forms
from .spans import Life, life_of, words_in
from .text import STOPWORDS, stem, terms_of, words_of

__all__ = ["Asked", "Topic", "name_of", "placed_terms"]

_BRACKET = re.compile(r"\s*\([^()]*\)\s*$")
_MAKERS = (
    "director composer performer producer writer author singer founder creator publisher father mother".split()
)


def name_of(title: str) -> str:
    """Return a title without the bracket that tells it from its namesakes."""
    return _BRACKET.sub("", title).strip() or title.strip()


@lru_cache(maxsize=1 << 14)
def placed_terms(text: str) -> tuple[tuple[int, str], ...]:
    """Return the content terms of a text with the offsets at which they stand."""
    found = ((m.start(), m.group()) for m in re.finditer(r"\w+(?:[-'’.]\w+)*", text))
    return tuple((start, stem(word)) for start, word in found if word.casefold() not in STOPWORDS)


@dataclass(frozen=True)
class Topic:
    """A passage as far as its snippets tell: title and kept sentences."""

    title: str
    sentences: tuple[str, ...]

    @cached_property
    def name(self) -> str:
        """The title as an answer would give it."""
        return name_of(self.title)

    @cached_property
    def text(self) -> str:
        """Its sentences in one."""
        return " ".join(self.sentences)

    @cached_property
    def folded(self) -> str:
        """Its text in the form in which titles are compared."""
        return normalise_title(self.text)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The forms in which a text may name it, whole first, none of a single letter."""
        return tuple(form for form in surface_forms(self.title) if len(form) > 1)

    @cached_property
    def life(self) -> Life:
        """The life it tells."""
        return life_of(self.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Content terms of its text."""
        return terms_of(self.text)

    def place_in(self, folded: str) -> int:
        """Return where a folded text names it; −1 where it does not."""
        return next((at for form in self.forms if (at := _find(form, folded)) >= 0), -1)


def _find(form: str, folded: str) -> int:
    at = folded.find(form)
    while at >= 0:
        end = at + len(form)
        if not folded[at - 1 : at].isalnum() and not folded[end : end + 1].isalnum():
            return at
        at = folded.find(form, at + 1)
    return -1


class Asked:
    """A question and the topics of its snippets."""

    def __init__(self, question: str, snippets: Sequence[Snippet]) -> None:
        self.question = " ".join(question.split())
        self.folded = normalise_title(question)
        texts: dict[tuple[str, str], list[str]] = {}
        for snippet in snippets:
            texts.setdefault((snippet.passage_id, snippet.title), []).append(snippet.text)
        self.topics = tuple(Topic(title, tuple(found)) for (_, title), found in texts.items())

    @cached_property
    def named(self) -> frozenset[int]:
        """Numbers of the topics that the question names."""
        return frozenset(n for n, topic in enumerate(self.topics) if topic.place_in(self.folded) >= 0)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Content terms of the question."""
        return terms_of(self.question)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the question."""
        return words_in(self.question)

    @cached_property
    def unmet(self) -> frozenset[str]:
        """Content terms of the question beyond the names of the topics that it names: what it asks of them."""
        names = frozenset().union(*(terms_of(self.topics[n].name) for n in self.named))
        return (self.terms - names) or self.terms

    @cached_property
    def last(self) -> tuple[int, ...]:
        """Topics that the question does not name, those tied to a named one first."""
        unnamed = [n for n in range(len(self.topics)) if n not in self.named]
        return tuple(sorted(unnamed, key=lambda n: not any(self.leads(m, n) for m in self.named)))

    def leads(self, source: int, target: int) -> bool:
        """Whether either of two topics mentions the other."""
        one, other = self.topics[source], self.topics[target]
        return other.place_in(one.folded) >= 0 or one.place_in(other.folded) >= 0

    def bridge_from(self, source: int) -> int | None:
        """Return the unnamed topic that the source leads to: that mentioned nearest to what is asked of it."""
        topic = self.topics[source]
        cues = [at for at, term in placed_terms(topic.folded) if term in self.unmet]
        found = []
        for number in self.last:
            at = self.topics[number].place_in(topic.folded)
            if at >= 0:
                found.append((min((abs(at - cue) for cue in cues), default=9999), number))
            elif topic.place_in(self.topics[number].folded) >= 0:
                found.append((9999, number))
        return min(found)[1] if found else None

    def topic_of(self, name: str) -> int | None:
        """Return the topic whose title shares most words with a name."""
        words = words_in(name)
        best = max(
            ((len(words & words_in(topic.title)) / (len(words | words_in(topic.title)) or 1), -n)
             for n, topic in enumerate(self.topics)),
            default=(0.0, 0),
        )  # fmt: skip
        return -best[1] if best[0] > 0 else None

    @cached_property
    def asks_of_maker(self) -> bool:
        """Whether it is the maker of a named work, not the work, that is asked about."""
        return any(word.removesuffix("s") in _MAKERS for word in words_of(self.question.casefold()))
