"""Sentences about people.

A template names the facts that it states by their slots: `{spouse}` is the other's name, `{+spouse}` puts
the profession before it, `{~town}` names some town of which nothing is stated. `[a|b]` is a free choice.
"""

from __future__ import annotations

__all__ = ["BODY", "COLOUR", "LEADS", "PREDICATES"]

LEADS: dict[str, tuple[str, ...]] = {
    "person": (
        "{Name} {dates} {was} {a demonym} {role}.",
        "{Name} {dates} {was} {a role} from {born_in}.",
        "{Name} {dates} {was} {a demonym} {role}, born in {born_in}.",
        "{Name} was born in {born_in} on {birth_date} and [made {his} name as|was, for most of {his} "
        "life,|became, to the surprise of {his} family,] {a role}.",
        "The {demonym} {role} {Name} was born on {birth_date}.",
        "Born on {birth_date}, {Name} {was} {a demonym} {role}[| of the quieter sort| with a long and "
        "uneven career].",
        "{Name}, {a demonym} {role}, was born on {birth_date} in {born_in}.",
        "Few {demonym} {roles} [divided opinion as sharply|were so often misquoted|left so few letters] "
        "as {Name} {dates}.",
        "{Name} {dates} {was} {a demonym} {role} who [studied|took a degree] at {studied_at}.",
        "Among the {demonym} {roles} of {his} generation, {Name} {dates} {was} [the least photographed|an "
        "unhurried figure|the one most often imitated].",
        "{Name} {dates} [came late to the work|had two other trades before the one] for which {he} {was} "
        "known: {he} {was} {a role}.",
        "A {role} by [temperament as much as by training|accident, as {he} liked to say], {Name} {dates} "
        "[kept a diary for thirty years|answered every letter by return of post].",
        "{Name} {was} {a demonym} {role} and a native of {born_in}.",
        "The {role} {Name} {dates} is [remembered|still argued over] in {born_in}, where {he} was born.",
    ),
    "film director": (
        "{Name} {dates} {was} {a demonym} film director whose work [runs to fewer than ten pictures|was "
        "cut by the censor more than once|leans on long takes and bad weather].",
    ),
    "novelist": ("{Name} {dates} {was} {a demonym} novelist [and translator|and, briefly, a lighthouse "
                 "inspector].",),
    "composer": ("{Name} {dates} wrote [chamber music, songs and works for the stage|more for the voice "
                 "than for any instrument] and {was} counted among the leading {demonym} composers.",),
    "painter": ("{Name} {dates} painted [interiors, river traffic and the backs of houses|slowly, and on "
                "small panels]; the {demonym} painter [seldom exhibited|signed almost nothing].",),
    "singer": ("{Name} {dates} {was} {a demonym} singer with [a dark, unforced voice|a voice critics "
               "likened to wet gravel].",),
    "actor": ("{Name} {dates} {was} {a demonym} actor of [stage and screen|the touring companies before "
              "the screen found {him}].",),
    "politician": ("{Name} {dates} {was} {a demonym} politician [of the Agrarian party|who sat as an "
                   "independent|and a former schoolteacher].",),
    "footballer": ("{Name} {dates} {was} {a demonym} footballer who played as [a left winger|a "
                   "goalkeeper|a centre half].",),
    "architect": ("{Name} {dates} {was} {a demonym} architect [fond of brick|with a horror of ornament].",),
}  # fmt: skip

