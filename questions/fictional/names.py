"""Invented names: a syllable model for each tongue, and word lists for the titles of works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

__all__ = ["TONGUES", "NameMaker", "Tongue"]


@dataclass(frozen=True, slots=True)
class Tongue:
    """How the words of one land sound; every field lists alternatives, separated by spaces."""

    onsets: str
    nuclei: str
    codas: str
    """Consonants that may close a syllable; `-` closes nothing."""
    feminine: str
    masculine: str
    surname: str
    town: str
    river: str
    """How a river is titled, with `{}` for its name."""
    province: str
    land: str
    demonym: str
    """What turns the stem of a land into its adjective."""


TONGUES: tuple[Tongue, ...] = (
    Tongue(
        onsets="h st br v t sk l r f g d n m th",
        nuclei="a e o u i ø",
        codas="l r n s - - nd rk",
        feminine="ild una erle ige",
        masculine="orm ulf eskil ander",
        surname="vesk holder rane mund sker",
        town="varn helt moss strand",
        river="River {}",
        province="lund mark",
        land="gard",
        demonym="gardic",
    ),
    Tongue(
        onsets="c l m p s v b t tr gr r f d n",
        nuclei="a e i o ia e a",
        codas="n r l - - - s",
        feminine="essa iana ola ietta",
        masculine="ando ezio uro astro",
        surname="avone ares onde ardi eschi",
        town="mora venza astre olle",
        river="{} River",
        province="ania esca",
        land="essia",
        demonym="essian",
    ),
    Tongue(
        onsets="d dr k kr m z v st pr b br t j l",
        nuclei="a e i o u",
        codas="v n k sh r - -",
        feminine="inka enya oslava ushka",
        masculine="omir avek islo ilko",
        surname="ovin arek ishko undra enik",
        town="ovec ishte inov arna",
        river="River {}",
        province="ovia ina",
        land="oslav",
        demonym="oslavian",
    ),
    Tongue(
        onsets="p tr g gw c b m r t l n pr",
        nuclei="a e o y ae e",
        codas="nn rth l s dd - -",
        feminine="wenna eris ylith anwy",
        masculine="adoc ewyn orran istan",
        surname="ythen arrow erris oweth ennick",
        town="arth enor issey ombe",
        river="{} Water",
        province="shire wick",
        land="orwen",
        demonym="orwenish",
    ),
)

# Real names that a syllable model may hit by chance, and words that would read as English.
_AVOIDED = frozenset(
    """berlin lisbon madrid milan parma siena verona lucia maria marta diana brando orlando fernando rolando
    ronando vando armando dante petra stella trento torino palermo mantova granada toledo almeria valencia praga
    krakow sofia varna skopje split zadar kiev minsk moscow stalin lenin tito havel cornwall wales conan morgan
    tristan dylan bryn owen gareth hamlet denmark finmark telemark jutland holland gotland tristan marard
    """.split()
)

_ADJECTIVES = """glass hollow amber borrowed drowned patient crooked silent gilded winter salt paper wandering
    copper blind second unlit narrow scarlet restless tin velvet last broken northern barefoot painted sunken
    idle bitter harbour""".split()
_NOUNS = """heron orchard ferryman lantern almanac quarry sparrow causeway verger mirror harvest cartographer
    tide bellringer meadow compass widow lighthouse fiddler garden signal threshold magpie cellar regent
    glazier pilgrim staircase anchor snowfield""".split()
_PLURALS = """lanterns sparrows bridges oranges letters hours wolves candles tenants orchards keys swallows
    ferries chimneys strangers islands""".split()
_COUNTS = "two three four five seven nine eleven twelve forty".split()
_TRADES = "miller baker sexton clockmaker surveyor ropemaker tailor apothecary bookbinder".split()
_VERBS = "kept knew forgot owed carried buried promised".split()

_VOWELS = "aeiouyø"

_PATTERNS: dict[str, tuple[str, ...]] = {
    "film": (
        "The {adjective} {noun}",
        "{count} {plural}",
        "A {noun} for the {trade}",
        "What the {trade} {verb}",
        "{adjective} {plural}",
        "The {trade} of {place}",
    ),
    "novel": (
        "The {trade}'s {noun}",
        "The {adjective} {noun}",
        "A {adjective} {noun}",
        "What the {trade} {verb}",
        "{plural} of {place}",
        "The {noun} and the {noun2}",
    ),
    "opera": ("The {trade} of {place}", "{woman}", "The {adjective} {trade}", "{woman} and the {noun}"),
    "album": (
        "{adjective} {noun}",
        "{count} {plural}",
        "{plural} and {plural2}",
        "{noun} Songs",
        "Under the {noun}",
    ),
    "painting": (
        "The {trade}'s Table",
        "{plural} at Dusk",
        "Woman with {count} {plural}",
        "The {adjective} {noun}",
        "{noun} and {noun2}",
    ),
}


class NameMaker:
    """Makes names that no other entity of this world bears, unless a namesake is wanted."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._taken: set[str] = set()

    def _unused(self, make: Callable[[], str]) -> str:
        while True:
            name = make()
            if name not in self._taken and name.casefold() not in _AVOIDED:
                self._taken.add(name)
                return name

    def _stem(self, tongue: Tongue, count: int) -> str:
        """Return syllables of which only the last may close, so that consonants do not pile up."""
        pick = self._random.choice
        opened = [pick(tongue.onsets.split()) + pick(tongue.nuclei.split())[0] for _ in range(count - 1)]
        last = pick(tongue.onsets.split()) + pick(tongue.nuclei.split()) + pick(tongue.codas.split()).strip("-")
        return "".join([*opened, last])

    def _word(self, tongue: Tongue, endings: str, syllables: tuple[int, ...] = (1, 1, 2)) -> str:
        stem = self._stem(tongue, self._random.choice(syllables))
        ending = self._random.choice(endings.split())
        if ending[0] in _VOWELS:
            bare = stem.rstrip(_VOWELS)
            stem = bare if len(bare) > 1 else bare + "r" if stem[-1] not in _VOWELS else stem + "l"
        else:
            # At the seam one consonant gives way where three would meet or two are the same.
            while stem[-1] not in _VOWELS and (stem[-1] == ending[0] or stem[-2] not in _VOWELS):
                stem = stem[:-1]
        return (stem + ending).capitalize()

    def given(self, tongue: Tongue, gender: str) -> str:
        """Return a given name; given names may repeat."""
        endings = tongue.feminine if gender == "f" else tongue.masculine
        return self._word(tongue, endings, (1,))

    def surname(self, tongue: Tongue) -> str:
        """Return a new family name."""
        return self._unused(lambda: self._word(tongue, tongue.surname, (1, 1, 2)))

    def place(self, tongue: Tongue, kind: str) -> str:
        """Return a new name for a `town`, `river`, `island`, `province` or `land`."""
        endings = {"town": tongue.town, "province": tongue.province, "land": tongue.land}.get(kind)
        if endings is None:
            return self._unused(
                lambda: self._word(tongue, "ava enne ir oss umer el" if kind == "river" else "ay ey or un")
            )
        return self._unused(lambda: self._word(tongue, endings))

    def work(self, kind: str, tongue: Tongue, place: str) -> str:
        """Return a new title of a work, which may speak of a place."""
        return self._unused(lambda: self._title(kind, tongue, place))

    def _title(self, kind: str, tongue: Tongue, place: str) -> str:
        nouns, plurals = self._random.sample(_NOUNS, 2), self._random.sample(_PLURALS, 2)
        words = {
            "adjective": self._random.choice(_ADJECTIVES),
            "noun": nouns[0],
            "noun2": nouns[1],
            "plural": plurals[0],
            "plural2": plurals[1],
            "count": self._random.choice(_COUNTS),
            "trade": self._random.choice(_TRADES),
            "verb": self._random.choice(_VERBS),
            "place": place,
            "woman": self.given(tongue, "f"),
        }
        pattern = self._random.choice(_PATTERNS[kind])
        if pattern.startswith("A {") and words["adjective"][0] in "aeiou":
            pattern = "An" + pattern[1:]
        if pattern.startswith("A {noun}") and words["noun"][0] in "aeiou":
            pattern = "An" + pattern[1:]
        title = pattern.format(**words)
        small = {"and", "of", "for", "the", "at", "with", "a"}
        cased = [word if word in small else word[0].upper() + word[1:] for word in title.split()]
        return " ".join([cased[0][0].upper() + cased[0][1:], *cased[1:]])
