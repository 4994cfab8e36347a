"""Writes the articles: a lead, then sentences in varied order, with pronouns that can be resolved."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from .graph import Entity, Fact, Graph
from .telling import HOLE, Telling, keys_of, lines, needs, predicates, share_out

__all__ = ["write_articles"]

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_PASSIVE = re.compile(r"was (?:\w+ed|shot|put|taught|made)\b")  # one "was" serves all of a list
_LONGEST = 6  # sentences
_LENGTHS = (2, 3, 3, 4, 4, 5)
# A clause states one of each pair; "died in … and died on …" is no English.
_EITHER = ({"birth_date", "born_in"}, {"death_date", "died_in"})
_PRONOUNS = {
    "f": {"he": "she", "his": "her", "him": "her", "son": "daughter", "parent": "mother", "wife": "husband"},
    "m": {"he": "he", "his": "his", "him": "him", "son": "son", "parent": "father", "wife": "wife"},
    "": {"he": "it", "his": "its", "him": "it"},
}


@dataclass(frozen=True)
class _Line:
    """A sentence that is planned: its template and the facts that fill it."""

    template: str
    facts: Mapping[str, Telling] = field(default_factory=dict)


def write_articles(graph: Graph, random: Random) -> tuple[tuple[str, str], ...]:
    """Return title and text of every article in the order of the entities, and note in the graph what is "
    "told."""
    shares = share_out(graph, random)
    desk = _Desk(graph, random)
    told: dict[Fact, list[int]] = defaultdict(list)
    written: list[tuple[str, str]] = []
    for entity in graph.entities:
        planned = _plan(desk, entity, dict(shares[entity.key]))
        written.append((entity.title, _render(desk, entity, planned)))
        for line in planned:
            for telling in line.facts.values():
                told[telling.fact].append(entity.key)
    graph.told.update((fact, tuple(keys)) for fact, keys in told.items())
    return tuple(written)


class _Desk:
    """What all articles share: chance, the wear of the templates, and strangers to mention."""

    def __init__(self, graph: Graph, random: Random) -> None:
        self.random = random
        self._worn: Counter[str] = Counter()
        self._of: dict[str, list[Entity]] = defaultdict(list)
        self._eras = [_era(graph, entity) for entity in graph.entities]
        for entity in graph.entities:
            for key in keys_of(entity.kind, entity.role):
                self._of[key].append(entity)

    def freshest(self, templates: Sequence[str]) -> str:
        """Return one of the least used templates, by chance."""
        least = min(self._worn[template] for template in templates)
        chosen = self.random.choice([template for template in templates if self._worn[template] == least])
        self._worn[chosen] += 1
        return chosen

    def stranger(self, key: str, entity: Entity, named: set[str]) -> Entity:
        """Return an entity not `named` yet, where there is one from the same land and of a fitting time."""
        others = [other for other in self._of[key] if other.name not in named]
        fitting = [other for other in others if self._contemporary(other, entity)]
        home = [other for other in fitting if other.tongue == entity.tongue]
        chosen = self.random.choice(home or fitting or others)
        named.add(chosen.name)
        return chosen

    def _contemporary(self, other: Entity, entity: Entity) -> bool:
        """Whether two could have met: people of an age, or something that was there already."""
        then, now = self._eras[other.key], self._eras[entity.key]
        if not then or not now:
            return True
        return abs(then - now) <= 25 if other.kind == "person" else then <= now


def _plan(desk: _Desk, entity: Entity, left: dict[str, Telling]) -> list[_Line]:
    """Choose the sentences of an article: a lead, the facts that it leaves, and some colour."""
    kind, role = entity.kind, entity.role
    lead = desk.freshest([line for line in lines("LEADS", kind, role) if needs(line) <= left.keys()])
    planned = [_take(lead, left)]
    body: list[_Line] = []
    while left and len(body) < _LONGEST - 1:
        body.append(_sentence(desk, entity, left, _LONGEST - 1 - len(body)))
    desk.random.shuffle(body)
    wanted = desk.random.choice(_LENGTHS) - 1 - len(body)
    for _ in range(max(0, min(wanted, 2))):
        colour = _Line(desk.freshest(lines("COLOUR", kind, role)))
        if colour not in body:
            body.insert(desk.random.randint(0, len(body)), colour)
    return planned + (body or [_Line(desk.freshest(lines("COLOUR", kind, role)))])


def _take(template: str, left: dict[str, Telling]) -> _Line:
    """Bind a template to the facts that it states, which are then no longer left."""
    stated = set(needs(template))
    if "{dates}" in template and "death_date" in left:
        stated.add("death_date")
    return _Line(template, {slot: left.pop(slot) for slot in sorted(stated)})