PREDICATES: dict[str, dict[str, tuple[str, ...]]] = {
    "person": {
        "birth_date": ("was born on {birth_date}",),
        "born_in": ("was born in {born_in}", "came into the world at {born_in}"),
        "studied_at": (
            "studied at {studied_at}", "took a degree at {studied_at}", "graduated from {studied_at}",
            "was educated at {studied_at}",
        ),
        "teacher": (
            "was a pupil of {teacher}", "trained under {teacher}", "had {teacher} as a teacher",
            "was taught by {teacher}",
        ),
        "spouse": ("married {spouse}", "married the {+spouse}", "was married to {spouse}"),
        "instrument": ("played the {instrument}",),
        "plays_for": (
            "played for {plays_for}", "spent [eleven|nine|seven] seasons with {plays_for}",
            "turned out for {plays_for}",
        ),
        "signed_to": ("was signed to {signed_to}", "was under contract to {signed_to}"),
        "wrote_for": ("wrote for {wrote_for}", "kept a weekly column in {wrote_for}", "contributed to "
                                                                                      "{wrote_for}"),
        "taught_at": ("taught at {taught_at}", "held a chair at {taught_at}", "lectured at {taught_at}"),
        "mayor_of": ("served as mayor of {mayor_of}", "was mayor of {mayor_of} for [six|nine|four] years"),
        "succeeded": ("succeeded {succeeded} as party leader", "took over the party leadership from "
                                                               "{succeeded}"),
        "directed": ("directed {directed}", "made the film {directed}"),
        "scored": ("wrote the music for the film {scored}", "scored the film {scored}"),
        "starred_in": ("took the leading part in {starred_in}", "starred in the film {starred_in}"),
        "wrote": ("wrote the novel {wrote}", "published the novel {wrote}"),
        "composed": ("composed the opera {composed}", "wrote the opera {composed}"),
        "recorded": ("recorded the album {recorded}", "made the album {recorded}"),
        "painted": ("painted {painted}", "made the painting {painted}"),
        "edited": ("edited {edited}", "was for some years the editor of {edited}"),
        "designed": ("designed {designed}", "drew up the plans for {designed}"),
        "founded": ("founded {founded}", "was the founder of {founded}", "set up {founded}"),
        "pupil": ("taught {pupil}", "took on {pupil} as a pupil", "was the teacher of {pupil}"),
        "won": ("won {won}", "was awarded {won}", "received {won}"),
        "successor": ("was succeeded as party leader by {successor}", "handed the party leadership to "
                                                                      "{successor}"),
        "died_in": ("died in {died_in}",),
        "death_date": ("died on {death_date}",),
    },
}  # fmt: skip

BODY: dict[str, tuple[str, ...]] = {
    "person": (
        "{His} birthplace was {born_in}[|, though the family moved on within two years|, then a place of "
        "one street].",
        "A native of {born_in}, {he} [kept its accent all {his} life|spoke of the town with more "
        "affection than accuracy|seldom went back].",
        "{He} was born on {birth_date} in {born_in}[|, the youngest of five|, in a flat above a bakery].",
        "Born on {birth_date}, {he} [was raised largely by an aunt|was a slow and stubborn pupil|showed "
        "little early promise].",
        "{He} died on {death_date}[| after a short illness| and was buried without speeches].",
        "{He} died in {died_in} on {death_date}.",
        "{His} last years were spent in {died_in}, where {he} died.",
        "Death came on {death_date}, [in the middle of a letter|a week before a planned return to work].",
        "After [two false starts|a year of clerking|a spell in the merchant fleet] {he} studied at "
        "{studied_at}.",
        "{He} entered {studied_at} [at sixteen|on a scholarship|against {his} parents' wishes] and took "
        "{his} degree there.",
        "At {studied_at}, where {he} was a student, {he} [shared rooms with {~person}|was known for "
        "sleeping through lectures].",
        "{His} teacher was {teacher}, [whose severity {he} later defended|of whom {he} spoke with caution].",
        "{He} learned {his} craft from {teacher}.",
        "{He} married {spouse}[| in a civil ceremony| after a long engagement]; [the marriage was by all "
        "accounts a happy one|the couple kept separate houses].",
        "{His} {wife}, the {+spouse}, [kept the accounts|rarely appeared in public|read every draft and "
        "receipt].",
        "{His} mother was the {+mother}.",
        "{His} mother, {mother}, [taught {him} to read|disapproved, and said so].",
        "{His} father was the {+father}.",
        "{His} father, {father}, [had hoped for a lawyer|paid for everything and asked for nothing].",
        "{His} father was {father} and {his} mother {mother}.",
        "The {+father} was {his} father[|, a fact {he} disliked to hear mentioned].",
        "{His} mother was {mother}, [whose shadow was a long one|as the papers never failed to add].",
        "{He} was the {parent} of the {+child}.",
        "{His} {offspring}, {child}, became {a child_role}.",
        "{He} married {spouse} [in a village church|at the second attempt|on a Tuesday, as both liked to "
        "recall].",
        "{He} was awarded {won}[|, which {he} kept in a kitchen drawer|, the only honour {he} ever accepted].",
        "[Late recognition came|Recognition came] with {won}, which {he} won at the [second|third] attempt.",
        "{His} playing career was spent at {plays_for}.",
        "{His} recordings of those years were made under contract to {signed_to}.",
        "[For a decade|For some years] {he} [was on the staff of|lectured at] {taught_at}.",
        "{His} journalism, most of it unsigned, was written for {wrote_for}.",
        "{He} was a capable player of the {instrument}.",
        "On stage {he} played the {instrument}, [an instrument {he} had inherited|badly at first].",
        "{His} years as mayor of {mayor_of} [are remembered for the tramway|ended in a dispute over drains].",
        "When {succeeded} stepped down as party leader, {he} succeeded to the post.",
        "{His} successor as party leader was {successor}.",
        "{He} is best known as the director of {directed}.",
        "Of {his} films, {directed} is the one [still shown|that found an audience].",
        "The score of the film {scored} is {his}.",
        "{His} screen reputation rests on the lead in {starred_in}.",
        "{His} novel {wrote} [sold slowly and never stopped selling|was refused by four publishers].",
        "{His} one opera still in the repertoire is {composed}.",
        "{His} album {recorded} was [a modest success|made in nine days].",
        "The picture for which {he} is known is {painted}.",
        "{He} founded {founded} [with borrowed money|over a card game|and ran it until {his} health failed].",
        "{founded} was {his} creation.",
        "As editor of {edited} {he} [tripled its sales|banned the semicolon].",
        "{His} surviving buildings include {designed}.",
        "{He} gave {his} name to {honoured_by}.",
        "{honoured_by} is named after {him}.",
        "The novel {dedicatee_of} is dedicated to {him}.",
        "{His} pupil {pupil} [went further|described the lessons in a memoir].",
        "Among those {he} taught was {pupil}.",
    ),
}

