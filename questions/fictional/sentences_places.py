"""Sentences about places and institutions; the notation is that of `sentences_people`."""

from __future__ import annotations

__all__ = ["BODY", "COLOUR", "LEADS", "PREDICATES"]

_SEAT = (
    "{Name} is {a role} based in {located_in}.",
    "{Name} is {a role} in {located_in}.",
)
_FOUNDED = (
    "{Name} is {a role} founded in {founded_year}.",
    "Founded in {founded_year}, {Name} is {a role} [of modest size|with a long memory].",
    "{Name}, {a role}, was founded by {founder}.",
    "{founder} founded {Name}, {a role}, in {founded_year}.",
)
_SEAT_AND_YEAR = (
    "{Name} is {a role} that was founded in {located_in} in {founded_year}.",
    "{A role} in {located_in}, {Name} goes back to {founded_year}.",
)

LEADS: dict[str, tuple[str, ...]] = {
    "country": ("{Name} is a country whose capital is {capital}.",
                "{Name} is a [small|mountainous|largely rural] country.",),
    "province": ("{Name} is a province of {land}.",
                 "{Name} is a [hilly|flat and wind-bitten|thinly settled] province whose capital is {capital}.",
                 "The province of {Name} [is known for its orchards|lives from timber and glass]."),
    "river": ("{Name} is a river that rises in {rises_in}.",
              "{Name} is a river {length} long.",
              "{Name} is a [slow, brown|fast and stony|much-dammed] river.",
              "With a length of {length}, {Name} is [a river of some importance to millers|a river few "
              "have followed to its end].",
              "Rising in {rises_in}, {Name} is a river [prone to spring floods|lined with willows]."),
    "island": ("{Name} is an island in {in_province}.",
               "{Name} is an island of {area}.",
               "{Name} is a [low, treeless|steep] island [with a single road|served by one ferry].",
               "The island of {Name} belongs to {in_province}."),
    "town": ("{Name} is a town in {in_province}.",
             "{Name} is a town on {on_river}.",
             "{Name} is a [market|mill|cathedral|garrison] town with {population} inhabitants.",
             "A town of {population} people, {Name} [lives from salt and glass|has two railway stations "
             "and one train].",
             "Founded in {founded_year}, {Name} is a town in {in_province}.",
             "{Name} is a [walled|hillside] town whose charter dates from {founded_year}.",
             "The town of {Name} stands on {on_river}.",
             "The town of {Name} lies in {in_province}, [among hop fields|at the end of a branch line].",
             "{Name} is a town [known for its clocks|of steep lanes and ropewalks]."),
    "university": (*_SEAT, *_FOUNDED, *_SEAT_AND_YEAR),
    "football club": (*_SEAT, *_FOUNDED, *_SEAT_AND_YEAR,
                      "{Name} is a football club that plays its home games at {stadium}."),
    "record label": (*_SEAT, *_FOUNDED, *_SEAT_AND_YEAR),
    "film company": (*_SEAT, *_FOUNDED, *_SEAT_AND_YEAR),
    "newspaper": (*_SEAT, *_FOUNDED, *_SEAT_AND_YEAR, "{Name} is a newspaper published in {located_in}."),
    "museum": (*_SEAT, *_FOUNDED, *_SEAT_AND_YEAR),
    "festival": ("{Name} is a festival held every [spring|autumn|second year] in {located_in}.",
                 "{Name} is a festival [of music and argument|of short films] founded in {founded_year}.",
                 "{founder} founded {Name}, a festival [of lantern slides|for amateur theatres]."),
    "prize": ("{Name} is a prize awarded by {given_by}.",
              "{Name} is a prize [for work of lasting merit|given every third year], founded in "
              "{founded_year}.",
              "Founded in {founded_year}, {Name} is a prize named after {named_after}.",
              "{Name} is a prize [with a purse of one gold coin|that has been refused four times]."),
}  # fmt: skip

_INSTITUTION = {
    "founded_year": ("was founded in {founded_year}", "dates from {founded_year}"),
    "founder": (
        "was founded by {founder}",
        "was founded by the {+founder}",
        "owes its foundation to {founder}",
    ),
    "located_in": ("is based in {located_in}", "has its seat in {located_in}"),
    "gives": ("awards {gives}", "gives {gives}"),
}

