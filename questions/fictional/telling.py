"""Decides which article tells which fact, and knows for which facts there are words."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import chain
from random import Random

from . import sentences_people, sentences_places, sentences_works
from .graph import RELATIONS, Entity, Fact, Graph

__all__ = ["HOLE", "Telling", "keys_of", "lines", "needs", "predicates", "share_out"]

HOLE = re.compile(r"\{([^{}]*)\}")
_SHEETS = (sentences_people, sentences_places, sentences_works)
_SLOTS = frozenset(RELATIONS) | {relation.inverse for relation in RELATIONS.values() if relation.inverse}
_ROOM = 8  # facts that one article tells at the most
_TOLD_TWICE = 0.06  # how often both articles tell a fact


@dataclass(frozen=True, slots=True)
class Telling:
    """A fact as one article sees it: the slot that it fills, and the entity at its other end."""

    slot: str
    fact: Fact
    other: Entity | None


@cache
def needs(template: str) -> frozenset[str]:
    """Return the slots that a template states."""
    names = {name.lstrip("+") for name in HOLE.findall(template)}
    return frozenset((names & _SLOTS) | ({"birth_date"} if "dates" in names else set()))


@cache
def keys_of(kind: str, role: str) -> tuple[str, ...]:
    """Return the names under which the sheets keep the templates of a kind and of a role."""
    return (kind,) if kind == role else (kind, role)


@cache
def lines(table: str, kind: str, role: str) -> tuple[str, ...]:
    """Return the templates of a table (`LEADS`, `BODY`, `COLOUR`) that suit an entity."""
    found = [getattr(sheet, table).get(key, ()) for sheet in _SHEETS for key in keys_of(kind, role)]
    return tuple(chain.from_iterable(found))


@cache
def predicates(kind: str, role: str) -> dict[str, tuple[str, ...]]:
    """Return what can be said of an entity without naming it, by slot, in the order of a life."""
    merged: dict[str, tuple[str, ...]] = {}
    for sheet in _SHEETS:
        for key in keys_of(kind, role):
            merged.update(sheet.PREDICATES.get(key, {}))
    return merged


@cache
def _sayable(kind: str, role: str) -> frozenset[str]:
    return frozenset(predicates(kind, role)).union(*map(needs, lines("BODY", kind, role)))


def share_out(graph: Graph, random: Random) -> dict[int, dict[str, Telling]]:
    """Return what each article is to tell, by slot.

    A fact is told by its subject's article, its object's, now and then by both, or, where neither has
    room, by none: it still holds in the graph, so that answers stay unique.
    """
    shares: dict[int, dict[str, Telling]] = defaultdict(dict)
    facts = list(graph.facts)
    random.shuffle(facts)
    # Dates open an article and must not fall victim to its limit.
    facts.sort(key=lambda fact: not fact.relation.endswith("_date"))
    for fact in facts:
        relation, subject = RELATIONS[fact.relation], graph.entities[fact.subject]
        other = graph.entities[fact.object] if fact.object >= 0 else None
        sides = [(subject, Telling(relation.name, fact, other))]
        if other is not None and relation.inverse:
            sides.append((other, Telling(relation.inverse, fact, subject)))
            if random.random() < relation.object_share:
                sides.reverse()
        twice = random.random() < _TOLD_TWICE
        for teller, telling in sides:
            if _assign(shares[teller.key], teller, telling) and not twice:
                break
    return shares


def _assign(mine: dict[str, Telling], teller: Entity, telling: Telling) -> bool:
    """Give a fact to an article that has words and room for it."""
    if len(mine) >= _ROOM or telling.slot in mine or telling.slot not in _sayable(teller.kind, teller.role):
        return False
    mine[telling.slot] = telling
    return True