COLOUR: dict[str, tuple[str, ...]] = {
    "person": (
        "A street in {~town} bears {his} name.",
        "{He} [owned|rented] a small house near {~town} and [kept bees there|grew quinces].",
        "{He} corresponded for years with {~person}, though the two never met.",
        "An obituary-length profile in {~newspaper} called {him} [stubborn|the last of a kind|impossible "
        "to thank].",
        "{His} papers are [divided between two attics|incomplete] and have never been catalogued.",
        "{He} disliked [trains|being photographed|applause], and said so [often|in print].",
        "Later critics compared {him}, not always kindly, with {~person}.",
        "{He} spoke four languages, [none of them|all of them, it was said,] without a mistake.",
        "A summer on {~island} is said to have changed {his} habits for good.",
        "{He} walked [eight|ten|twelve] miles a day in all weathers.",
        "During a stay in {~town} {he} fell ill and lost the better part of a year.",
        "{He} turned down an invitation to lecture at {~university}.",
        "A plaque on {~river} marks the spot where {he} used to swim.",
        "The family name is still common in that part of the country.",
        "Rumours of a second marriage were never confirmed.",
        "{He} gave few interviews, and regretted [two|most] of them.",
        "A quarrel with {~person} kept {him} away from public life for several years.",
        "{He} is often confused with others of the same surname.",
    ),
    "film director": (
        "{He} refused to work in colour for as long as {he} could.",
        "Sets for an unfinished picture stood outside {~town} for a decade.",
        "{He} cut {his} own negatives at a kitchen table.",
    ),
    "novelist": (
        "{He} wrote standing up, in pencil, before breakfast.",
        "A first manuscript was left on a ferry and never recovered.",
        "Reviewers in {~newspaper} were slow to come round.",
    ),
    "composer": (
        "A string quartet, lost for forty years, turned up in {~town}.",
        "{He} claimed to compose only in keys that suited the weather.",
        "Several of the songs are still sung in schools.",
    ),
    "painter": (
        "{He} ground {his} own colours and mistrusted green.",
        "A fire in {~town} destroyed most of the early canvases.",
        "For some years {he} painted nothing but doors.",
    ),
    "singer": (
        "{He} retired twice, the second time for good.",
        "Bootlegs of a concert in {~town} circulate to this day.",
    ),
    "actor": (
        "{He} never watched {his} own films.",
        "A season with a touring company in {~town} taught {him} to project.",
    ),
    "politician": (
        "{His} speeches were short, and people came for that.",
        "A bill on river tolls, {his} chief cause, failed by three votes.",
    ),
    "footballer": (
        "A knee injury ended {his} career at thirty-one.",
        "Supporters in {~town} still sing about the penalty {he} missed.",
    ),
    "cyclist": ("{He} won the mountain stage above {~town} by eleven minutes.",),
    "architect": ("A town hall planned for {~town} was never built.",),
    "botanist": ("A grey-leaved saxifrage carries {his} name.", "{His} herbarium filled a disused chapel."),
    "astronomer": (
        "{He} built {his} first telescope from a drainpipe.",
        "A minor planet carries {his} surname.",
    ),
    "chemist": (
        "{He} lost the sight of one eye in a laboratory fire.",
        "Dyers still use a yellow that {he} found.",
    ),
}
