"""Puts comparisons into words: what can be compared, directly or at one remove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

__all__ = ["ATTRIBUTES", "REMOVES", "SAME", "Measure", "compared"]

_OUT = {
    "film": "released",
    "novel": "published",
    "opera": "first performed",
    "album": "released",
    "painting": "finished",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """Wordings of "which has less" and "which has more"; `{a}`, `{b}` are compared, `{role}` is what they "
    "are."""

    least: tuple[str, ...]
    most: tuple[str, ...]


def _measure(least: str, most: str) -> Measure:
    return Measure(*(tuple(part.strip() for part in side.split("|")) for side in (least, most)))


# Compared in the article of the thing itself.
ATTRIBUTES: dict[str, Measure] = {
    "birth_date": _measure(
        "Who was born first, {a} or {b}? | Who is older, {a} or {b}? | Of {a} and {b}, who was born earlier?",
        "Who was born later, {a} or {b}? | Who is younger, {a} or {b}?",
    ),
    "death_date": _measure(
        "Who died first, {a} or {b}? | Whose death came earlier, that of {a} or that of {b}?",
        "Who died later, {a} or {b}?",
    ),
    "year": _measure(
        "Which {role} was {out} first, {a} or {b}? | Which {role} came earlier, {a} or {b}?",
        "Which {role} was {out} later, {a} or {b}? | Which {role} is more recent, {a} or {b}?",
    ),
    "founded_year": _measure(
        "Which {role} was founded first, {a} or {b}? | Which {role} is older, {a} or {b}?",
        "Which {role} was founded later, {a} or {b}? | Which is the younger {role}, {a} or {b}?",
    ),
    "population": _measure(
        "Which town has fewer inhabitants, {a} or {b}? | Which is the smaller town, {a} or {b}?",
        "Which town has more inhabitants, {a} or {b}? | Which is the larger town, {a} or {b}?",
    ),
    "length": _measure("Which river is shorter, {a} or {b}?", "Which river is longer, {a} or {b}?"),
    "area": _measure("Which island is smaller, {a} or {b}?", "Which island covers more ground, {a} or {b}?"),
}

_BORN = (
    "Which {role} has the {maker} who was born first, {a} or {b}? | "
    "Which {role} has the older {maker}, {a} or {b}?",
    "Which {role} has the {maker} who was born later, {a} or {b}? | "
    "Which {role} has the younger {maker}, {a} or {b}?",
)
_DIED = (
    "Which {role} has the {maker} who died first, {a} or {b}?",
    "Which {role} has the {maker} who died later, {a} or {b}? | "
    "Which {role} has the {maker} who died more recently, {a} or {b}?",
)
_TOWN = (
    "Which {role} is based in the smaller town, {a} or {b}? | "
    "Which {role} is based in the town with fewer inhabitants, {a} or {b}?",
    "Which {role} is based in the larger town, {a} or {b}? | "
    "Which {role} is based in the town with more inhabitants, {a} or {b}?",
)
_MAKERS = ("director", "author", "composer", "singer", "painter")

# Compared in the article that a first link leads to: (link, what is compared there).
REMOVES: dict[tuple[str, str], Measure] = {
    **{(maker, "birth_date"): _measure(*_BORN) for maker in _MAKERS},
    **{(maker, "death_date"): _measure(*_DIED) for maker in _MAKERS},
    ("founder", "birth_date"): _measure(
        "Which {role} has the founder who was born first, {a} or {b}?",
        "Which {role} has the founder who was born later, {a} or {b}?",
    ),
    ("named_after", "birth_date"): _measure(
        "Which prize is named after the person born earlier, {a} or {b}?",
        "Which prize is named after the person born later, {a} or {b}?",
    ),
    ("located_in", "population"): _measure(*_TOWN),
    ("born_in", "population"): _measure(
        "Who was born in the smaller town, {a} or {b}?", "Who comes from the larger town, {a} or {b}?"
    ),
    ("spouse", "birth_date"): _measure(
        "Who was married to the older person, {a} or {b}?",
        "Whose spouse was born later, that of {a} or that of {b}?",
    ),
    ("on_river", "length"): _measure(
        "Which town stands on the shorter river, {a} or {b}?",
        "Which town stands on the longer river, {a} or {b}?",
    ),
}

# Whether two have the same value: yes or no.
SAME: dict[str, tuple[str, ...]] = {
    "born_in": ("Were {a} and {b} born in the same town?", "Do {a} and {b} share a birthplace?"),
    "studied_at": (
        "Did {a} and {b} study at the same university?",
        "Are {a} and {b} graduates of one university?",
    ),
    "on_river": ("Do {a} and {b} stand on the same river?", "Are {a} and {b} on the same river?"),
    "in_province": ("Are {a} and {b} in the same province?", "Do {a} and {b} belong to one province?"),
    "located_in": (
        "Are {a} and {b} based in the same town?",
        "Is the seat of {a} in the same town as that of {b}?",
    ),
    "company": ("Were {a} and {b} produced by the same company?",),
    "label": ("Did {a} and {b} come out on the same label?",),
    "plays_for": ("Did {a} and {b} play for the same club?",),
    "land": ("Do {a} and {b} belong to the same country?",),
}


def compared(wordings: Sequence[str], role: str, maker: str, names: tuple[str, str], random: Random) -> str:
    """Return a comparing question, worded by chance."""
    text = random.choice(list(wordings)).format(
        a=names[0], b=names[1], role=role, maker=maker, out=_OUT.get(role, "finished")
    )
    return text[0].upper() + text[1:]
