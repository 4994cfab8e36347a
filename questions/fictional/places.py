"""Casts the map: countries, provinces, rivers, islands and towns."""

from __future__ import annotations

from collections.abc import Callable

from .casting import Cast, Draft
from .names import TONGUES

__all__ = ["cast_places"]

_SEAS = ("the Grey Sea", "the Sea of Masts", "the Gulf of Herons", "the Inner Sound")


def cast_places(cast: Cast) -> None:
    """Add all places, each country's provinces, rivers and towns bound to one another."""
    for number, tongue in enumerate(TONGUES):
        land = cast.add("country", "country", cast.names.place(tongue, "land"), number)
        land.demonym = land.name.removesuffix(tongue.land) + tongue.demonym
    for role, add in (("province", _province), ("river", _river), ("island", _island), ("town", _town)):
        for place in range(cast.quota[role]):
            add(cast, place % len(TONGUES))
    _bind(cast)


def _province(cast: Cast, number: int) -> None:
    province = cast.add("province", "province", cast.names.place(cast.tongue(number), "province"), number)
    cast.relate(province, "land", cast.all("country")[number])


def _river(cast: Cast, number: int) -> None:
    tongue = cast.tongue(number)
    # A river may share its bare name with a town: the source of most confusion on any map.
    bare = cast.names.place(tongue, "river")
    river = cast.add("river", "river", tongue.river.format(bare), number, definite=True)
    river.aliases = (bare,)
    cast.measure(river, "length", 40, 900, "{} kilometres")


def _island(cast: Cast, number: int) -> None:
    island = cast.add("island", "island", cast.names.place(cast.tongue(number), "island"), number)
    cast.relate(island, "in_province", cast.pick("province", tongue=number))
    cast.measure(island, "area", 11, 640, "{} square kilometres")


def _town(cast: Cast, number: int) -> None:
    rivers = [river for river in cast.all("river") if river.tongue == number]
    namesakes = {draft.name for draft in cast.all("town")}
    bare = next((r.aliases[0] for r in rivers if r.aliases[0] not in namesakes and cast.chance(0.12)), "")
    town = cast.add("town", "town", bare or cast.names.place(cast.tongue(number), "town"), number)
    cast.relate(town, "in_province", cast.pick("province", fit=lambda draft: draft.tongue == number))
    if rivers and cast.chance(0.75):
        cast.relate(town, "on_river", cast.random.choice(rivers))
    cast.measure(town, "population", 2100, 98000, "{:,}")
    town.since = cast.measure(town, "founded_year", 905, 1790)


def _bind(cast: Cast) -> None:
    for country in cast.all("country"):
        cast.relate(country, "capital", cast.pick("town", fit=_of_land(country)))
    for province in cast.all("province"):
        inside = {f.subject for f in cast.facts if f.relation == "in_province" and f.object == province.key}
        cast.relate(province, "capital", cast.pick("town", fit=_among(inside)))
    for river in cast.all("river"):
        cast.relate(river, "rises_in", cast.pick("province", fit=_of_land(river)))
        # A river flows only into one that was cast earlier, so that no two flow into each other.
        if cast.chance(0.5):
            cast.relate(river, "flows_into", cast.pick("river", fit=_upstream(river)))
        else:
            cast.text(river, "sea", cast.random.choice(_SEAS))
    towns = cast.all("town")
    for town in cast.random.sample(towns, len(towns) // 3):
        linked = {k for f in cast.facts if f.relation == "twinned_with" for k in (f.subject, f.object)}
        if town.key not in linked:
            cast.relate(town, "twinned_with", cast.pick("town", fit=_abroad(town, linked)))


def _of_land(place: Draft) -> Callable[[Draft], bool]:
    return lambda draft: draft.tongue == place.tongue


def _among(keys: set[int]) -> Callable[[Draft], bool]:
    return lambda draft: draft.key in keys


def _upstream(river: Draft) -> Callable[[Draft], bool]:
    return lambda draft: draft.tongue == river.tongue and draft.key < river.key


def _abroad(town: Draft, linked: set[int]) -> Callable[[Draft], bool]:
    return lambda draft: draft.tongue != town.tongue and draft.key not in linked
