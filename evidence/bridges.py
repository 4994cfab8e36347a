"""Bridge entities: what the evidence mentions that may lead on, the most promising first."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .lens import Lens, Sighting
from .state import Bridge
from .text import STOPWORDS, stem, words_of

__all__ = ["TITLED", "UNTITLED", "asked_words", "bridge_candidates", "prior_facts"]

_ASKED_WORDS = 8  # words of the question that a query repeats at the most
_KEPT = 8  # candidates kept in a state

TITLED: dict[str, float] = {
    "intercept": -3.1,
    "overlap": 0.5,
    "similarity": 1.9,
    "source": 2.4,
    "in_question": 0.5,
    "from_named": 0.9,
    "cue_from_named": 4.2,
    "several_words": 0.3,
    "log_mentions": -0.5,
}
"""Weights of candidates that the corpus has an unheld title for."""

UNTITLED: dict[str, float] = {
    "intercept": -2.9,
    "source": 2.3,
    "late": -0.2,
    "passage_share": 1.2,
}
"""Weights of the others, which are worth less and tell less."""


@dataclass(slots=True)
class _Gathered:
    """The sightings of one entity over all held passages."""

    first: Sighting
    mentions: int = 0
    passages: int = 0
    overlap: float = 0.0
    source: float = -1.0
    first_sentence: int = 1 << 30
    from_named: bool = False
    cue: float = 0.0


def bridge_candidates(lens: Lens, rows: Iterable[int]) -> tuple[Bridge, ...]:
    """Rank the entities that the passages in `rows` mention by how likely they lead on.

    An entity leads nowhere when every passage that bears its title is held already. The ranking is
    a logistic prior over run-time facts (`TITLED`, `UNTITLED`): the chance that a search around the
    entity brings something that the question needs. The weights were fitted to training questions of
    HotpotQA, 2WikiMultiHopQA and MuSiQue and rounded by hand; `hopilot.training.priors` fits the same
    facts to any labelled questions.
    """
    held = tuple(rows)
    asked = asked_words(lens, held)
    found: list[Bridge] = []
    for key, gathered in _gather(lens, held).items():
        rows_titled = gathered.first.mention.rows
        unheld = [row for row in rows_titled if row not in held]
        if rows_titled and not unheld:
            continue
        found.append(_bridge(lens, key, gathered, unheld, len(held), asked))
    found.sort(key=lambda bridge: (-bridge.score, bridge.name))
    return tuple(found[:_KEPT])


def _gather(lens: Lens, held: tuple[int, ...]) -> dict[str, _Gathered]:
    gathered: dict[str, _Gathered] = {}
    for row in held:
        glance = lens.glance(row)
        for sighting in glance.sightings:
            entry = gathered.setdefault(sighting.mention.key, _Gathered(sighting))
            entry.mentions += sighting.sentences
            entry.passages += 1
            entry.overlap = max(entry.overlap, sighting.overlap)
            entry.source = max(entry.source, glance.similarity)
            entry.first_sentence = min(entry.first_sentence, sighting.first_sentence)
            entry.cue = max(entry.cue, sighting.cue)
            entry.from_named = entry.from_named or glance.in_question
    return gathered


def _bridge(lens: Lens, key: str, gathered: _Gathered, unheld: list[int], held: int, asked: str) -> Bridge:
    row = max(unheld, key=lambda row: (lens.similarity(row), -row), default=-1)
    name = gathered.first.mention.name
    bridge = Bridge(
        name=name,
        query=f"{name} {asked}".strip(),
        score=0.0,
        row=row,
        mentions=gathered.mentions,
        passages=gathered.passages,
        question_overlap=gathered.overlap,
        similarity=lens.similarity(row) if row >= 0 else 0.0,
        source_score=gathered.source,
        in_question=key in lens.keys,
        from_named=gathered.from_named,
        first_sentence=gathered.first_sentence,
        cue=gathered.cue,
    )
    return replace(bridge, score=_prior(bridge, held))


def prior_facts(bridge: Bridge, held: int) -> dict[str, float]:
    """Return what the ranking weighs of a candidate, where `held` passages are held."""
    return {
        "intercept": 1.0,
        "titled": float(bridge.row >= 0),
        "overlap": bridge.question_overlap,
        "similarity": bridge.similarity,
        "source": bridge.source_score,
        "in_question": float(bridge.in_question),
        "from_named": float(bridge.from_named),
        "cue_from_named": bridge.cue * bridge.from_named,
        "several_words": float(" " in bridge.name),
        "log_mentions": math.log1p(bridge.mentions),
        "late": min(bridge.first_sentence, 5) / 5,
        "passage_share": bridge.passages / held,
    }


def _prior(bridge: Bridge, held: int) -> float:
    """Return the logit that a search around the entity brings something that the question needs."""
    facts = prior_facts(bridge, held)
    weights = TITLED if bridge.row >= 0 else UNTITLED
    return sum(weight * facts[name] for name, weight in weights.items())


def asked_words(lens: Lens, rows: Iterable[int]) -> str:
    """Return the question's words that no held title contains: what is asked of something else."""
    known = {stem(word) for row in rows for word in words_of(lens.index.passage(row).title)}
    words = [
        word for word in words_of(lens.question) if word.casefold() not in STOPWORDS and stem(word) not in known
    ]
    return " ".join(words[:_ASKED_WORDS])
