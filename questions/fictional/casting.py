"""The workbench on which a world is put together before it is frozen into a graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from .graph import Entity, Fact
from .names import TONGUES, NameMaker, Tongue

__all__ = ["QUOTAS", "Cast", "Draft"]

# Articles of each role in a world of the default size; other sizes scale it.
QUOTAS: dict[str, int] = {
    "province": 12, "river": 18, "island": 8, "town": 42,
    "university": 14, "football club": 12, "record label": 9, "film company": 9, "newspaper": 10,
    "museum": 9, "prize": 12, "festival": 8,
    "film director": 26, "novelist": 22, "composer": 20, "painter": 18, "singer": 16, "actor": 14,
    "politician": 18, "footballer": 12, "cyclist": 5, "architect": 8,
    "botanist": 6, "astronomer": 6, "chemist": 6,
    "film": 28, "novel": 18, "opera": 9, "album": 16, "painting": 9,
}  # fmt: skip

_MONTHS = """January February March April May June July August September October November December""".split()


@dataclass(slots=True)
class Draft:
    """An entity in the making, with the years that keep its facts plausible."""

    key: int
    kind: str
    role: str
    name: str
    tongue: int
    since: int = 0
    """Year of birth, foundation or publication."""
    until: int = 9999
    """Year of death."""
    gender: str = ""
    definite: bool = False
    title: str = ""
    demonym: str = ""
    aliases: tuple[str, ...] = ()

    def frozen(self) -> Entity:
        """Return the entity."""
        return Entity(
            self.key, self.kind, self.role, self.name, self.title or self.name, self.definite,
            self.gender, self.tongue, self.demonym, self.aliases,
        )  # fmt: skip


class Cast:
    """Drafts and facts, with the one source of chance that made them."""

    def __init__(self, random: Random, articles: int) -> None:
        self.random = random
        self.names = NameMaker(random)
        self.drafts: list[Draft] = []
        self.facts: list[Fact] = []
        self._numbers: dict[str, set[int]] = defaultdict(set)
        self._of: dict[str, list[Draft]] = defaultdict(list)
        size = (articles - len(TONGUES)) / sum(QUOTAS.values())
        self.quota = {role: max(2, round(count * size)) for role, count in QUOTAS.items()}
        # Rounding leaves a few articles over or short: towns make up for them.
        self.quota["town"] += articles - len(TONGUES) - sum(self.quota.values())

    def add(self, kind: str, role: str, name: str, tongue: int, **attributes: int | str | bool) -> Draft:
        """Add an entity."""
        draft = Draft(len(self.drafts), kind, role, name, tongue)
        for attribute, value in attributes.items():
            setattr(draft, attribute, value)
        self.drafts.append(draft)
        self._of[role].append(draft)
        if kind != role:
            self._of[kind].append(draft)
        return draft

    def all(self, *roles: str) -> list[Draft]:
        """Return the drafts of some kinds or roles."""
        return [draft for role in roles for draft in self._of[role]]

    def pick(self, *roles: str, tongue: int | None = None, fit: Callable[[Draft], bool] = bool) -> Draft | None:
        """Return a fitting draft by chance, from the same land if it has one, else None."""
        fitting = [draft for draft in self.all(*roles) if fit(draft)]
        home = [draft for draft in fitting if draft.tongue == tongue]
        if home and self.random.random() < 0.85:
            fitting = home
        return self.random.choice(fitting) if fitting else None

    def chance(self, probability: float) -> bool:
        """Return true with a probability."""
        return self.random.random() < probability

    def tongue(self, place: int) -> Tongue:
        """Return a tongue by its number."""
        return TONGUES[place]

    def relate(self, subject: Draft, relation: str, value: Draft | None) -> None:
        """Record a fact between two entities; nothing is recorded where no entity fitted."""
        if value is not None and value is not subject:
            self.facts.append(Fact(subject.key, relation, object=value.key))

    def date(self, subject: Draft, relation: str, year: int) -> None:
        """Record a full date in a year."""
        month, day = self.random.randrange(12), self.random.randint(1, 28)
        number = year * 10000 + month * 100 + day
        self.facts.append(Fact(subject.key, relation, literal=f"{day} {_MONTHS[month]} {year}", number=number))

    def measure(self, subject: Draft, relation: str, low: int, high: int, form: str = "{}") -> int:
        """Record a number that no other entity shares for this relation."""
        taken = self._numbers[relation]
        number = self.random.randint(low, high)
        while number in taken and len(taken) < high - low:
            number = self.random.randint(low, high)
        taken.add(number)
        self.facts.append(Fact(subject.key, relation, literal=form.format(number), number=number))
        return number

    def number(self, subject: Draft, relation: str, number: int) -> None:
        """Record a number that others may share."""
        self.facts.append(Fact(subject.key, relation, literal=str(number), number=number))

    def text(self, subject: Draft, relation: str, literal: str) -> None:
        """Record a literal."""
        self.facts.append(Fact(subject.key, relation, literal=literal))
