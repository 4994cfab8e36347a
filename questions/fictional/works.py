"""Casts institutions, prizes and works, and binds them to people and places."""

from __future__ import annotations

from collections.abc import Callable

from .casting import Cast, Draft
from .names import TONGUES

__all__ = ["cast_institutions", "cast_works"]

_THINGS = """Lantern Kestrel Millstone Compass Foxglove Juniper Tollgate Quince Marigold Weathercock
    Anvil Sextant""".split()
_COLOURS = "Red White Golden Silver Black Amber".split()
_ENDINGS: dict[str, list[str]] = {
    role: endings.split()
    for role, endings in {
        "university": "College Polytechnic Academy",
        "football club": "Rovers Athletic Wanderers Harriers",
        "record label": "Records Recordings Sound",
        "film company": "Pictures Film Studios",
        "newspaper": "Courier Ledger Observer Mercury Gazette Sentinel Herald",
        "museum": "Museum Gallery Collection",
        "festival": "Festival Biennial Week",
    }.items()
}
_TOKENS = "Sickle Quill Acorn Kingfisher Plough Thimble Rudder Sheaf".split()
_GROUNDS = (
    "Ropewalk Meadow", "Tannery Lane", "the Old Brickfield", "Saint Osk's Park", "Canal Street",
    "the Hay Market",
)  # fmt: skip
# Home relation, and from when such institutions were founded.
_SEATS: dict[str, tuple[str, int, int]] = {
    "university": ("located_in", 1640, 1932),
    "football club": ("located_in", 1868, 1938),
    "record label": ("located_in", 1919, 1989),
    "film company": ("located_in", 1907, 1978),
    "newspaper": ("located_in", 1790, 1955),
    "museum": ("located_in", 1802, 1975),
    "festival": ("located_in", 1880, 1984),
}


def _named(cast: Cast, role: str, tongue: int, founder: Draft | None) -> tuple[str, bool, tuple[str, ...]]:
    """Return a new institution's name, whether it takes "the", and its other names."""
    pick = cast.random.choice
    river = cast.pick("river", tongue=tongue)
    water = river.aliases[0] if river else pick(_THINGS)
    sponsor = founder.name.split()[-1] if founder and cast.chance(0.4) else ""
    thing = sponsor or pick([water, pick(_THINGS), cast.names.surname(cast.tongue(tongue))])
    if role == "university" and cast.chance(0.5):
        region = pick([water, pick(cast.all("province")).name])
        return f"University of {region}", True, (f"{region} University",)
    return f"{thing} {pick(_ENDINGS[role])}", role in ("newspaper", "museum", "festival"), ()


def cast_institutions(cast: Cast) -> None:
    """Add institutions and prizes; cast the people first."""
    taken: set[str] = set()
    for role, (relation, low, high) in _SEATS.items():
        for place in range(cast.quota[role]):
            tongue = place % len(TONGUES)
            draft = cast.add("institution", role, "", tongue)
            year = cast.measure(draft, "founded_year", low, high)
            draft.since = year
            founder = cast.pick("person", tongue=tongue, fit=_founding(year)) if cast.chance(0.6) else None
            draft.name, draft.definite, draft.aliases = _named(cast, role, tongue, founder)
            while draft.name in taken:
                draft.name, draft.definite, draft.aliases = _named(cast, role, tongue, founder)
            taken.add(draft.name)
            cast.relate(draft, "founder", founder)
            cast.relate(draft, relation, cast.pick("town", tongue=tongue))
            _staff(cast, draft)
    for place in range(cast.quota["prize"]):
        _prize(cast, place % len(TONGUES), taken)


def _founding(year: int) -> Callable[[Draft], bool]:
    return lambda person: person.since + 24 < year < min(person.until, person.since + 66)


def _staff(cast: Cast, draft: Draft) -> None:
    def worked(person: Draft) -> bool:
        return person.since + 26 < draft.since + 12 < min(person.until, person.since + 62)

    if draft.role == "newspaper":
        cast.relate(draft, "editor", cast.pick("novelist", "politician", tongue=draft.tongue, fit=worked))
    if draft.role in ("museum", "university"):
        cast.relate(draft, "architect", cast.pick("architect", tongue=draft.tongue, fit=worked))
    if draft.role == "football club":
        cast.text(draft, "stadium", cast.random.choice(_GROUNDS))


