"""Poses the questions of a split: so many of each kind and length, each proven before it is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from ...errors import InputError
from .asking import phrase
from .chains import Link, Plan, Web
from .comparing import ATTRIBUTES, REMOVES, SAME, compared
from .graph import Entity

__all__ = ["MIX", "Posed", "Poser"]

# Share of each kind and length (in hops, which are gold articles) among the questions.
MIX: dict[tuple[str, int], float] = {
    ("compositional", 2): 0.16,
    ("compositional", 3): 0.11,
    ("compositional", 4): 0.03,
    ("bridge", 2): 0.13,
    ("bridge", 3): 0.12,
    ("bridge", 4): 0.03,
    ("inference", 2): 0.07,
    ("inference", 3): 0.06,
    ("inference", 4): 0.01,
    ("comparison", 2): 0.13,
    ("bridge_comparison", 4): 0.15,
}  # fmt: skip
_PATIENCE = 6000  # tries for one question before the world counts as too small
_WORN = 2  # questions of one split that may follow one link


@dataclass(frozen=True, slots=True)
class Posed:
    """A question in words, with its plan and its answers, the canonical one first."""

    plan: Plan
    text: str
    answers: tuple[str, ...]


class Poser:
    """Poses questions; no two share a text or a gold set, and no link is followed in two splits."""

    def __init__(self, web: Web, random: Random) -> None:
        self._web, self._random = web, random
        self._starts = web.starts(random)
        self._texts: set[str] = set()
        self._golds: set[frozenset[int]] = set()
        self._banned: set[tuple[int, int]] = set()
        self._verdicts: Counter[str] = Counter()

    def split(self, count: int) -> tuple[Posed, ...]:
        """Return the questions of one split, their kinds mixed.

        Raises:
            InputError: the world has too few articles for so many questions.
        """
        used: Counter[tuple[int, int]] = Counter()
        posed: list[Posed] = []
        for (kind, hops), many in _apportioned(count).items():
            for _ in range(many):
                found = self._find(kind, hops, used)
                used.update(found.plan.edges)
                posed.append(found)
        self._banned |= used.keys()
        self._random.shuffle(posed)
        return tuple(posed)

    def _find(self, kind: str, hops: int, used: Counter[tuple[int, int]]) -> Posed:
        make = {"comparison": self._comparison, "bridge_comparison": self._bridge_comparison}.get(
            kind, self._chain
        )
        for _ in range(_PATIENCE):
            posed = make(kind, hops)
            if posed and self._is_new(posed, used):
                self._texts.add(posed.text)
                self._golds.add(frozenset(posed.plan.gold))
                self._verdicts.update({posed.answers[0]} & {"yes", "no"})
                return posed
        raise InputError(
            f"the fictional world has no further {kind} question of {hops} hops",
            where="questions",
            expected="about one question for each article",
            remedy="ask for fewer questions or for more articles",
        )

    def _is_new(self, posed: Posed, used: Counter[tuple[int, int]]) -> bool:
        edges, gold = posed.plan.edges, frozenset(posed.plan.gold)
        fresh = posed.text not in self._texts and gold not in self._golds and len(gold) == len(posed.plan.gold)
        answer = posed.answers[0]
        # As many questions are answered by yes as by no, or nearly so.
        if (
            posed.plan.compare == "same"
            and self._verdicts[answer] > self._verdicts["no" if answer == "yes" else "yes"]
        ):
            return False
        spare = not edges & self._banned and all(used[edge] < _WORN for edge in edges)
        return fresh and spare and len(posed.plan.answers(self._web.graph)) == 1

    def _name(self, key: int) -> str:
        """Name an entity so that nobody else can be meant."""
        entity = self._web.graph.entities[key]
        if entity.title != entity.name:
            return entity.title
        described = bool(self._web.namesakes(entity)) or (
            entity.kind in ("work", "person") and self._random.random() < 0.3
        )
        return f"the {entity.role} {entity.name}" if described else entity.mention

    def _chain(self, kind: str, hops: int) -> Posed | None:
        chain = self._web.walk(next(self._starts), hops, self._random)
        if chain is None or _kind(chain) != ("bridge" if kind == "bridge" else "compositional"):
            return None
        steps = [link.step for link in chain]
        spouses = [self._spouse(link) for link in chain]
        text = phrase(self._name(chain[0].key), steps, spouses, self._random, rules=kind == "inference")
        if text is None:
            return None
        return self._posed(Plan(kind, (chain,)), text, self._web.next(chain[-1]), chain[-1].fact.literal)

    def _spouse(self, link: Link) -> str:
        other = self._web.next(link)
        return "wife" if other is not None and other.gender == "f" else "husband"

    def _posed(self, plan: Plan, text: str, answer: Entity | None, literal: str) -> Posed | None:
        answers = _names(answer) if answer else _readings(literal)
        # A question that names its answer would be none.
        named = not plan.compare and any(name in text for name in answers)
        return None if named else Posed(plan, text, answers)

    def _pair(self, fit: Callable[[Link], bool]) -> tuple[Link, Link] | None:
        """Return two links of one relation from the articles of two of a role."""
        first = self._random_link(next(self._starts), fit)
        if first is None:
            return None
        role = self._web.graph.entities[first.key].role
        alike = [link for link in self._web.alike(first) if self._web.graph.entities[link.key].role == role]
        if alike and self._random.random() < 0.5:
            return first, self._random.choice(alike)
        for _ in range(40):
            other = next(self._starts)
            if other != first.key and self._web.graph.entities[other].role == role:
                second = self._random_link(other, lambda link: link.step == first.step)
                if second is not None:
                    return first, second
        return None

    def _random_link(self, key: int, fit: Callable[[Link], bool]) -> Link | None:
        fitting = [link for link in self._web.links(key) if not link.step.inverse and fit(link)]
        return self._random.choice(fitting) if fitting else None

    def _comparison(self, kind: str, hops: int) -> Posed | None:
        same = self._random.random() < 0.6
        table: dict[str, object] = {**SAME} if same else {**ATTRIBUTES}
        pair = self._pair(lambda link: link.step.relation in table)
        if pair is None or any(not self._silent(link) for link in pair):
            return None
        relation, names = pair[0].step.relation, (self._name(pair[0].key), self._name(pair[1].key))
        role = self._web.graph.entities[pair[0].key].role
        compare = "same" if same else self._random.choice(("least", "most"))
        if not same and pair[0].fact.number == pair[1].fact.number:
            return None
        wordings = SAME[relation] if same else getattr(ATTRIBUTES[relation], compare)
        plan = Plan(kind, ((pair[0],), (pair[1],)), compare)
        return self._verdict(plan, compared(wordings, role, "", names, self._random))

    def _silent(self, link: Link) -> bool:
        """Whether the title keeps the compared fact to itself, unlike "… (1962 film)" its year."""
        return link.fact.literal == "" or link.fact.literal not in self._web.graph.entities[link.key].title

    def _bridge_comparison(self, kind: str, hops: int) -> Posed | None:
        first_links = {first for first, _ in REMOVES}
        pair = self._pair(lambda link: link.step.relation in first_links)
        if pair is None:
            return None
        seconds = self._second_links(pair)
        if not seconds:
            return None
        one, two = self._random.choice(seconds)
        chains = ((pair[0], one), (pair[1], two))
        names = (self._name(pair[0].key), self._name(pair[1].key))
        relations = (pair[0].step.relation, one.step.relation)
        if relations in REMOVES:
            compare = self._random.choice(("least", "most"))
            wordings = getattr(REMOVES[relations], compare)
            text = compared(
                wordings, self._web.graph.entities[pair[0].key].role, relations[0], names, self._random
            )
        else:
            compare = "same"
            nouns = [phrase(name, [link.step], [self._spouse(link)], self._random, noun=True)
                     for name, link in zip(names, pair, strict=True)]  # fmt: skip
            if None in nouns:
                return None
            text = compared(SAME[relations[1]], "", "", (str(nouns[0]), str(nouns[1])), self._random)
        return self._verdict(Plan(kind, chains, compare), text)

    def _second_links(self, pair: tuple[Link, Link]) -> list[tuple[Link, Link]]:
        """Return the links on which both chains can go on and meet in a comparison."""
        ends = [self._web.next(link) for link in pair]
        if any(end is None or not self._web.clear(end) for end in ends) or ends[0] == ends[1]:
            return []
        titled = all(end is not None and end.title in self._web.articles[link.key][1]
                     for end, link in zip(ends, pair, strict=True))  # fmt: skip
        if not titled:
            return []
        one, two = (self._web.links(end.key) for end in ends if end is not None)
        relation = pair[0].step.relation
        return [
            (a, b)
            for a in one
            for b in two
            if a.step == b.step and not a.step.inverse and _comparable(relation, a, b)
        ]

    def _verdict(self, plan: Plan, text: str) -> Posed | None:
        found = plan.answers(self._web.graph)
        if len(found) != 1:
            return None
        answer = found.pop()
        if isinstance(answer, str):
            return Posed(plan, text, (answer,))
        return Posed(plan, text, _names(self._web.graph.entities[answer]))


def _comparable(first: str, a: Link, b: Link) -> bool:
    """Whether two links of one relation, each reached by `first`, can be compared."""
    relation = a.step.relation
    return relation in SAME or ((first, relation) in REMOVES and a.fact.number != b.fact.number)


def _kind(chain: tuple[Link, ...]) -> str:
    """Say how a chain is read: along its relations, or against one, through something only described."""
    return "bridge" if any(link.step.inverse for link in chain) else "compositional"


def _names(entity: Entity) -> tuple[str, ...]:
    """Return what an entity is called, its name first."""
    return tuple(dict.fromkeys((entity.name, entity.title, *entity.aliases)))


def _readings(literal: str) -> tuple[str, ...]:
    """Return a literal and the other ways in which it is written."""
    words = literal.split()
    readings = [literal]
    if len(words) == 3 and words[2].isdigit():
        readings.append(f"{words[1]} {words[0]}, {words[2]}")
    if "," in literal:
        readings.append(literal.replace(",", ""))
    if literal.endswith(" kilometres"):
        readings.append(literal.replace("square kilometres", "km²").replace("kilometres", "km"))
    return tuple(readings)


def _apportioned(count: int) -> dict[tuple[str, int], int]:
    """Divide questions among kinds by their shares: whole parts first, then the largest remainders."""
    whole = sum(MIX.values())
    exact = {key: count * share / whole for key, share in MIX.items()}
    parts = {key: int(value) for key, value in exact.items()}
    by_remainder = sorted(exact, key=lambda key: parts[key] - exact[key])
    for key in by_remainder[: count - sum(parts.values())]:
        parts[key] += 1
    return parts
