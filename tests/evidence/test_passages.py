import unicodedata

import pytest
from hopilot.evidence.passages import Corpus, Passage, normalise_title, passage_id
from hypothesis import given
from hypothesis import strategies as st

ANY_TEXT = st.text(st.characters(), max_size=40)  # surrogates included


def test_an_id_is_that_of_title_and_text_together():
    ids = {passage_id("A", "x"), passage_id("A", "y"), passage_id("B", "x"), passage_id("Ax", "")}
    assert len(ids) == 4


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Caf\u0065\u0301", "A place."),
        ("Café ", "A   place.\n"),
        ("CAFÉ", "A place."),
        ("Caf&eacute;", "A place."),
        ("Caf&#233;", " A\u00a0place. "),
    ],
)
def test_composition_escapes_case_of_the_title_and_white_space_do_not_count(title, text):
    assert passage_id(title, text) == passage_id("Café", "A place.")


def test_case_and_escapes_of_the_text_do_count():
    assert passage_id("A", "b") != passage_id("A", "B")
    assert passage_id("A", "&amp;") != passage_id("A", "&")


def test_the_title_is_kept_as_it_was_written():
    passage = Passage.of("AT&amp;T  Inc", "A company.")
    assert (passage.title, passage.text) == ("AT&amp;T  Inc", "A company.")
    assert normalise_title(passage.title) == "at&t inc"


def test_one_title_with_two_texts_is_two_passages():
    corpus = Corpus.of([Passage.of("Dunmarsh", "A town."), Passage.of("Dunmarsh", "A novel.")])
    assert len(corpus) == 2
    assert corpus.titled == {"dunmarsh": (0, 1)}


def test_exact_duplicates_are_stored_once_and_the_first_is_kept():
    first, again = Passage.of("Dunmarsh", "A town."), Passage.of("DUNMARSH ", "A  town.")
    corpus = Corpus.of([first, Passage.of("Ister", "A river."), again])
    assert [passage.title for passage in corpus] == ["Dunmarsh", "Ister"]
    assert corpus.position == {first.id: 0, Passage.of("Ister", "A river.").id: 1}


def test_a_corpus_is_named_by_its_passages_in_order():
    one, two = Passage.of("A", "x"), Passage.of("B", "y")
    assert Corpus.of([one, two]).fingerprint == Corpus.of([one, two, one]).fingerprint
    assert len({Corpus.of(some).fingerprint for some in ([one, two], [two, one], [one])}) == 3


@given(ANY_TEXT, ANY_TEXT)
def test_any_unicode_has_an_id_that_composition_and_white_space_do_not_change(title, text):
    identity = passage_id(title, text)
    assert len(identity) == 32
    assert passage_id(f" {title}\t", f"\n{text} ") == identity
    assert passage_id(unicodedata.normalize("NFD", title), unicodedata.normalize("NFD", text)) == identity


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_two_passages_share_an_id_only_when_title_and_text_compare_equal(title, text, title2, text2):
    def compared(text):
        return " ".join(unicodedata.normalize("NFC", text).split())

    same = (normalise_title(title), compared(text)) == (normalise_title(title2), compared(text2))
    assert (passage_id(title, text) == passage_id(title2, text2)) == same