def _prize(cast: Cast, tongue: int, taken: set[str]) -> None:
    prize = cast.add("prize", "prize", "", tongue, definite=True)
    prize.since = cast.measure(prize, "founded_year", 1840, 1985)
    honoured = cast.pick("person", tongue=tongue, fit=lambda p: p.until < prize.since)
    while not prize.name or prize.name in taken:
        named = honoured is not None and cast.chance(0.7)
        first = honoured.name.split()[-1] if honoured and named else cast.random.choice(_COLOURS)
        last = cast.random.choice(["Prize", "Medal"] if named else _TOKENS)
        prize.name = f"{first} {last}"
    taken.add(prize.name)
    if honoured is not None and prize.name.startswith(honoured.name.split()[-1]):
        cast.relate(prize, "named_after", honoured)
    cast.relate(prize, "given_by", cast.pick("university", "newspaper", "museum", tongue=tongue,
                fit=lambda giver: giver.since <= prize.since))  # fmt: skip


_MAKERS = {
    "novel": ("author", "novelist"), "opera": ("composer", "composer"), "film": ("director", "film director"),
    "album": ("singer", "singer"), "painting": ("painter", "painter"),
}  # fmt: skip


def cast_works(cast: Cast) -> None:
    """Add all works, some of them under a title that is taken already."""
    for kind, (relation, role) in _MAKERS.items():
        for _ in range(cast.quota[kind]):
            maker = cast.random.choice(cast.all(role))
            _work(cast, kind, relation, maker)


def _work(cast: Cast, kind: str, relation: str, maker: Draft) -> None:
    last = min(maker.until, maker.since + 68, 2019)
    year = cast.random.randint(maker.since + 24, max(last - 1, maker.since + 25))
    town = cast.pick("town", tongue=maker.tongue)
    work = cast.add("work", kind, "", maker.tongue, since=year)
    older = [w for w in cast.all("work") if w.since < year - 3 and w is not work and w.name]
    source = cast.random.choice(older) if older and cast.chance(0.14) else None
    work.name = (
        source.name if source else cast.names.work(kind, cast.tongue(maker.tongue), town.name if town else "")
    )
    if source:
        _tell_apart(cast, work, source)
    cast.number(work, "year", year)
    cast.relate(work, relation, maker)
    _BINDINGS[kind](cast, work)


def _tell_apart(cast: Cast, work: Draft, source: Draft) -> None:
    """Title a namesake as encyclopedias do, or, now and then, not at all."""
    if work.role == source.role:
        work.title = f"{work.name} ({work.since} {work.role})"
        source.title = f"{source.name} ({source.since} {source.role})"
    elif cast.chance(0.6):
        work.title = f"{work.name} ({work.role})"


def _during(work: Draft, after: int = 22) -> Callable[[Draft], bool]:
    return lambda person: person.since + after < work.since < min(person.until, person.since + 70)


def _film(cast: Cast, film: Draft) -> None:
    t = film.tongue
    cast.relate(film, "company", cast.pick("film company", tongue=t, fit=lambda c: c.since <= film.since))
    if cast.chance(0.6):
        cast.relate(film, "score_by", cast.pick("composer", tongue=t, fit=_during(film)))
    if cast.chance(0.4):
        cast.relate(film, "based_on", cast.pick("novel", fit=lambda n: n.since < film.since))
    if cast.chance(0.5):
        cast.relate(film, "filmed_in", cast.pick("town", "island", tongue=t))
    if cast.chance(0.7):
        cast.relate(film, "star", cast.pick("actor", tongue=t, fit=_during(film, 14)))


def _novel(cast: Cast, novel: Draft) -> None:
    cast.relate(novel, "set_in", cast.pick("town", "island", tongue=novel.tongue))
    if cast.chance(0.5):
        cast.relate(novel, "dedicated_to", cast.pick("person", tongue=novel.tongue, fit=_during(novel)))


def _opera(cast: Cast, opera: Draft) -> None:
    cast.relate(opera, "premiered_in", cast.pick("town", tongue=opera.tongue))
    if cast.chance(0.6):
        cast.relate(opera, "adapted_from", cast.pick("novel", fit=lambda n: n.since < opera.since))


def _album(cast: Cast, album: Draft) -> None:
    cast.relate(
        album, "label", cast.pick("record label", tongue=album.tongue, fit=lambda c: c.since <= album.since)
    )
    if cast.chance(0.7):
        cast.relate(album, "recorded_in", cast.pick("town", "island", tongue=album.tongue))


def _painting(cast: Cast, painting: Draft) -> None:
    cast.relate(painting, "held_by", cast.pick("museum", tongue=painting.tongue))
    cast.relate(painting, "depicts", cast.pick("river", "island", "town", tongue=painting.tongue))


_BINDINGS = {"film": _film, "novel": _novel, "opera": _opera, "album": _album, "painting": _painting}
