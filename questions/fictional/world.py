"""The fictional world: a small encyclopedia made from a seed, and questions with proven answers about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from random import Random
from typing import Literal

from ...errors import InputError
from ...evidence.passages import Corpus, Passage
from ...files import fingerprint
from ..question import Dataset, Question
from .casting import Cast
from .chains import Web
from .graph import Graph
from .people import cast_careers, cast_people
from .places import cast_places
from .posing import Posed, Poser
from .prose import write_articles
from .works import cast_institutions, cast_works

__all__ = ["FictionalWorld", "Split", "fictional_world"]

Split = Literal["train", "dev"]
_ARTICLES = range(200, 2001)  # fewer give no chains of four, more run out of names
_DISTRACTORS = 8
_ALIKE = 3  # distractors of a gold article's own role, the hardest to tell from it


@dataclass(frozen=True)
class FictionalWorld:
    """Articles about people, places and works that do not exist, and questions about them."""

    seed: int
    articles: tuple[Passage, ...]
    """One per entity of the graph, in the order of the entities."""
    graph: Graph
    """What is true in this world, and which articles state it."""
    posed: dict[str, tuple[Posed, ...]]
    """The questions of each split with the chains that prove their answers."""

    def dataset(self, split: Split) -> Dataset:
        """Return the questions of a split.

        Each question comes with its gold articles and distractors; the pool over all questions of a
        split is the whole world.

        Raises:
            InputError: there is no such split.
        """
        if split not in self.posed:
            raise InputError(f"no split {split!r}", where="split", expected=" or ".join(self.posed))
        random = Random(f"{self.seed} {split}")
        paragraphs = self._paragraphs(self.posed[split], random)
        questions = tuple(
            Question(
                id=f"{split}-{place:04d}",
                text=posed.text,
                kind=posed.plan.kind,
                hops=len(posed.plan.gold),
                answers=posed.answers,
                support=tuple(self.articles[key].id for key in posed.plan.gold),
                passages=tuple(self.articles[key] for key in keys),
            )
            for place, (posed, keys) in enumerate(zip(self.posed[split], paragraphs, strict=True))
        )
        return Dataset(name="hopilot", questions=questions, source=f"fictional world {self.seed}, {split}")

    def corpus(self) -> Corpus:
        """Return all articles as a corpus."""
        return Corpus.of(self.articles)

    @cached_property
    def fingerprint(self) -> str:
        """Name the world by its articles and questions."""
        splits = (self.dataset(split).fingerprint for split in ("train", "dev"))
        return fingerprint((self.corpus().fingerprint, *splits))

    def _paragraphs(self, posed: Sequence[Posed], random: Random) -> list[list[int]]:
        """Deal out all articles among the questions, on top of each question's gold and its likes."""
        hands = [list(question.plan.gold) for question in posed]
        for hand in hands:
            hand.extend(self._alike(hand, random))
        deck = list(range(len(self.articles)))
        random.shuffle(deck)
        supply = cycle(deck)
        for hand, question in zip(hands, posed, strict=True):
            full = len(question.plan.gold) + _DISTRACTORS
            while len(hand) < full:
                hand.extend(key for key in (next(supply),) if key not in hand)
        dealt = {key for hand in hands for key in hand}
        for key, hand in zip((key for key in deck if key not in dealt), cycle(hands), strict=False):
            hand.append(key)
        for hand in hands:
            random.shuffle(hand)
        return hands

    def _alike(self, gold: Sequence[int], random: Random) -> list[int]:
        """Return namesakes of the gold first, then others of the same roles."""
        names, roles = defaultdict(list), defaultdict(list)
        for entity in self.graph.entities:
            names[entity.name].append(entity.key)
            roles[entity.role].append(entity.key)
        entities = [self.graph.entities[key] for key in gold]
        same_name = [key for entity in entities for key in names[entity.name] if key not in gold]
        same_role = [key for entity in entities for key in roles[entity.role] if key not in gold]
        random.shuffle(same_role)
        return list(dict.fromkeys([*same_name, *same_role]))[:_ALIKE]


def fictional_world(
    seed: int = 13, questions: int = 400, *, articles: int = 420, dev_share: float = 0.4
) -> FictionalWorld:
    """Make a world from a seed: the same arguments give the same bytes, another seed another world.

    `questions` counts both splits together, of which `dev_share` are for `dev`. The splits share no
    question, no gold set and no link between two articles.

    Raises:
        InputError: a number is out of range, or the world is too small for so many questions.
    """
    dev = round(questions * dev_share)
    if articles not in _ARTICLES:
        raise InputError(
            f"no world can be made of {articles} articles",
            where="articles",
            expected=f"{_ARTICLES.start} to {_ARTICLES.stop - 1}",
        )
    if not 0 < dev < questions:
        raise InputError(
            f"{questions} questions of which {dev} for dev leave a split empty",
            where="questions, dev_share",
            expected="at least one question for each split",
        )
    random = Random(seed)
    cast = Cast(random, articles)
    for stage in (cast_places, cast_people, cast_institutions, cast_careers, cast_works):
        stage(cast)
    graph = Graph(tuple(draft.frozen() for draft in cast.drafts), tuple(cast.facts))
    written = write_articles(graph, random)
    poser = Poser(Web(graph, written), random)
    posed = {"dev": poser.split(dev), "train": poser.split(questions - dev)}
    return FictionalWorld(seed, tuple(Passage.of(title, text) for title, text in written), graph, posed)
