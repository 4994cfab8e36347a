"""Casts the people: couples, children and namesakes first, then their schooling and their careers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from .casting import Cast, Draft
from .names import TONGUES

__all__ = ["cast_careers", "cast_people"]

_SCIENTISTS = ("botanist", "astronomer", "chemist")
_PROFESSIONS = (
    "film director", "novelist", "composer", "painter", "singer", "actor", "politician", "footballer",
    "cyclist", "architect", *_SCIENTISTS,
)  # fmt: skip
_SCHOOLED = (*_SCIENTISTS, "composer", "painter", "architect")
_EARLIEST = {"film director": 1880, "actor": 1885, "singer": 1895, "footballer": 1880, "cyclist": 1885}
_INSTRUMENTS = ("viola", "bassoon", "hurdy-gurdy", "accordion", "church organ", "cello", "dulcimer", "clarinet")
_LAST_BIRTH = 1986


def cast_people(cast: Cast) -> None:
    """Add all people with their families; cast the places first."""
    for role in _PROFESSIONS:
        for _ in range(cast.quota[role]):
            _person(cast, role)
    people = sorted(cast.all("person"), key=lambda person: (person.since, person.key))
    _marry(cast, people)
    _give_parents(cast, people)
    _name(cast, people)
    for person in people:
        _life(cast, person)


def _person(cast: Cast, role: str) -> None:
    born = cast.random.randint(_EARLIEST.get(role, 1798), _LAST_BIRTH)
    died = born + cast.random.randint(44, 93)
    tongue = cast.random.randrange(len(TONGUES))
    cast.add(
        "person", role, "", tongue,
        since=born, until=died if died < 2021 else 9999, gender=cast.random.choice("fm"),
        demonym=cast.all("country")[tongue].demonym,
    )  # fmt: skip


def _marry(cast: Cast, people: list[Draft]) -> None:
    single = {person.key for person in people}
    for person in people:
        if person.key not in single or not cast.chance(0.7):
            continue
        suited = [
            other for other in people
            if other.key in single and other.gender != person.gender
            and abs(other.since - person.since) <= 12 and other.tongue == person.tongue
        ]  # fmt: skip
        if suited:
            spouse = cast.random.choice(suited)
            cast.relate(person, "spouse", spouse)
            single -= {person.key, spouse.key}


def _give_parents(cast: Cast, people: list[Draft]) -> None:
    by_key = {person.key: person for person in people}
    couples = [(by_key[f.subject], by_key[f.object]) for f in cast.facts if f.relation == "spouse"]
    family: dict[int, set[int]] = {person.key: {person.key} for person in people}
    for person in people:
        fitting = [
            couple for couple in couples
            if all(
                19 <= person.since - p.since <= 43 and person.since < p.until and p.tongue == person.tongue
                for p in couple
            )
        ]  # fmt: skip
        if not fitting or not cast.chance(0.75):
            continue
        couple = cast.random.choice(fitting)
        # Nobody may marry a sibling or a parent: such a link is left out.
        spouse = {k for f in cast.facts if f.relation == "spouse" and person.key in (f.subject, f.object)
                  for k in (f.subject, f.object)} - {person.key}  # fmt: skip
        kin = family[couple[0].key] | family[couple[1].key]
        if spouse & kin:
            continue
        for parent in couple:
            cast.relate(person, "mother" if parent.gender == "f" else "father", parent)
        merged = kin | family[person.key]
        for key in merged:
            family[key] = merged


def _name(cast: Cast, people: list[Draft]) -> None:
    fathers = {f.subject: f.object for f in cast.facts if f.relation == "father"}
    by_key = {person.key: person for person in people}
    surnames: list[list[str]] = [[] for _ in TONGUES]
    taken: dict[str, Draft] = {}
    for person in people:
        tongue = cast.tongue(person.tongue)
        if person.key in fathers:
            surname = by_key[fathers[person.key]].name.split()[-1]
        elif surnames[person.tongue] and cast.chance(0.25):
            surname = cast.random.choice(surnames[person.tongue])
        else:
            surname = cast.names.surname(tongue)
            surnames[person.tongue].append(surname)
        namesakes = [
            other for other in taken.values()
            if other.gender == person.gender and other.role != person.role and other.tongue == person.tongue
        ]  # fmt: skip
        if namesakes and person.key not in fathers and cast.chance(0.06):
            _share_name(cast, person, cast.random.choice(namesakes))
            continue
        name = f"{cast.names.given(tongue, person.gender)} {surname}"
        while name in taken:
            name = f"{cast.names.given(tongue, person.gender)} {surname}"
        person.name = name
        taken[name] = person


def _share_name(cast: Cast, person: Draft, other: Draft) -> None:
    """Give a person another's name; half of such pairs are told apart by their titles."""
    person.name = other.name
    if cast.chance(0.5):
        person.title = f"{person.name} ({person.role})"
        if cast.chance(0.5):
            other.title = f"{other.name} ({other.role})"


