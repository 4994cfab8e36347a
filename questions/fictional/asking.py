"""Puts chains into words: how each relation is asked for, forward and backward, alone and inside another.

`{x}` is what the relation is asked of, `{X}` the same at the beginning of a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from .graph import Step

__all__ = ["RULES", "Form", "phrase"]

_LIGHT = 7  # words of `{x}` up to which something may follow it


@dataclass(frozen=True, slots=True)
class Form:
    """How a link reads as part of a longer question, and how it is asked for at the end of one."""

    noun: tuple[str, ...]
    ask: tuple[str, ...]


def _form(noun: str, ask: str) -> Form:
    """Read alternatives that are separated by bars."""
    return Form(*(tuple(part.strip() for part in side.split("|") if part.strip()) for side in (noun, ask)))


FORWARD: dict[str, Form] = {
    "birth_date": _form("", "When was {x} born? | What is the date of birth of {x}? | On what date was {x} born? |"
                            "{X} was born on which date? | What is the birthday of {x}?"),
    "death_date": _form("", "When did {x} die? | What is the date of death of {x}? | On what date did {x} die? |"
                            "{X} died on which date?"),
    "instrument": _form("", "Which instrument did {x} play? | What was the instrument of {x}? |"
                            "{X} played which instrument?"),
    "year": _form("", "In what year did {x} come out? | Which year saw the appearance of {x}? |"
                      "{X} dates from which year?"),
    "founded_year": _form("", "When was {x} founded? | In which year was {x} founded? |"
                              "What is the founding year of {x}? | {X} was founded in which year?"),
    "population": _form("", "How many inhabitants has {x}? | What is the population of {x}? |"
                            "How many people live in {x}?"),
    "length": _form("", "How long is {x}? | What is the length of {x}?"),
    "area": _form("", "How large is {x}? | What is the area of {x}?"),
    "stadium": _form("", "Where are the home games of {x} played? | What is the home ground of {x}?"),
    "sea": _form("", "Which sea does {x} reach? | Into which sea flows {x}? | {X} reaches which sea?"),
    "born_in": _form("the town where {x} was born | the birthplace of {x} | the native town of {x}",
                     "Where was {x} born? | What is the birthplace of {x}? | {X} was born in which town? |"
                     "Which town is the birthplace of {x}?"),
    "died_in": _form("the town where {x} died | the place of death of {x}",
                     "Where did {x} die? | What was the place of death of {x}? | {X} died in which town?"),
    "studied_at": _form("the university where {x} studied | the alma mater of {x} | the university attended by {x}",
                        "Where did {x} study? | Which university educated {x}? | What is the alma mater of {x}? |"
                        "{X} took a degree at which university?"),
    "taught_at": _form("the university where {x} taught | the university that employed {x}",
                       "Where did {x} teach? | Which university employed {x}? | {X} taught at which university?"),
    "teacher": _form("the teacher of {x} | the person who taught {x}",
                     "Who taught {x}? | Who was the teacher of {x}? | {X} was a pupil of whom?"),
    "spouse": _form("the {spouse} of {x} | the person married to {x}",
                    "Who was the {spouse} of {x}? | Whom did {x} marry? | Who married {x}? |"
                    "{X} was married to whom?"),
    "mother": _form("the mother of {x}", "Who was the mother of {x}? | Who is the mother of {x}? |"
                                         "What is the name of the mother of {x}?"),
    "father": _form("the father of {x}", "Who was the father of {x}? | Who is the father of {x}? |"
                                         "What is the name of the father of {x}?"),
    "won": _form("the prize won by {x} | the prize awarded to {x}",
                 "Which prize did {x} win? | Which prize was awarded to {x}? | {X} won which prize?"),
    "plays_for": _form("the club of {x} | the football club {x} played for",
                       "Which club did {x} play for? | Which football club fielded {x}? | {X} played for which club?"),
    "signed_to": _form("the record label of {x} | the label that signed {x}",
                       "Which label was {x} signed to? | Which record label had a contract with {x}? |"
                       "{X} was signed to which label?"),
    "wrote_for": _form("the newspaper {x} wrote for | the newspaper that printed articles by {x}",
                       "Which newspaper did {x} write for? | Which newspaper printed articles by {x}? |"
                       "{X} wrote for which newspaper?"),
    "mayor_of": _form("the town that {x} governed as mayor | the town whose mayor was {x}",
                      "Of which town was {x} mayor? | Which town was run by {x}? | {X} was mayor of which town?"),
    "succeeded": _form("the predecessor of {x} | the party leader who came before {x}",
                       "Whom did {x} succeed as party leader? | Who was the predecessor of {x}? |"
                       "Who led the party before {x}?"),
    "director": _form("the director of {x} | the film-maker behind {x} | the person who directed {x}",
                      "Who directed {x}? | Who was the director of {x}? | {X} was directed by whom?"),
    "company": _form("the company behind {x} | the film company that produced {x}",
                     "Which company produced {x}? | Which film company was behind {x}? |"
                     "{X} was produced by which company?"),
    "score_by": _form("the composer who scored {x} | the composer of the music for {x}",
                      "Who wrote the music for {x}? | Who composed the score of {x}? | {X} has music by whom?"),
    "based_on": _form("the novel behind {x} | the novel adapted as {x}",
                      "Which novel is the source of {x}? | On which novel is {x} based? | {X} is based on which novel?"),
    "filmed_in": _form("the place where {x} was filmed | the filming location of {x}",
                       "Where was {x} shot? | What is the filming location of {x}? | {X} was filmed in which place?"),
    "star": _form("the star of {x} | the lead actor of {x}",
                  "Who played the lead in {x}? | Who is the star of {x}? | {X} has whom in the leading part?"),
    "author": _form("the author of {x} | the novelist who wrote {x} | the writer of {x}",
                    "Who wrote {x}? | Who is the author of {x}? | {X} was written by whom?"),
    "set_in": _form("the place where {x} is set | the setting of {x}",
                    "Where is {x} set? | What is the setting of {x}? | {X} is set in which place?"),
    "dedicated_to": _form("the dedicatee of {x} | the person to whom the author dedicated {x}",
                          "To whom is {x} dedicated? | Who is the dedicatee of {x}? | {X} bears a dedication to whom?"),
    "composer": _form("the composer of {x} | the person who composed {x}",
                      "Who composed {x}? | Who is the composer of {x}? | {X} was composed by whom?"),
    "premiered_in": _form("the town where {x} had its premiere | the town that saw the premiere of {x}",
                          "Where was {x} first staged? | Which town saw the premiere of {x}? |"
                          "{X} had its premiere in which town?"),
    "adapted_from": _form("the novel that became {x} | the literary source of {x}",
                          "From which novel is {x} adapted? | Which novel is the source of {x}? |"
                          "{X} is adapted from which novel?"),
    "singer": _form("the singer of {x} | the singer who recorded {x}",
                    "Who recorded {x}? | Which singer made {x}? | {X} is an album by whom?"),
    "label": _form("the label that released {x} | the record label behind {x}",
                   "Which label released {x}? | Which record label put out {x}? | {X} came out on which label?"),
    "recorded_in": _form("the place where {x} was recorded | the recording location of {x}",
                         "Where was {x} recorded? | What is the recording location of {x}? |"
                         "{X} was recorded in which place?"),
    "painter": _form("the painter of {x} | the artist who painted {x}",
                     "Who painted {x}? | Who is the painter of {x}? | {X} is the work of which painter?"),
    "held_by": _form("the museum that owns {x} | the home museum of {x}",
                     "Which museum owns {x}? | Where does {x} hang? | {X} hangs in which museum?"),
    "depicts": _form("the subject of {x} | the place shown in {x}",
                     "What does {x} show? | What is depicted in {x}? | {X} depicts which place?"),
    "in_province": _form("the province in which {x} lies | the province of {x}",
                         "In which province is {x}? | {X} lies in which province? | Which province includes {x}?"),
    "on_river": _form("the river on which {x} stands | the river that crosses {x}",
                      "Which river flows through {x}? | On which river stands {x}? | {X} stands on which river?"),
    "twinned_with": _form("the twin town of {x} | the partner town of {x}",
                          "Which town is twinned with {x}? | What is the twin town of {x}? |"
                          "{X} is twinned with which town?"),
    "rises_in": _form("the province in which {x} rises | the province that holds the source of {x}",
                      "In which province does {x} rise? | Which province holds the source of {x}? |"
                      "{X} rises in which province?"),
    "flows_into": _form("the river that receives {x} | the river joined by {x}",
                        "Into which river does {x} flow? | Which river receives {x}? | {X} flows into which river?"),
    "capital": _form("the capital of {x}", "What is the capital of {x}? | Which town is the capital of {x}? |"
                                           "{X} has which town as its capital?"),
    "land": _form("the country of {x} | the country that includes {x}",
                  "To which country does {x} belong? | Which country includes {x}? | {X} is part of which country?"),
    "located_in": _form("the home town of {x} | the town where {x} is based",
                        "Where is {x} based? | Which town is home to {x}? | {X} is based in which town?"),
    "founder": _form("the founder of {x} | the person who founded {x}",
                     "Who founded {x}? | Who was the founder of {x}? | {X} was founded by whom?"),
    "editor": _form("the editor of {x} | the person who edited {x}",
                    "Who edited {x}? | Who was the editor of {x}? | {X} was edited by whom?"),
    "architect": _form("the architect of {x} | the person who designed the building of {x}",
                       "Who designed the building of {x}? | Who was the architect of {x}?"),
    "named_after": _form("the namesake of {x} | the person commemorated by {x}",
                         "After whom is {x} named? | Who is commemorated by {x}? | {X} is named after whom?"),
    "given_by": _form("the institution that awards {x} | the body behind {x}",
                      "Who awards {x}? | Which institution awards {x}? | {X} is awarded by which institution?"),
}  # fmt: skip

BACKWARD: dict[str, Form] = {
    "born_in": _form("the {role} born in {x} | the {role} who came from {x}",
                     "Which {role} was born in {x}? | Who is the {role} born in {x}?"),
    "studied_at": _form("the {role} who studied at {x} | the {role} educated at {x}",
                        "Which {role} studied at {x}? | Who is the {role} among the graduates of {x}?"),
    "taught_at": _form("the {role} who taught at {x} | the {role} employed by {x}",
                       "Which {role} taught at {x}? | Who was the {role} on the staff of {x}?"),
    "teacher": _form("the pupil of {x} | the {role} taught by {x}",
                     "Which {role} was a pupil of {x}? | Who was taught by {x}?"),
    "mother": _form("the {role} whose mother was {x}", "Which {role} had as mother {x}? | {X} was the mother of which {role}?"),
    "father": _form("the {role} whose father was {x}", "Which {role} had as father {x}? | {X} was the father of which {role}?"),
    "won": _form("the {role} who won {x} | the {role} honoured with {x}",
                 "Which {role} won {x}? | Who is the {role} that received {x}?"),
    "plays_for": _form("the {role} who played for {x}", "Which {role} played for {x}? | Who was the {role} of {x}?"),
    "signed_to": _form("the {role} signed to {x} | the {role} under contract to {x}",
                       "Which {role} was signed to {x}? | {X} had which {role} under contract?"),
    "mayor_of": _form("the mayor of {x} | the {role} who served as mayor of {x}",
                      "Who was mayor of {x}? | Which {role} served as mayor of {x}?"),
    "succeeded": _form("the successor of {x} | the {role} who succeeded {x}",
                       "Who succeeded {x} as party leader? | Who was the successor of {x}?"),
    "wrote_for": _form("the {role} who wrote for {x}", "Which {role} wrote for {x}? | {X} printed a column by which {role}?"),
    "director": _form("the film directed by {x} | the film made by {x}",
                      "Which film did {x} direct? | Which film was directed by {x}?"),
    "company": _form("the film produced by {x}", "Which film was produced by {x}? | {X} was behind which film?"),
    "score_by": _form("the film scored by {x} | the film with music by {x}",
                      "Which film was scored by {x}? | For which film did {x} write the music?"),
    "based_on": _form("the film based on {x} | the film version of {x}",
                      "Which film is based on {x}? | What is the title of the film version of {x}?"),
    "filmed_in": _form("the film shot in {x} | the film whose location was {x}",
                       "Which film was shot in {x}? | {X} served as the location of which film?"),
    "star": _form("the film starring {x} | the film led by {x}",
                  "Which film starred {x}? | In which film did {x} take the lead?"),
    "author": _form("the novel written by {x} | the novel by {x}",
                    "Which novel was written by {x}? | Which novel did {x} write?"),
    "set_in": _form("the novel set in {x} | the novel whose setting is {x}",
                    "Which novel is set in {x}? | {X} is the setting of which novel?"),
    "dedicated_to": _form("the novel dedicated to {x}", "Which novel is dedicated to {x}? | {X} is the dedicatee of which novel?"),
    "composer": _form("the opera composed by {x} | the opera by {x}",
                      "Which opera was composed by {x}? | Which opera did {x} compose?"),
    "premiered_in": _form("the opera first staged in {x}", "Which opera had its premiere in {x}? |"
                                                          "{X} saw the premiere of which opera?"),
    "adapted_from": _form("the opera based on {x} | the opera made from {x}",
                          "Which opera is adapted from {x}? | {X} gave its plot to which opera?"),
    "singer": _form("the album recorded by {x} | the album by {x}",
                    "Which album was recorded by {x}? | Which album did {x} make?"),
    "label": _form("the album released by {x}", "Which album was released by {x}? | {X} put out which album?"),
    "recorded_in": _form("the album recorded in {x}", "Which album was recorded in {x}?"),
    "painter": _form("the painting made by {x} | the painting by {x}",
                     "Which painting was made by {x}? | What did {x} paint?"),
    "held_by": _form("the painting owned by {x}", "Which painting belongs to {x}? | Which painting is owned by {x}?"),
    "depicts": _form("the painting that shows {x} | the painting of {x}",
                     "Which painting shows {x}? | {X} is the subject of which painting?"),
    "on_river": _form("the town on {x}", "Which town stands on {x}? | {X} flows through which town?"),
    "flows_into": _form("the tributary of {x} | the river that flows into {x}",
                        "Which river flows into {x}? | What is the tributary of {x}?"),
    "capital": _form("the {role} governed from {x} | the {role} whose capital is {x}",
                     "Which {role} is governed from {x}? | {X} is the capital of which {role}?"),
    "located_in": _form("the {role} based in {x} | the {role} whose home is {x}",
                        "Which {role} is based in {x}? | {X} is home to which {role}?"),
    "founder": _form("the {role} founded by {x} | the {role} that owes its existence to {x}",
                     "Which {role} was founded by {x}? | Which {role} did {x} found?"),
    "editor": _form("the {role} edited by {x}", "Which {role} was edited by {x}? | {X} was the editor of which {role}?"),
    "architect": _form("the {role} with a building by {x} | the {role} whose architect was {x}",
                       "Which {role} has a building by {x}? | {X} was the architect of which {role}?"),
    "named_after": _form("the {role} named after {x}", "Which {role} is named after {x}? | {X} gave a name to which {role}?"),
    "given_by": _form("the {role} awarded by {x}", "Which {role} is awarded by {x}? | {X} awards which {role}?"),
}  # fmt: skip

# Two links that one word joins: to follow them, a reader has to know the rule.
RULES: dict[tuple[str, str], Form] = {
    ("mother", "mother"): _form("the maternal grandmother of {x}", "Who was the maternal grandmother of {x}?"),
    ("mother", "father"): _form("the maternal grandfather of {x}", "Who was the maternal grandfather of {x}?"),
    ("father", "mother"): _form("the paternal grandmother of {x}", "Who was the paternal grandmother of {x}?"),
    ("father", "father"): _form("the paternal grandfather of {x}", "Who was the paternal grandfather of {x}?"),
    ("spouse", "mother"): _form("the mother-in-law of {x}",
                                "Who was the mother-in-law of {x}? | {X} had whom as a mother-in-law?"),
    ("spouse", "father"): _form("the father-in-law of {x}",
                                "Who was the father-in-law of {x}? | {X} had whom as a father-in-law?"),
    ("born_in", "in_province"): _form("the native province of {x}",
                                      "In which province was {x} born? | What is the native province of {x}?"),
    ("died_in", "in_province"): _form("the province where {x} died", "In which province did {x} die? |"
                                                                    "{X} died in which province?"),
    ("located_in", "in_province"): _form("the home province of {x}", "In which province is {x} based? |"
                                                                    "What is the home province of {x}?"),
    ("filmed_in", "in_province"): _form("the province where {x} was filmed",
                                        "In which province was {x} filmed? | Which province was the scene for the "
                                        "filming of {x}?"),
    ("set_in", "in_province"): _form("the province where {x} is set", "In which province is {x} set? |"
                                                                     "{X} is set in which province?"),
    ("recorded_in", "in_province"): _form("the province where {x} was recorded", "In which province was {x} recorded?"),
    ("premiered_in", "in_province"): _form("the province where {x} was first staged",
                                           "In which province was {x} first staged?"),
    ("studied_at", "located_in"): _form("the town of the student years of {x} | the town where {x} studied",
                                        "In which town did {x} study? | Which town was home to the student years of {x}?"),
    ("taught_at", "located_in"): _form("the town where {x} taught", "In which town did {x} teach?"),
    ("held_by", "located_in"): _form("the town where one can see {x}", "In which town can visitors see {x}?"),
    ("plays_for", "located_in"): _form("the town where {x} played football", "In which town did {x} play football?"),
    ("in_province", "land"): _form("the country in which {x} lies | the country of {x}",
                                   "In which country is {x}? | {X} lies in which country? |"
                                   "What is the country of {x}?"),
    ("rises_in", "land"): _form("the country where {x} rises", "In which country does {x} rise?"),
}  # fmt: skip


def _fits(template: str, x: str) -> bool:
    """Whether a template reads well around `x`: something long must come first or last."""
    return len(x.split()) <= _LIGHT or template.startswith("{X}") or template.rstrip("?").endswith("{x}")


def _filled(template: str, x: str, step: Step, spouse: str) -> str:
    big = x[0].upper() + x[1:]
    return template.format(x=x, X=big, role=step.role, spouse=spouse)


def phrase(
    start: str, steps: Sequence[Step], spouses: Sequence[str], random: Random, *, rules: bool = False, noun: bool = False
) -> str | None:
    """Return a question, or with `noun` a noun phrase, that leads from `start` along the steps.

    `spouses` says, step by step, whether a spouse is a husband or a wife. `rules` reads two links as
    one where a rule joins them; None where no rule does, or where no wording reads well.
    """
    x, place, ruled = start, 0, False
    while place < len(steps):
        pair = tuple(step.relation for step in steps[place : place + 2] if not step.inverse)
        rule = RULES.get((pair[0], pair[1])) if rules and len(pair) == 2 and not ruled else None
        step = steps[place]
        form = rule or (BACKWARD if step.inverse else FORWARD)[step.relation]
        spouse, ruled = spouses[place], ruled or rule is not None
        place += 2 if rule else 1
        wanted = form.ask if place >= len(steps) and not noun else form.noun
        fitting = [template for template in wanted if _fits(template, x)]
        if not fitting:
            return None
        x = _filled(random.choice(fitting), x, step, spouse)
    return x if ruled or not rules else None
