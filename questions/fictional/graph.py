"""The knowledge graph behind the articles: entities, facts, what tells them, and queries that prove answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

__all__ = ["RELATIONS", "Entity", "Fact", "Graph", "Relation", "Step"]


@dataclass(frozen=True, slots=True)
class Relation:
    """A kind of fact; `inverse` names it as seen from its object, blank where only the subject tells it."""

    name: str
    inverse: str = ""
    object_share: float = 0.0
    """How often the object's article tells it instead of the subject's."""


RELATIONS: dict[str, Relation] = {
    relation.name: relation
    for relation in (
        Relation("birth_date"), Relation("death_date"), Relation("instrument"), Relation("year"),
        Relation("founded_year"), Relation("population"), Relation("length"), Relation("area"),
        Relation("stadium"), Relation("sea"),
        Relation("born_in", "native", 0.2), Relation("died_in"),
        Relation("studied_at", "student", 0.2), Relation("taught_at", "lecturer", 0.35),
        Relation("teacher", "pupil", 0.3), Relation("spouse", "spouse", 0.5),
        Relation("mother", "child", 0.25), Relation("father", "child", 0.25),
        Relation("won", "laureate", 0.3), Relation("plays_for", "player", 0.3),
        Relation("signed_to", "artist", 0.3), Relation("mayor_of", "mayor", 0.5),
        Relation("succeeded", "successor", 0.5), Relation("wrote_for", "columnist", 0.3),
        Relation("director", "directed", 0.2), Relation("company", "produced", 0.15),
        Relation("score_by", "scored", 0.35), Relation("based_on", "filmed_as", 0.4),
        Relation("filmed_in", "location_of", 0.4), Relation("star", "starred_in", 0.35),
        Relation("author", "wrote", 0.2), Relation("set_in", "setting_of", 0.35),
        Relation("dedicated_to", "dedicatee_of", 0.35), Relation("composer", "composed", 0.2),
        Relation("premiered_in", "premiere_of", 0.3), Relation("adapted_from", "sung_as", 0.4),
        Relation("singer", "recorded", 0.2), Relation("label", "released", 0.25),
        Relation("recorded_in", "recording_of", 0.35), Relation("painter", "painted", 0.2),
        Relation("held_by", "holds", 0.4), Relation("depicts", "depicted_in", 0.4),
        Relation("in_province"), Relation("on_river", "bank_town", 0.15),
        Relation("twinned_with", "twinned_with", 0.5), Relation("rises_in"), Relation("flows_into",
                 "tributary", 0.3),
        Relation("capital", "capital_of", 0.3), Relation("land"),
        Relation("located_in", "seat_of", 0.2), Relation("founder", "founded", 0.35),
        Relation("editor", "edited", 0.35), Relation("architect", "designed", 0.35),
        Relation("named_after", "honoured_by", 0.3), Relation("given_by", "gives", 0.3),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that has an article of its own."""

    key: int
    kind: str
    role: str
    """What a noun phrase calls it: the profession of a person, else its kind (`record label`)."""
    name: str
    title: str
    """Its article's title; two entities may share one."""
    definite: bool = False
    """Whether running text says "the" before the name."""
    gender: str = ""
    tongue: int = 0
    demonym: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def mention(self) -> str:
        """The name as running text writes it."""
        return f"the {self.name}" if self.definite else self.name


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: its value is an entity's key or a literal, with a number to compare by."""

    subject: int
    relation: str
    object: int = -1
    literal: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """A link of a chain: a relation followed forward, or backward to the subjects of one role."""

    relation: str
    inverse: bool = False
    role: str = ""


@dataclass
class Graph:
    """Entities and facts, with the articles in which each fact is told."""

    entities: tuple[Entity, ...]
    facts: tuple[Fact, ...]
    told: dict[Fact, tuple[int, ...]] = field(default_factory=dict)
    """The keys of the articles whose text states a fact."""
    _forward: dict[tuple[int, str], list[Fact]] = field(init=False)
    _backward: dict[tuple[int, str], list[Fact]] = field(init=False)

    def __post_init__(self) -> None:
        self._forward, self._backward = defaultdict(list), defaultdict(list)
        for fact in self.facts:
            self._forward[fact.subject, fact.relation].append(fact)
            if fact.object >= 0:
                self._backward[fact.object, fact.relation].append(fact)

    def matching(self, key: int, step: Step) -> list[Fact]:
        """Return the facts that a step from an entity may follow, told or not."""
        symmetric = RELATIONS[step.relation].inverse == step.relation
        found = [] if step.inverse else list(self._forward.get((key, step.relation), ()))
        if step.inverse or symmetric:
            back = self._backward.get((key, step.relation), ())
            found += [f for f in back if symmetric or self.entities[f.subject].role == step.role]
        return found

    def other(self, fact: Fact, key: int) -> int:
        """Return the entity at the other end of a fact, or -1 for a literal."""
        return fact.object if fact.subject == key else fact.subject

    def values(self, starts: Iterable[int], steps: Sequence[Step]) -> set[str | int]:
        """Return everything that a chain of steps may lead to: entity keys, and literals at its end."""
        reached: set[str | int] = set(starts)
        for step in steps:
            found: set[str | int] = set()
            for key in reached:
                if isinstance(key, int):
                    found |= {f.literal or self.other(f, key) for f in self.matching(key, step)}
            reached = found
        return reached

    def number(self, key: int, relation: str) -> int:
        """Return the number that an entity's only fact of a relation is compared by, or -1."""
        facts = self._forward.get((key, relation), [])
        return facts[0].number if len(facts) == 1 else -1
