from itertools import permutations

import pytest
from hopilot.evidence.extractive_answers import FORMS, extract_answer
from hopilot.evidence.language_model import Snippet
from hopilot.evidence.nations import nations_of
from hopilot.evidence.passages import Passage
from hopilot.evidence.spans import dates_of, life_of, spans_of
from hopilot.evidence.text import sentences_of
from hypothesis import given, settings
from hypothesis import strategies as st

WORLD = {
    "The Salt Road": "The Salt Road is a 1931 drama film directed by Mira Tolland and starring Jo Penn.",
    "Mira Tolland": "Mira Tolland (4 May 1899 – 12 June 1971) was a Danish film director. "
    "She was born in Aarhus and died in Malmo of pneumonia.",
    "Grey Harbour (film)": "Grey Harbour is a 1952 comedy film directed by Otto Brandl.",
    "Otto Brandl": "Otto Brandl (born March 3, 1921) is an Austrian film director and screenwriter.",
    "Lena Fisk": "Lena Fisk (born 9 July 1950) is a Danish painter and writer.",
    "Karl Moss": "Karl Moss (1 January 1940 – 2 February 2001) was a Danish singer and writer.",
    "Elmsworth Bridge": "Elmsworth Bridge is a bridge in Harrow County. "
    "It was built by Dorn Company in 1884. It has 212 lamps.",
    "Dorn Company": "Dorn Company is a builder of bridges founded by Petra Dorn. Its seat is in Oxmouth.",
}


def snippets(*titles):
    return tuple(
        Snippet(Passage.of(title, WORLD[title]).id, title, sentence)
        for title in titles
        for sentence in sentences_of(WORLD[title])
    )


FILMS = ("The Salt Road", "Mira Tolland", "Grey Harbour (film)", "Otto Brandl")
ASKED = [
    ("Which film has the director born first, The Salt Road or Grey Harbour (film)?", FILMS, "The Salt Road"),
    ("Which film has the director born later, The Salt Road or Grey Harbour (film)?", FILMS, "Grey Harbour"),
    ("Which film came out first, Grey Harbour or The Salt Road?", FILMS, "The Salt Road"),
    ("Which film was released more recently, The Salt Road or Grey Harbour?", FILMS, "Grey Harbour"),
    ("Who is older, Lena Fisk or Karl Moss?", ("Lena Fisk", "Karl Moss"), "Karl Moss"),
    ("Who is younger, Lena Fisk or Karl Moss?", ("Lena Fisk", "Karl Moss"), "Lena Fisk"),
    ("Of Lena Fisk and Karl Moss, who is older?", ("Lena Fisk", "Karl Moss"), "Karl Moss"),
    ("Who died first, Karl Moss or Mira Tolland?", ("Karl Moss", "Mira Tolland"), "Mira Tolland"),
    ("Who lived longer, Karl Moss or Mira Tolland?", ("Karl Moss", "Mira Tolland"), "Mira Tolland"),
    ("Who was a singer, Lena Fisk or Karl Moss?", ("Lena Fisk", "Karl Moss"), "Karl Moss"),
    ("Do Lena Fisk and Karl Moss have the same nationality?", ("Lena Fisk", "Karl Moss"), "yes"),
    ("Are Lena Fisk and Otto Brandl from the same country?", ("Lena Fisk", "Otto Brandl"), "no"),
    ("Do the directors of films The Salt Road and Grey Harbour share the same nationality?", FILMS, "no"),
    ("Are Lena Fisk and Karl Moss both writers?", ("Lena Fisk", "Karl Moss"), "yes"),
    ("Are Lena Fisk and Karl Moss both plumbers?", ("Lena Fisk", "Karl Moss"), "no"),
    ("Which occupation do Lena Fisk and Karl Moss have in common?", ("Lena Fisk", "Karl Moss"), "writer"),
    ("When was the director of The Salt Road born?", FILMS[:2], "4 May 1899"),
    ("What is the date of death of the director of The Salt Road?", FILMS[:2], "12 June 1971"),
    ("In what year was the director of Grey Harbour born?", FILMS[2:], "1921"),
    ("Where was the director of The Salt Road born?", FILMS[:2], "Aarhus"),
    ("What is the place of death of the director of The Salt Road?", FILMS[:2], "Malmo"),
    ("Why did the director of The Salt Road die?", FILMS[:2], "pneumonia"),
    ("What nationality is the director of The Salt Road?", FILMS[:2], "Danish"),
    ("What year was Elmsworth Bridge built?", ("Elmsworth Bridge",), "1884"),
    ("When was Elmsworth Bridge built?", ("Elmsworth Bridge",), "1884"),
    ("How many lamps does Elmsworth Bridge have?", ("Elmsworth Bridge",), "212"),
    ("Where is the seat of the builder of Elmsworth Bridge?", ("Elmsworth Bridge", "Dorn Company"), "Oxmouth"),
    ("Which Danish director made The Salt Road?", FILMS[:2], "Mira Tolland"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "titles", "expected"), ASKED, ids=[asked[0] for asked in ASKED])
