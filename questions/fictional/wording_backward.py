"""How relations are asked for from their objects, and where a rule joins two of them.

The notation is that of `wording`.
"""

from __future__ import annotations

from .wording import Form

__all__ = ["BACKWARD", "RULES"]

# Followed from object to subject; `{role}` is what the subject is.
BACKWARD: dict[str, Form] = {
    "born_in": Form.of(
        "the {role} born in {x} | the {role} who came from {x}",
        "Which {role} was born in {x}? | Who is the {role} born in {x}?",
    ),
    "studied_at": Form.of(
        "the {role} who studied at {x} | the {role} educated at {x}",
        "Which {role} studied at {x}? | Who is the {role} among the graduates of {x}?",
    ),
    "taught_at": Form.of(
        "the {role} who taught at {x} | the {role} employed by {x}",
        "Which {role} taught at {x}? | Who was the {role} on the staff of {x}?",
    ),
    "teacher": Form.of(
        "the pupil of {x} | the {role} taught by {x}",
        "Which {role} was a pupil of {x}? | Who was taught by {x}?",
    ),
    "mother": Form.of(
        "the {role} whose mother was {x}",
        "Which {role} had as mother {x}? | {X} was the mother of which {role}?",
    ),
    "father": Form.of(
        "the {role} whose father was {x}",
        "Which {role} had as father {x}? | {X} was the father of which {role}?",
    ),
    "won": Form.of(
        "the {role} who won {x} | the {role} honoured with {x}",
        "Which {role} won {x}? | Who is the {role} that received {x}?",
    ),
    "plays_for": Form.of(
        "the {role} who played for {x}",
        "Which {role} played for {x}? | Who was the {role} of {x}?",
    ),
    "signed_to": Form.of(
        "the {role} signed to {x} | the {role} under contract to {x}",
        "Which {role} was signed to {x}? | {X} had which {role} under contract?",
    ),
    "mayor_of": Form.of(
        "the mayor of {x} | the {role} who served as mayor of {x}",
        "Who was mayor of {x}? | Which {role} served as mayor of {x}?",
    ),
    "succeeded": Form.of(
        "the successor of {x} | the {role} who succeeded {x}",
        "Who succeeded {x} as party leader? | Who was the successor of {x}?",
    ),
    "wrote_for": Form.of(
        "the {role} who wrote for {x}",
        "Which {role} wrote for {x}? | {X} printed a column by which {role}?",
    ),
    "director": Form.of(
        "the film directed by {x} | the film made by {x}",
        "Which film did {x} direct? | Which film was directed by {x}?",
    ),
    "company": Form.of(
        "the film produced by {x}",
        "Which film was produced by {x}? | {X} was behind which film?",
    ),
    "score_by": Form.of(
        "the film scored by {x} | the film with music by {x}",
        "Which film was scored by {x}? | For which film did {x} write the music?",
    ),
    "based_on": Form.of(
        "the film based on {x} | the film version of {x}",
        "Which film is based on {x}? | What is the title of the film version of {x}?",
    ),
    "filmed_in": Form.of(
        "the film shot in {x} | the film whose location was {x}",
        "Which film was shot in {x}? | {X} served as the location of which film?",
    ),
    "star": Form.of(
        "the film starring {x} | the film led by {x}",
        "Which film starred {x}? | In which film did {x} take the lead?",
    ),
    "author": Form.of(
        "the novel written by {x} | the novel by {x}",
        "Which novel was written by {x}? | Which novel did {x} write?",
    ),
    "set_in": Form.of(
        "the novel set in {x} | the novel whose setting is {x}",
        "Which novel is set in {x}? | {X} is the setting of which novel?",
    ),
    "dedicated_to": Form.of(
        "the novel dedicated to {x}",
        "Which novel is dedicated to {x}? | {X} is the dedicatee of which novel?",
    ),
    "composer": Form.of(
        "the opera composed by {x} | the opera by {x}",
        "Which opera was composed by {x}? | Which opera did {x} compose?",
    ),
    "premiered_in": Form.of(
        "the opera first staged in {x}",
        "Which opera had its premiere in {x}? | {X} saw the premiere of which opera?",
    ),
    "adapted_from": Form.of(
        "the opera based on {x} | the opera made from {x}",
        "Which opera is adapted from {x}? | {X} gave its plot to which opera?",
    ),
    "singer": Form.of(
        "the album recorded by {x} | the album by {x}",
        "Which album was recorded by {x}? | Which album did {x} make?",
    ),
    "label": Form.of(
        "the album released by {x}", "Which album was released by {x}? | {X} put out which album?"
    ),
    "recorded_in": Form.of("the album recorded in {x}", "Which album was recorded in {x}?"),
    "painter": Form.of(
        "the painting made by {x} | the painting by {x}",
        "Which painting was made by {x}? | What did {x} paint?",
    ),
    "held_by": Form.of(
        "the painting owned by {x}",
        "Which painting belongs to {x}? | Which painting is owned by {x}?",
    ),
    "depicts": Form.of(
        "the painting that shows {x} | the painting of {x}",
        "Which painting shows {x}? | {X} is the subject of which painting?",
    ),
    "on_river": Form.of("the town on {x}", "Which town stands on {x}? | {X} flows through which town?"),
    "flows_into": Form.of(
        "the tributary of {x} | the river that flows into {x}",
        "Which river flows into {x}? | What is the tributary of {x}?",
    ),
    "capital": Form.of(
        "the {role} governed from {x} | the {role} whose capital is {x}",
        "Which {role} is governed from {x}? | {X} is the capital of which {role}?",
    ),
    "located_in": Form.of(
        "the {role} based in {x} | the {role} whose home is {x}",
        "Which {role} is based in {x}? | {X} is home to which {role}?",
    ),
    "founder": Form.of(
        "the {role} founded by {x} | the {role} that owes its existence to {x}",
        "Which {role} was founded by {x}? | Which {role} did {x} found?",
    ),
    "editor": Form.of(
        "the {role} edited by {x}",
        "Which {role} was edited by {x}? | {X} was the editor of which {role}?",
    ),
    "architect": Form.of(
        "the {role} with a building by {x} | the {role} whose architect was {x}",
        "Which {role} has a building by {x}? | {X} was the architect of which {role}?",
    ),
    "named_after": Form.of(
        "the {role} named after {x}",
        "Which {role} is named after {x}? | {X} gave a name to which {role}?",
    ),
    "given_by": Form.of(
        "the {role} awarded by {x}",
        "Which {role} is awarded by {x}? | {X} awards which {role}?",
    ),
}