def _life(cast: Cast, person: Draft) -> None:
    cast.date(person, "birth_date", person.since)
    if person.until < 9999:
        cast.date(person, "death_date", person.until)
        if cast.chance(0.45):
            cast.relate(person, "died_in", cast.pick("town", tongue=person.tongue))
    if cast.chance(0.85):
        cast.relate(person, "born_in", cast.pick("town", tongue=person.tongue))


def cast_careers(cast: Cast) -> None:
    """Bind people to institutions and to one another; cast the institutions first."""
    for person in cast.all("person"):
        if person.role not in ("footballer", "cyclist") and cast.chance(0.6):
            cast.relate(
                person, "studied_at", cast.pick("university", tongue=person.tongue, fit=_open_to(person))
            )
        if person.role in _SCHOOLED and cast.chance(0.6):
            cast.relate(person, "teacher", cast.pick(person.role, tongue=person.tongue, fit=_elder_of(person)))
        if cast.chance(0.4):
            cast.relate(person, "won", cast.pick("prize", tongue=person.tongue, fit=_winnable_by(person)))
        _career(cast, person)
    _successions(cast)


def _open_to(student: Draft) -> Callable[[Draft], bool]:
    return lambda place: place.since < student.since + 18


def _elder_of(pupil: Draft) -> Callable[[Draft], bool]:
    return lambda other: 12 <= pupil.since - other.since <= 45 and other.until > pupil.since + 20


def _winnable_by(person: Draft) -> Callable[[Draft], bool]:
    return lambda prize: prize.since < min(person.until, person.since + 60)


def _career(cast: Cast, person: Draft) -> None:
    def alive(place: Draft) -> bool:
        return place.since < min(person.until, person.since + 55)

    by_role: dict[str, tuple[str, str, float]] = {
        "footballer": ("plays_for", "football club", 1.0),
        "singer": ("signed_to", "record label", 0.6),
        "novelist": ("wrote_for", "newspaper", 0.5),
        **dict.fromkeys(_SCIENTISTS, ("taught_at", "university", 0.7)),
        "painter": ("taught_at", "university", 0.3),
    }
    if person.role in by_role:
        relation, role, probability = by_role[person.role]
        if cast.chance(probability):
            cast.relate(person, relation, cast.pick(role, tongue=person.tongue, fit=alive))
    if person.role in ("singer", "composer") and cast.chance(0.6):
        cast.text(person, "instrument", cast.random.choice(_INSTRUMENTS))


def _successions(cast: Cast) -> None:
    politicians = sorted(cast.all("politician"), key=lambda person: person.since)
    towns = cast.random.sample(cast.all("town"), min(len(politicians), len(cast.all("town"))))
    for politician, town in zip(politicians, towns, strict=False):
        if cast.chance(0.7):
            cast.relate(politician, "mayor_of", town)
    for earlier, later in pairwise(politicians):
        if 3 <= later.since - earlier.since <= 30 and cast.chance(0.8):
            cast.relate(later, "succeeded", earlier)