def test_answers_by_the_form_of_the_question(question, titles, expected):
    assert extract_answer(question, snippets(*titles)) == expected


def test_the_examples_reach_every_form():
    first = {next(form.name for form in FORMS if form.cue.search(question)) for question, _, _ in ASKED}
    reached = first | {"best span"}
    assert {form.name for form in FORMS} <= reached


@pytest.mark.parametrize("question", ["", "Who founded it?", "A or B?", "Are both the same?"])
def test_without_snippets_the_answer_is_blank(question):
    assert extract_answer(question, ()) == ""


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_a_comparison_does_not_depend_on_the_order_of_passages(order):
    question = "Which film has the director born first, The Salt Road or Grey Harbour?"
    assert extract_answer(question, snippets(*(FILMS[n] for n in order))) == "The Salt Road"


def test_the_answer_comes_from_the_snippets_not_from_the_question():
    moved = Snippet("x", "Mira Tolland", "Mira Tolland (born 7 August 1905) was a director.")
    question = "When was the director of The Salt Road born?"
    assert extract_answer(question, (*snippets("The Salt Road"), moved)) == "7 August 1905"


def test_a_birthplace_that_only_leads_on_is_not_the_answer():
    born = Snippet("1", "Ada Crane", "Ada Crane (born 9 July 1950 in Bergen) is a smith.")
    county = Snippet("2", "Bergen", "Bergen is a city in Vestland County.")
    assert extract_answer("Where was Ada Crane born?", (born, county)) == "Bergen"
    assert extract_answer("In what county is the birthplace of Ada Crane?", (born, county)) == "Vestland County"


def test_an_unnamed_passage_without_spans_answers_with_its_title():
    assert extract_answer("Who hid it?", (Snippet("1", "Ada Crane", "she hid it well"),)) == "Ada Crane"


def test_passages_of_one_title_stay_apart():
    one = Snippet("1", "Elm", "Elm is a village in Iran.")
    other = Snippet("2", "Elm", "Elm is a village in Peru.")
    assert extract_answer("Where is the village?", (one, other)) in {"Iran", "Peru"}


WORDS = st.sampled_from(
    "Who when born or and both the same (1 May 1900 – 3 June 1950) 1999 Ada Elm, “Q” ſ ß İ ² died in ?".split()
)
LOOSE = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=15).map(" ".join))


@settings(max_examples=150, deadline=None)
@given(LOOSE, st.lists(st.builds(Snippet, st.sampled_from("ab"), LOOSE, LOOSE), max_size=4))
def test_any_text_is_answered_the_same_way_twice(question, found):
    answer = extract_answer(question, found)
    spans_of.cache_clear()
    assert extract_answer(question, found) == answer
    assert isinstance(answer, str)


@pytest.mark.parametrize(
    "text", ["A" * 20_000, "A-" * 5_000, "1" * 20_000, "(" * 5_000, "born " * 3_000, "a, " * 5_000]
)
def test_odd_long_text_is_answered(text):
    assert isinstance(extract_answer(f"Who is {text} or {text}?", (Snippet("1", "Odd", text),)), str)


def test_reads_dates_however_they_are_written():
    written = "On 4 May 1899, on March 3, 1921, in June 1950 and in 1884."
    assert [date for date, _ in dates_of(written)] == [(1899, 5, 4), (1921, 3, 3), (1950, 6, 0), (1884, 0, 0)]


def test_reads_a_life_from_its_bracket():
    life = life_of("Ada Crane (4 May 1899, Bergen – 12 June 1971, Oslo) was a smith.")
    assert (life.born, life.died, life.birthplace, life.deathplace) == (
        "4 May 1899",
        "12 June 1971",
        "Bergen",
        "Oslo",
    )


def test_someone_alive_has_no_death():
    life = life_of("Ada Crane (born 9 July 1950 in Bergen) is a smith.")
    assert (life.born, life.died, life.birthplace) == ("9 July 1950", "", "Bergen")


def test_finds_names_across_joining_words_and_initials():
    found = {span.text for span in spans_of("In 1990 J. K. Moss met Anna van der Berg and Li Wei at the fair.")}
    assert {"1990", "J. K. Moss", "Anna van der Berg", "Li Wei"} <= found


def test_tells_nations_by_their_people_and_parts():
    assert nations_of("A Danish and Austrian firm in Ohio") == ("Denmark", "Austria", "United States")