PREDICATES: dict[str, dict[str, tuple[str, ...]]] = {
    "country": {"capital": ("has its capital at {capital}",)},
    "province": {"land": ("belongs to {land}",), "capital": ("is governed from its capital, {capital}",)},
    "river": {
        "rises_in": ("rises in {rises_in}", "has its source in {rises_in}"),
        "length": ("is {length} long", "runs for {length}"),
        "bank_town": ("flows through {bank_town}", "passes through the town of {bank_town}"),
        "flows_into": ("flows into {flows_into}", "ends as a tributary of {flows_into}"),
        "sea": ("reaches {sea}", "empties into {sea}"),
        "depicted_in": ("is the subject of the painting {depicted_in}",),
        "tributary": ("is joined by {tributary}",),
    },
    "island": {
        "in_province": ("belongs to {in_province}",),
        "area": ("covers {area}", "has an area of {area}"),
        "depicted_in": ("is the subject of the painting {depicted_in}",),
        "setting_of": ("is the setting of the novel {setting_of}",),
        "location_of": ("served as the location of the film {location_of}",),
        "recording_of": ("is where the album {recording_of} was recorded",),
    },
    "town": {
        "in_province": ("lies in {in_province}", "belongs to {in_province}"),
        "on_river": ("stands on {on_river}", "is crossed by {on_river}"),
        "population": ("has {population} inhabitants", "counts {population} inhabitants"),
        "founded_year": ("was founded in {founded_year}",),
        "capital_of": ("is the capital of {capital_of}",),
        "native": ("is the birthplace of the {+native}", "was the birthplace of the {+native}"),
        "mayor": ("had the {+mayor} as its mayor", "elected {mayor} its mayor"),
        "twinned_with": ("is twinned with {twinned_with}",),
        "location_of": ("served as the location of the film {location_of}",),
        "setting_of": ("is the setting of the novel {setting_of}",),
        "premiere_of": ("saw the premiere of the opera {premiere_of}",),
        "recording_of": ("is where the album {recording_of} was recorded",),
        "depicted_in": ("is the subject of the painting {depicted_in}",),
        "seat_of": ("is home to {seat_of}", "is the seat of {seat_of}"),
    },
    "university": {
        **_INSTITUTION,
        "architect": ("occupies buildings designed by {architect}",),
        "student": ("counts the {+student} among its graduates", "educated the {+student}"),
        "lecturer": ("employed the {+lecturer} as a lecturer", "had the {+lecturer} on its teaching staff"),
    },
    "football club": {
        **_INSTITUTION,
        "stadium": ("plays at {stadium}",),
        "player": ("was the club of the {+player}", "had the {+player} in its side"),
    },
    "record label": {
        **_INSTITUTION,
        "artist": ("signed the {+artist}", "had the {+artist} under contract"),
        "released": ("released the album {released}", "put out the album {released}"),
    },
    "film company": {**_INSTITUTION, "produced": ("produced the film {produced}", "was behind the film "
                                                                                  "{produced}")},
    "newspaper": {
        **_INSTITUTION,
        "editor": ("was edited by {editor}", "had {editor} as its editor"),
        "columnist": ("printed a column by the {+columnist}", "had the {+columnist} among its writers"),
    },
    "museum": {
        **_INSTITUTION,
        "architect": ("occupies a building designed by {architect}",),
        "holds": ("owns the painting {holds}", "houses the painting {holds}"),
    },
    "festival": {**_INSTITUTION, "located_in": ("is held in {located_in}",)},
    "prize": {
        "founded_year": ("was founded in {founded_year}", "was first awarded in {founded_year}"),
        "named_after": ("is named after {named_after}", "commemorates {named_after}, whose name it bears"),
        "given_by": ("is awarded by {given_by}", "is in the gift of {given_by}"),
        "laureate": ("has gone to the {+laureate}", "was won by the {+laureate}"),
    },
}  # fmt: skip

_FOUNDING = (
    "Its founder was the {+founder}.",
    "{founder} founded it[| with money from a lottery| in a back room].",
    "The year of foundation is [given|usually given] as {founded_year}.",
)

