import pytest
from hopilot.evidence.passages import Corpus, Passage
from hopilot.evidence.reading import Reader, key_of, surface_forms, tokens_of
from hopilot.evidence.text import sentences_of, stem, terms_of, words_of
from hypothesis import example, given
from hypothesis import strategies as st

TITLES = (
    "Inception (2010 film)",
    "Paris, Texas",
    "Ada Quill",
    "May",
    "1984",
    "The Salt Road",
    "İzmir",
    "Café Müller",
    "AT&amp;T",
    "Salt",
    "Marsh-Benson Hall",
    "In",
    "It (novel)",
)


@pytest.fixture(scope="module")
def reader():
    return Reader(Corpus.of(Passage.of(title, f"{title} is a thing.") for title in TITLES))


def linked(reader, text):
    """Return what a text mentions, with the titles that it is linked to."""
    return [(mention.name, [TITLES[row] for row in mention.rows]) for mention in reader.read(text).mentions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He saw Inception (2010 film) twice.", [("Inception (2010 film)", ["Inception (2010 film)"])]),
        ("He saw Inception twice.", [("Inception", ["Inception (2010 film)"])]),
        ("He lives in Paris, Texas now.", [("Paris, Texas", ["Paris, Texas"])]),
        ("He lives in Paris now.", [("Paris", ["Paris, Texas"])]),
        ("It was Ada Quill's house.", [("Ada Quill", ["Ada Quill"])]),
        ("It was Ada Quill’s house.", [("Ada Quill", ["Ada Quill"])]),
        ("It was ADA QUILL at work.", [("ADA QUILL", ["Ada Quill"])]),
        ("They shot The Salt Road there.", [("The Salt Road", ["The Salt Road"])]),
        ("They left for İzmir at dawn.", [("İzmir", ["İzmir"])]),
        ("They danced Cafe\u0301 Mu\u0308ller.", [("Café Müller", ["Café Müller"])]),
        ("They worked for AT&T once.", [("AT&T", ["AT&amp;T"])]),
        ("They met at Marsh-Benson Hall.", [("Marsh-Benson Hall", ["Marsh-Benson Hall"])]),
    ],
)
def test_a_mention_is_linked_to_the_title_it_means(reader, text, expected):
    assert linked(reader, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "They met in May of that year.",
        "They met in 1984 again.",
        "It was late.",
        "In time they left.",
        "He ate salt.",
    ],
)
def test_months_years_openers_and_small_letters_name_nothing(reader, text):
    assert linked(reader, text) == []


@pytest.mark.parametrize("word", ["Is", "Are", "Was", "Did", "Which", "Who", "Has", "Where"])
def test_the_word_that_opens_a_question_is_no_part_of_a_name(reader, word):
    text = f"{word} Ada Quill or Otto Brandl older?"
    assert linked(reader, text) == [("Ada Quill", ["Ada Quill"]), ("Otto Brandl", [])]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Then came Otto von Brandl along.", "Otto von Brandl"),
        ("She ran the House of the Rising Sun alone.", "House of the Rising Sun"),
        ("They praised Mira Tolland.", "Mira Tolland"),
    ],
)
def test_runs_of_capitals_are_mentions_without_a_title(reader, text, name):
    assert (name, []) in linked(reader, text)


def test_a_possessive_ends_a_name(reader):
    assert linked(reader, "Ada Quill's Salt is sold.") == [("Ada Quill", ["Ada Quill"]), ("Salt", ["Salt"])]


def test_the_longest_title_wins_over_its_parts(reader):
    assert [name for name, _ in linked(reader, "They took The Salt Road.")] == ["The Salt Road"]


def test_a_short_form_means_every_title_that_it_may_stand_for():
    titles = ("Inception (film)", "Inception", "Inception (album)")
    reader = Reader(Corpus.of(Passage.of(title, "A work.") for title in titles))
    (mention,) = reader.read("They liked Inception a lot.").mentions
    assert mention.rows == (1, 0, 2)  # the whole title first


def test_mentions_know_their_sentence_and_the_words_around_them(reader):
    first, second = reader.read("The painter Ada Quill slept. Much later Salt was found.").mentions
    assert (first.sentence, second.sentence) == (0, 1)
    assert stem("painter") in first.around
    assert stem("found") not in first.around


def test_the_title_of_a_passage_counts_as_terms_and_not_as_a_mention():
    reader = Reader(Corpus.of([Passage.of("Ada Quill", "A painter from Ambrel.")]))
    reading = reader.passage(0)
    assert stem("Quill") in reading.terms
    assert [mention.name for mention in reading.mentions] == ["Ambrel"]
    assert reader.passage(0) is reading


@pytest.mark.parametrize(
    ("title", "forms"),
    [
        ("Inception (film)", ("inception (film)", "inception")),
        ("Paris, Texas", ("paris, texas", "paris")),
        ("Salt", ("salt",)),
        ("(500) Days of Summer", ("(500) days of summer",)),
        ("", ("",)),
    ],
)
def test_surface_forms_are_the_whole_title_and_the_one_without_its_addition(title, forms):
    assert surface_forms(title) == forms


def test_abbreviations_and_initials_do_not_end_a_sentence():
    text = "Dr. Brandl met J. R. Quill. They left St. Ives in 1931. Was it late? Yes!"
    assert sentences_of(text) == [
        "Dr. Brandl met J. R. Quill.",
        "They left St. Ives in 1931.",
        "Was it late?",
        "Yes!",
    ]


def test_terms_meet_across_forms_of_a_word():
    assert terms_of("Who directed it?") & terms_of("The director was late.") == {stem("director")}
    assert terms_of("her birthplace") == terms_of("was born")
    assert terms_of("of the and") == frozenset()
    assert words_of("He left. St. Ives") == ["He", "left", "St.", "Ives"]


@given(st.text(st.characters(), max_size=200), st.text(st.characters(), max_size=40))
@example("A's. (B) “C”", "(")
@example("İ ŉ ǰ", "ﬃ")
@example("\u0301\u0301 's ''s A-", "\u0301")
def test_reading_never_fails(text, title):
    reader = Reader(Corpus.of([Passage.of(title, text), Passage.of("Ada Quill", title)]))
    for reading in (reader.read(text), reader.read(title), reader.passage(0), reader.passage(1)):
        assert all(mention.name and mention.key for mention in reading.mentions)
        assert all(mention.sentence < len(reading.sentences) for mention in reading.mentions)
    assert all(len(token) > 0 for token in tokens_of(text))


@given(
    st.lists(
        st.sampled_from(["Ada", "QUILL", "of", "İzmir", "(film)", "'s", "a.b", "É", "E\u0301"]), max_size=8
    )
)
def test_the_key_of_a_name_is_stable(words):
    text = " ".join(words)
    assert key_of(text) == key_of(key_of(text)) == key_of(text.casefold())