def _sentence(desk: _Desk, entity: Entity, left: dict[str, Telling], room: int) -> _Line:
    """Choose the next sentence: a template of its own, or predicates joined, so that all facts find room."""
    kind, role = entity.kind, entity.role
    whole = [line for line in lines("BODY", kind, role) if needs(line) and needs(line) <= left.keys()]
    joinable = _joinable(desk, left, predicates(kind, role))
    alone = len(left) - len(joinable)
    must_join = len(left) > room and alone < room
    if joinable and (not whole or must_join or desk.random.random() < 0.4):
        fewest = -(-len(joinable) // max(room - alone, 1)) if must_join else 1
        many = min(max(fewest, desk.random.choice((1, 2, 2, 3))), 3, len(joinable))
        chosen = sorted(desk.random.sample(joinable, many), key=list(predicates(kind, role)).index)
        said = [desk.freshest(predicates(kind, role)[slot]) for slot in chosen]
        return _take("{He} " + _listed(said) + ".", left)
    lonely = [line for line in whole if not needs(line) <= set(joinable)]
    return _take(desk.freshest(lonely if lonely and alone >= room else whole), left)


def _joinable(desk: _Desk, left: Mapping[str, Telling], table: Mapping[str, tuple[str, ...]]) -> list[str]:
    slots = [slot for slot in table if slot in left]
    for pair in _EITHER:
        if pair <= set(slots):
            slots.remove(desk.random.choice(sorted(pair)))
    return slots


def _listed(parts: Sequence[str]) -> str:
    if all(_PASSIVE.match(part) for part in parts):
        parts = [parts[0], *(part.removeprefix("was ") for part in parts[1:])]
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def _render(desk: _Desk, entity: Entity, planned: Sequence[_Line]) -> str:
    """Put the planned sentences into words."""
    dead = any("death_date" in line.facts for line in planned)
    others = (telling.other for line in planned for telling in line.facts.values())
    named = {entity.name, *(other.name for other in others if other)}
    sentences: list[str] = []
    before: _Line | None = None
    for line in planned:
        voice = _Voice(desk, entity, line, before, dead, named)
        sentences.append(voice.sentence())
        before = line
    return " ".join(sentences)


class _Voice:
    """Fills the holes of one sentence."""

    def __init__(
        self, desk: _Desk, entity: Entity, line: _Line, before: _Line | None, dead: bool, named: set[str]
    ) -> None:
        self._desk, self._entity, self._line, self._dead, self._named = desk, entity, line, dead, named
        self._unclear = _confusable(entity, before) if before else ""
        self._opening = True

    def sentence(self) -> str:
        """Return the sentence."""
        template = _CHOICE.sub(lambda found: self._desk.random.choice(found[1].split("|")), self._line.template)
        text = HOLE.sub(lambda found: self._fill(found[1]), template)
        return text[0].upper() + text[1:]

    def _fill(self, hole: str) -> str:
        if hole.startswith(("a ", "A ")):
            return _with_article(self._fill(hole[2:]))
        if hole[0] == "~":
            return self._desk.stranger(hole[1:], self._entity, self._named).mention
        if hole.lstrip("+") in self._line.facts and hole != "dates":
            return self._value(hole)
        if hole.lower() in _PRONOUNS[self._entity.gender]:
            return self._pronoun(hole)
        return self._word(hole)

    def _value(self, hole: str) -> str:
        telling = self._line.facts[hole.lstrip("+")]
        if telling.other is None:
            return telling.fact.literal
        return f"{telling.other.role} {telling.other.name}" if hole[0] == "+" else telling.other.mention

    def _word(self, hole: str) -> str:
        facts = self._line.facts
        if hole == "dates":
            born, died = facts["birth_date"].fact.literal, facts.get("death_date")
            return f"({born} – {died.fact.literal})" if died else f"(born {born})"
        if hole in ("offspring", "child_role"):
            child = facts["child"].other
            assert child is not None
            return child.role if hole == "child_role" else _PRONOUNS[child.gender]["son"]
        words = {
            "Name": self._entity.mention,
            "was": "was" if self._dead else "is",
            "role": self._entity.role,
            "roles": f"{self._entity.role}s",
            "demonym": self._entity.demonym,
        }
        return words[hole]

    def _pronoun(self, hole: str) -> str:
        """Return a pronoun, or, for the first in a sentence, a name where the pronoun would be unclear."""
        word = _PRONOUNS[self._entity.gender][hole.lower()]
        if hole.lower() not in ("he", "his", "him"):
            return word
        opening, self._opening = self._opening, False
        named = self._unclear or (hole[0].isupper() and self._desk.random.random() < 0.2)
        if not (opening and named):
            return word.capitalize() if hole[0].isupper() else word
        return self._short() + ("'s" if hole.lower() == "his" else "")

    def _short(self) -> str:
        entity = self._entity
        if entity.kind != "person":
            return f"the {entity.role.split()[-1]}"
        surname = entity.name.split()[-1]
        others = (telling.other for telling in self._line.facts.values())
        kin = any(other is not None and other.name.endswith(surname) for other in others)
        return f"the {entity.role}" if kin or self._unclear == "kin" else surname


def _confusable(entity: Entity, line: _Line) -> str:
    """Say whether a pronoun after a line may be taken for someone else's: "kin" for one of the same surname."""
    found = ""
    for telling in line.facts.values():
        other = telling.other
        if other is None or other.kind != entity.kind or other.gender != entity.gender:
            continue
        same = entity.kind == "person" and other.name.split()[-1] == entity.name.split()[-1]
        found = "kin" if same else found or "other"
    return found


def _era(graph: Graph, entity: Entity) -> int:
    """Return the year around which a person was active or a thing came into being, or 0 where time does not "
    "matter."""
    if entity.kind == "person":
        return graph.number(entity.key, "birth_date") // 10000 + 35
    relation = {"institution": "founded_year", "prize": "founded_year", "work": "year"}.get(entity.kind)
    return graph.number(entity.key, relation) if relation else 0


def _with_article(word: str) -> str:
    return f"{'an' if word[:1].lower() in 'aeiou' and not word.startswith('uni') else 'a'} {word}"
