"""How each relation is asked for from its subject, and how it reads inside a longer question.

`{x}` is what the relation is asked of, `{X}` the same at the beginning of a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FORWARD", "Form"]


@dataclass(frozen=True, slots=True)
class Form:
    """How a link reads as part of a longer question, and how it is asked for at the end of one."""

    noun: tuple[str, ...]
    ask: tuple[str, ...]

    @classmethod
    def of(cls, noun: str, ask: str) -> Form:
        """Read alternatives that are separated by bars."""
        return cls(*(tuple(part.strip() for part in side.split("|") if part.strip()) for side in (noun, ask)))


FORWARD: dict[str, Form] = {
    "birth_date": Form.of(
        "",
        "When was {x} born? | What is the date of birth of {x}? | On what date was {x} born? | "
        "{X} was born on which date? | What is the birthday of {x}?",
    ),
    "death_date": Form.of(
        "",
        "When did {x} die? | What is the date of death of {x}? | On what date did {x} die? | "
        "{X} died on which date?",
    ),
    "instrument": Form.of(
        "",
        "Which instrument did {x} play? | What was the instrument of {x}? | {X} played which instrument?",
    ),
    "year": Form.of(
        "",
        "In what year did {x} come out? | Which year saw the appearance of {x}? | {X} dates from which year?",
    ),
    "founded_year": Form.of(
        "",
        "When was {x} founded? | In which year was {x} founded? | What is the founding year of {x}? | "
        "{X} was founded in which year?",
    ),
    "population": Form.of(
        "",
        "How many inhabitants has {x}? | What is the population of {x}? | How many people live in {x}?",
    ),
    "length": Form.of("", "How long is {x}? | What is the length of {x}?"),
    "area": Form.of("", "How large is {x}? | What is the area of {x}?"),
    "stadium": Form.of("", "Where are the home games of {x} played? | What is the home ground of {x}?"),
    "sea": Form.of("", "Which sea does {x} reach? | Into which sea flows {x}? | {X} reaches which sea?"),
    "born_in": Form.of(
        "the town where {x} was born | the birthplace of {x} | the native town of {x}",
        "Where was {x} born? | What is the birthplace of {x}? | {X} was born in which town? | "
        "Which town is the birthplace of {x}?",
    ),
    "died_in": Form.of(
        "the town where {x} died | the place of death of {x}",
        "Where did {x} die? | What was the place of death of {x}? | {X} died in which town?",
    ),
    "studied_at": Form.of(
        "the university where {x} studied | the alma mater of {x} | the university attended by {x}",
        "Where did {x} study? | Which university educated {x}? | What is the alma mater of {x}? | "
        "{X} took a degree at which university?",
    ),
    "taught_at": Form.of(
        "the university where {x} taught | the university that employed {x}",
        "Where did {x} teach? | Which university employed {x}? | {X} taught at which university?",
    ),
    "teacher": Form.of(
        "the teacher of {x} | the person who taught {x}",
        "Who taught {x}? | Who was the teacher of {x}? | {X} was a pupil of whom?",
    ),
    "spouse": Form.of(
        "the {spouse} of {x} | the person married to {x}",
        "Who was the {spouse} of {x}? | Whom did {x} marry? | Who married {x}? | {X} was married to whom?",
    ),
    "mother": Form.of(
        "the mother of {x}",
        "Who was the mother of {x}? | Who is the mother of {x}? | What is the name of the mother of {x}?",
    ),
    "father": Form.of(
        "the father of {x}",
        "Who was the father of {x}? | Who is the father of {x}? | What is the name of the father of {x}?",
    ),
    "won": Form.of(
        "the prize won by {x} | the prize awarded to {x}",
        "Which prize did {x} win? | Which prize was awarded to {x}? | {X} won which prize?",
    ),
    "plays_for": Form.of(
        "the club of {x} | the football club {x} played for",
        "Which club did {x} play for? | Which football club fielded {x}? | {X} played for which club?",
    ),
    "signed_to": Form.of(
        "the record label of {x} | the label that signed {x}",
        "Which label was {x} signed to? | Which record label had a contract with {x}? | "
        "{X} was signed to which label?",
    ),
    "wrote_for": Form.of(
        "the newspaper {x} wrote for | the newspaper that printed articles by {x}",
        "Which newspaper did {x} write for? | Which newspaper printed articles by {x}? | "
        "{X} wrote for which newspaper?",
    ),
    "mayor_of": Form.of(
        "the town that {x} governed as mayor | the town whose mayor was {x}",
        "Of which town was {x} mayor? | Which town was run by {x}? | {X} was mayor of which town?",
    ),
    "succeeded": Form.of(
        "the predecessor of {x} | the party leader who came before {x}",
        "Whom did {x} succeed as party leader? | Who was the predecessor of {x}? | "
        "Who led the party before {x}?",
    ),
    "director": Form.of(
        "the director of {x} | the film-maker behind {x} | the person who directed {x}",
        "Who directed {x}? | Who was the director of {x}? | {X} was directed by whom?",
    ),
    "company": Form.of(
        "the company behind {x} | the film company that produced {x}",
        "Which company produced {x}? | Which film company was behind {x}? | {X} was produced by which company?",
    ),
    "score_by": Form.of(
        "the composer who scored {x} | the composer of the music for {x}",
        "Who wrote the music for {x}? | Who composed the score of {x}? | {X} has music by whom?",
    ),
    "based_on": Form.of(
        "the novel behind {x} | the novel adapted as {x}",
        "Which novel is the source of {x}? | On which novel is {x} based? | {X} is based on which novel?",
    ),
    "filmed_in": Form.of(
        "the place where {x} was filmed | the filming location of {x}",
        "Where was {x} shot? | What is the filming location of {x}? | {X} was filmed in which place?",
    ),
    "star": Form.of(
        "the star of {x} | the lead actor of {x}",
        "Who played the lead in {x}? | Who is the star of {x}? | {X} has whom in the leading part?",
    ),
    "author": Form.of(
        "the author of {x} | the novelist who wrote {x} | the writer of {x}",
        "Who wrote {x}? | Who is the author of {x}? | {X} was written by whom?",
    ),
    "set_in": Form.of(
        "the place where {x} is set | the setting of {x}",
        "Where is {x} set? | What is the setting of {x}? | {X} is set in which place?",
    ),
    "dedicated_to": Form.of(
        "the dedicatee of {x} | the person to whom the author dedicated {x}",
        "To whom is {x} dedicated? | Who is the dedicatee of {x}? | {X} bears a dedication to whom?",
    ),
    "composer": Form.of(
        "the composer of {x} | the person who composed {x}",
        "Who composed {x}? | Who is the composer of {x}? | {X} was composed by whom?",
    ),
    "premiered_in": Form.of(
        "the town where {x} had its premiere | the town that saw the premiere of {x}",
        "Where was {x} first staged? | Which town saw the premiere of {x}? | "
        "{X} had its premiere in which town?",
    ),
    "adapted_from": Form.of(
        "the novel that became {x} | the literary source of {x}",
        "From which novel is {x} adapted? | Which novel is the source of {x}? | "
        "{X} is adapted from which novel?",
    ),
    "singer": Form.of(
        "the singer of {x} | the singer who recorded {x}",
        "Who recorded {x}? | Which singer made {x}? | {X} is an album by whom?",
    ),
    "label": Form.of(
        "the label that released {x} | the record label behind {x}",
        "Which label released {x}? | Which record label put out {x}? | {X} came out on which label?",
    ),
    "recorded_in": Form.of(
        "the place where {x} was recorded | the recording location of {x}",
        "Where was {x} recorded? | What is the recording location of {x}? | {X} was recorded in which place?",
    ),
    "painter": Form.of(
        "the painter of {x} | the artist who painted {x}",
        "Who painted {x}? | Who is the painter of {x}? | {X} is the work of which painter?",
    ),
    "held_by": Form.of(
        "the museum that owns {x} | the home museum of {x}",
        "Which museum owns {x}? | Where does {x} hang? | {X} hangs in which museum?",
    ),
    "depicts": Form.of(
        "the subject of {x} | the place shown in {x}",
        "What does {x} show? | What is depicted in {x}? | {X} depicts which place?",
    ),
    "in_province": Form.of(
        "the province in which {x} lies | the province of {x}",
        "In which province is {x}? | {X} lies in which province? | Which province includes {x}?",
    ),
    "on_river": Form.of(
        "the river on which {x} stands | the river that crosses {x}",
        "Which river flows through {x}? | On which river stands {x}? | {X} stands on which river?",
    ),
    "twinned_with": Form.of(
        "the twin town of {x} | the partner town of {x}",
        "Which town is twinned with {x}? | What is the twin town of {x}? | {X} is twinned with which town?",
    ),
    "rises_in": Form.of(
        "the province in which {x} rises | the province that holds the source of {x}",
        "In which province does {x} rise? | Which province holds the source of {x}? | "
        "{X} rises in which province?",
    ),
    "flows_into": Form.of(
        "the river that receives {x} | the river joined by {x}",
        "Into which river does {x} flow? | Which river receives {x}? | {X} flows into which river?",
    ),
    "capital": Form.of(
        "the capital of {x}",
        "What is the capital of {x}? | Which town is the capital of {x}? | {X} has which town as its capital?",
    ),
    "land": Form.of(
        "the country of {x} | the country that includes {x}",
        "To which country does {x} belong? | Which country includes {x}? | {X} is part of which country?",
    ),
    "located_in": Form.of(
        "the home town of {x} | the town where {x} is based",
        "Where is {x} based? | Which town is home to {x}? | {X} is based in which town?",
    ),
    "founder": Form.of(
        "the founder of {x} | the person who founded {x}",
        "Who founded {x}? | Who was the founder of {x}? | {X} was founded by whom?",
    ),
    "editor": Form.of(
        "the editor of {x} | the person who edited {x}",
        "Who edited {x}? | Who was the editor of {x}? | {X} was edited by whom?",
    ),
    "architect": Form.of(
        "the architect of {x} | the person who designed the building of {x}",
        "Who designed the building of {x}? | Who was the architect of {x}?",
    ),
    "named_after": Form.of(
        "the namesake of {x} | the person commemorated by {x}",
        "After whom is {x} named? | Who is commemorated by {x}? | {X} is named after whom?",
    ),
    "given_by": Form.of(
        "the institution that awards {x} | the body behind {x}",
        "Who awards {x}? | Which institution awards {x}? | {X} is awarded by which institution?",
    ),
}