# Two links that one word joins: to follow them, a reader has to know the rule.
RULES: dict[tuple[str, str], Form] = {
    ("mother", "mother"): Form.of(
        "the maternal grandmother of {x}", "Who was the maternal grandmother of {x}?"
    ),
    ("mother", "father"): Form.of(
        "the maternal grandfather of {x}", "Who was the maternal grandfather of {x}?"
    ),
    ("father", "mother"): Form.of(
        "the paternal grandmother of {x}", "Who was the paternal grandmother of {x}?"
    ),
    ("father", "father"): Form.of(
        "the paternal grandfather of {x}", "Who was the paternal grandfather of {x}?"
    ),
    ("spouse", "mother"): Form.of(
        "the mother-in-law of {x}",
        "Who was the mother-in-law of {x}? | {X} had whom as a mother-in-law?",
    ),
    ("spouse", "father"): Form.of(
        "the father-in-law of {x}",
        "Who was the father-in-law of {x}? | {X} had whom as a father-in-law?",
    ),
    ("born_in", "in_province"): Form.of(
        "the native province of {x}",
        "In which province was {x} born? | What is the native province of {x}?",
    ),
    ("died_in", "in_province"): Form.of(
        "the province where {x} died",
        "In which province did {x} die? | {X} died in which province?",
    ),
    ("located_in", "in_province"): Form.of(
        "the home province of {x}",
        "In which province is {x} based? | What is the home province of {x}?",
    ),
    ("filmed_in", "in_province"): Form.of(
        "the province where {x} was filmed",
        "In which province was {x} filmed? | Which province was the scene for the filming of {x}?",
    ),
    ("set_in", "in_province"): Form.of(
        "the province where {x} is set",
        "In which province is {x} set? | {X} is set in which province?",
    ),
    ("recorded_in", "in_province"): Form.of(
        "the province where {x} was recorded",
        "In which province was {x} recorded?",
    ),
    ("premiered_in", "in_province"): Form.of(
        "the province where {x} was first staged",
        "In which province was {x} first staged?",
    ),
    ("studied_at", "located_in"): Form.of(
        "the town where {x} studied",
        "In which town did {x} study? | {X} studied in which town?",
    ),
    ("taught_at", "located_in"): Form.of("the town where {x} taught", "In which town did {x} teach?"),
    ("held_by", "located_in"): Form.of("the town where one can see {x}", "In which town can visitors see {x}?"),
    ("plays_for", "located_in"): Form.of(
        "the town where {x} played football",
        "In which town did {x} play football?",
    ),
    ("in_province", "land"): Form.of(
        "the country in which {x} lies | the country of {x}",
        "In which country is {x}? | {X} lies in which country? | What is the country of {x}?",
    ),
    ("rises_in", "land"): Form.of("the country where {x} rises", "In which country does {x} rise?"),
}
