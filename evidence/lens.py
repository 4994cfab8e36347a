"""One question's view of the corpus: what each passage has to do with it, found once and kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from .reading import Mention, Reader, Reading, key_of, surface_forms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .index import EvidenceIndex

__all__ = ["Glance", "Lens", "Lenses", "Sighting"]

_KEPT = 512  # lenses kept at once; one exploration shard needs fewer


@dataclass(frozen=True, slots=True)
class Sighting:
    """How one passage mentions one entity, seen from the question."""

    mention: Mention
    sentences: int
    """Sentences that mention it."""
    first_sentence: int
    """Place of the first of them."""
    overlap: float
    """Best share of question terms in one of them, in [0, 1]."""
    cue: float
    """Best share of question terms in the few words around it, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What one passage has to do with the question."""

    similarity: float
    """Inner product of question and passage vectors."""
    covered: frozenset[str]
    """Question terms that it contains."""
    best_sentence: float
    """Best share of question terms in one sentence, in [0, 1]."""
    in_question: bool
    """Whether the question names its title."""
    sightings: tuple[Sighting, ...]
    """The entities that it mentions, in order of appearance."""


class Lens:
    """A question, read, with its view of the passages met so far."""

    def __init__(self, question: str, index: EvidenceIndex, reader: Reader) -> None:
        self.question = question
        self.index = index
        self.reader = reader
        self._glances: dict[int, Glance] = {}
        self._similarities: dict[int, float] = {}
        self._texts: dict[str, tuple[Mention, ...]] = {}

    @cached_property
    def vector(self) -> NDArray[np.float32]:
        """The question's vector."""
        vector: NDArray[np.float32] = self.index.embed_queries([self.question])[0]
        return vector

    @cached_property
    def reading(self) -> Reading:
        """The question's own terms and mentions."""
        return self.reader.read(self.question)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Content terms of the question."""
        return self.reading.terms

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of the entities that the question names."""
        return self.reading.keys

    @cached_property
    def named_rows(self) -> frozenset[int]:
        """Corpus rows whose titles the question names."""
        return frozenset(row for mention in self.reading.mentions for row in mention.rows)

    @cached_property
    def _padded(self) -> str:
        return f" {key_of(self.question)} "

    def similarity(self, row: int) -> float:
        """Return the inner product of question and passage."""
        known = self._similarities.get(row)
        if known is None:
            known = self._similarities[row] = self.index.score(row, self.vector)
        return known

    def glance(self, row: int) -> Glance:
        """Return what a passage has to do with the question."""
        known = self._glances.get(row)
        if known is None:
            known = self._glances[row] = self._look(row)
        return known

    def mentions_in(self, text: str) -> tuple[Mention, ...]:
        """Return the entities that a short text about this question (a gap, a query) names."""
        known = self._texts.get(text)
        if known is None:
            known = self._texts[text] = self.reader.read(text).mentions
        return known

    def covered(self, rows: Iterable[int]) -> frozenset[str]:
        """Return the question terms that the passages contain together."""
        return frozenset().union(*(self.glance(row).covered for row in rows))

    def _look(self, row: int) -> Glance:
        reading = self.reader.passage(row)
        many = max(len(self.terms), 1)
        overlaps = [len(sentence.terms & self.terms) / many for sentence in reading.sentences]
        return Glance(
            similarity=self.similarity(row),
            covered=reading.terms & self.terms,
            best_sentence=max(overlaps, default=0.0),
            in_question=self._names(self.index.passage(row).title),
            sightings=_sightings(reading, overlaps, self.terms),
        )

    def _names(self, title: str) -> bool:
        if not title:
            return False
        return any(f" {key_of(form)} " in self._padded for form in surface_forms(title))


def _sightings(reading: Reading, overlaps: list[float], terms: frozenset[str]) -> tuple[Sighting, ...]:
    grouped: dict[str, list[Mention]] = {}
    for mention in reading.mentions:
        grouped.setdefault(mention.key, []).append(mention)
    return tuple(
        Sighting(
            mention=mentions[0],
            sentences=len({mention.sentence for mention in mentions}),
            first_sentence=mentions[0].sentence,
            overlap=max(overlaps[mention.sentence] for mention in mentions),
            cue=max(len(mention.around & terms) for mention in mentions) / max(len(terms), 1),
        )
        for mentions in grouped.values()
    )


class Lenses:
    """Hands out one lens a question and forgets the ones that were not used for long."""

    def __init__(self, index: EvidenceIndex) -> None:
        self.index = index
        self.reader = Reader(index.corpus)
        self._lenses: OrderedDict[str, Lens] = OrderedDict()
        self._lock = Lock()  # language models may ask from several threads

    def of(self, question: str) -> Lens:
        """Return the lens of a question."""
        with self._lock:
            lens = self._lenses.get(question)
            if lens is None:
                lens = self._lenses[question] = Lens(question, self.index, self.reader)
                if len(self._lenses) > _KEPT:
                    self._lenses.popitem(last=False)
            else:
                self._lenses.move_to_end(question)
            return lens