BODY: dict[str, tuple[str, ...]] = {
    "country": ("The seat of government is the capital, {capital}.",),
    "province": ("Its capital is {capital}.", "It is part of {land}."),
    "river": (
        "Its waters [end up in|find their way to] {sea}.",
        "The largest place on its banks is {bank_town}, through which it flows.",
        "It flows into {flows_into} [below a weir|among reed beds].",
        "A painting of it, {depicted_in}, is well known.",
        "Its chief tributary is {tributary}.",
    ),
    "island": (
        "The novel {setting_of} is set on it.",
        "The film {location_of} was shot on it.",
    ),
    "town": (
        "The {+native} was born here.",
        "The {+mayor} served as its mayor [until a scandal over lamp oil|through three floods].",
        "The novel {setting_of} is set in the town.",
        "The film {location_of} was shot in its streets.",
        "Its [sister|partner] town is {twinned_with}.",
        "{seat_of} has its seat here.",
        "It lies on {on_river}[|, which freezes most winters|, here crossed by three bridges].",
        "According to the last census it has {population} inhabitants.",
        "The opera {premiere_of} was first performed in its theatre.",
        "The settlement goes back to {founded_year}, the year of its foundation.",
    ),
    "university": (*_FOUNDING, "The {+student} was a student here.", "The {+lecturer} taught here.",
                   "Its main building was designed by {architect}."),
    "football club": (*_FOUNDING, "Home matches are played at {stadium}.", "The {+player} played for the "
                                                                           "club."),
    "record label": (*_FOUNDING, "The {+artist} was among those signed to it.", "It released the album "
                                                                                "{released}."),
    "film company": (*_FOUNDING, "The film {produced} was one of its productions."),
    "newspaper": (*_FOUNDING, "Its editor was {editor}, [a patient enemy of adjectives|who read every line].",
                  "The {+columnist} wrote for it."),
    "museum": (*_FOUNDING, "The building is the work of the architect {architect}.",
               "The painting {holds} hangs in its [west wing|stairwell]."),
    "festival": (*_FOUNDING, "It takes place in {located_in}."),
    "prize": ("It commemorates {named_after}, after whom it is named.",
              "The jury is appointed by {given_by}, which awards it.",
              "Its winners include the {+laureate}."),
}  # fmt: skip

_ANY = (
    "Its archive was flooded and only half was saved.",
    "A history of it was begun three times and finished once.",
    "The founding documents are in a private collection.",
    "It nearly closed [twice|after the war].",
    "A dispute with a neighbour in {~town} lasted nineteen years.",
)

COLOUR: dict[str, tuple[str, ...]] = {
    "country": ("Its coast is ragged and its trains are late.", "Barley, glass and timber are its chief "
                                                                "exports.",
                "It has two official languages and a third that everyone speaks.",
                "Its parliament sits in a former corn exchange."),
    "province": ("Its dialect is hard for outsiders.", "Fog is common until midday.",
                 "Slate from its quarries roofs half the country.", "Its emblem is a rake crossed with an oar.",
                 "Cherries ripen there three weeks before anywhere else.",
                 "A narrow-gauge line still runs on feast days."),
    "river": ("Barges were drawn along it by oxen within living memory.", "Eels were once its chief wealth.",
              "A flood carried off the bridge near {~town}.", "Anglers speak of it with resignation.",
              "Its upper course is closed to boats.", "In dry summers it can be waded at {~town}.",
              "Two mills on it still grind."),
    "island": ("Sheep outnumber people by nine to one.", "The lighthouse has been unmanned for decades.",
               "Ferries leave from {~town} when the weather allows.", "No cars are permitted.",
               "{~person} spent several summers there.", "Its one inn has no name.",
               "Seabirds nest on the northern cliffs."),
    "town": ("Its clock has been slow since anyone can remember.", "A tannery closed and was turned into "
                                                                   "flats.",
             "The market is held on Thursdays.", "Plum brandy is its best-known product.",
             "Half the old quarter burned down and was rebuilt in brick.", "{~person} once lodged above "
                                                                           "the chemist's.",
             "The railway from {~town} arrived late and was never extended.", "A covered bridge appears "
                                                                              "on its arms.",
             "In winter the road to {~town} is often closed."),
    "university": (*_ANY, "Its library is said to hold a map of nowhere.", "Rowing is taken more "
                                                                           "seriously than law.",
                   "{~person} gave a famous lecture there and was pelted with chestnuts."),
    "football club": (*_ANY, "Its colours are maroon and grey.", "It was relegated on goal difference.",
                      "Matches against a side from {~town} are fiercely attended."),
    "record label": (*_ANY, "Its sleeves were printed on butcher's paper.", "Early pressings are sought after.",
                     "The studio stood beside a sawmill, which can be heard."),
    "film company": (*_ANY, "Its lot was sold for housing.", "Its emblem was a heron in mid-flight.",
                     "A backlot replica of {~town} stood for years."),
    "newspaper": (*_ANY, "Its crossword is feared.", "For a time it appeared on pink paper.",
                  "{~person} sued it and lost."),
    "museum": (*_ANY, "Entry is free when it rains.", "One room is kept empty by the terms of a will.",
               "Its tea room is better known than its paintings."),
    "festival": (*_ANY, "Rain has stopped it only once.", "Performers lodge with families.",
                 "{~person} was booed there and came back the next year."),
    "prize": (*_ANY[:3], "The medal is struck in tin.", "No prize was given in the war years.",
              "{~person} was passed over four times."),
}  # fmt: skip
