import pytest
from hopilot.errors import InputError
from hopilot.questions import load_dataset


def test_gold_goes_by_flag_in_the_order_of_the_hops(write, musique):
    dataset = load_dataset(write(musique(), form="jsonl"))
    (question,) = dataset.questions
    assert (dataset.name, dataset.flaws) == ("musique", ())
    assert question.support == (question.passages[2].id, question.passages[0].id)
    assert question.answers == ("Ister", "River Ister", "the Ister")


def test_a_repeated_title_with_another_text_is_another_passage(write, musique):
    dataset = load_dataset(write(musique(), form="jsonl"))
    (question,) = dataset.questions
    assert len(dataset.corpus()) == 3
    assert question.passages[1].id not in question.support
    assert question.passages[0].title == question.passages[1].title


@pytest.mark.parametrize(
    ("name", "kind", "hops"),
    [("2hop__1_2", "2hop", 2), ("3hop2__1_2_3", "3hop2", 3), ("4hop1__1_2_3_4", "4hop1", 4), ("x", "", 2)],
)
def test_kind_and_hops_come_from_the_id(write, musique, name, kind, hops):
    (question,) = load_dataset(write(musique(id=name), form="jsonl")).questions
    assert (question.kind, question.hops) == (kind, hops)


def test_unanswerable_twins_are_skipped_and_reported(write, musique):
    twin = musique(answerable=False, question="Is there no answer?")
    dataset = load_dataset(write(musique(), twin, form="jsonl"))
    assert [question.text for question in dataset.questions] == [musique()["question"]]
    assert dataset.flaws == ("unanswerable question skipped: 1 time, first in '2hop__11_22'",)
    with pytest.raises(InputError, match=r"no question that can be used.*unanswerable"):
        load_dataset(write(twin, form="jsonl"))


def test_an_unlabelled_split_loads(write, musique):
    record = musique()
    bare = {name: record[name] for name in ("id", "question", "paragraphs")}
    bare["paragraphs"] = [
        {name: value for name, value in row.items() if name != "is_supporting"} for row in record["paragraphs"]
    ]
    (question,) = load_dataset(write(bare, form="jsonl")).questions
    assert (question.answers, question.support, len(question.passages)) == ((), (), 3)


def test_an_empty_gold_paragraph_counts_as_missing(write, musique):
    record = musique()
    rows = [row | ({"paragraph_text": " "} if row["idx"] == 2 else {}) for row in record["paragraphs"]]
    dataset = load_dataset(write(record | {"paragraphs": rows}, form="jsonl"))
    (question,) = dataset.questions
    assert (len(question.support), question.missing_support, question.gold_count) == (1, 1, 2)
    assert dataset.flaws == ("supporting paragraph is empty: 1 time, first in '2hop__11_22'",)


def test_a_support_flag_that_is_no_boolean_is_refused(write, musique):
    rows = [row | {"is_supporting": "maybe"} for row in musique()["paragraphs"]]
    path = write(musique(paragraphs=rows), form="jsonl")
    with pytest.raises(InputError, match=":1: 'is_supporting' is 'maybe'"):
        load_dataset(path)
