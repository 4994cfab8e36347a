import gzip
import json
from dataclasses import replace

import pytest
from hopilot.errors import InputError
from hopilot.evidence.passages import Passage
from hopilot.questions import Dataset, Question, load_dataset
from hopilot.questions.converting import convert
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

scratch = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
anything = st.text(max_size=12)
text = anything.map(str.strip).filter(bool)


@st.composite
def questions(draw):
    passages = draw(
        st.lists(st.builds(Passage.of, anything.map(str.strip), text), max_size=5, unique_by=lambda one: one.id)
    )
    ids = [passage.id for passage in passages]
    return Question(
        id=draw(text),
        text=draw(text),
        kind=draw(anything.map(str.strip)),
        hops=draw(st.integers(0, 5)),
        answers=tuple(draw(st.lists(text, max_size=3, unique=True))),
        support=tuple(draw(st.permutations(ids))[: draw(st.integers(0, len(ids)))]),
        passages=tuple(passages),
        missing_support=draw(st.integers(0, 2)),
    )


datasets = st.builds(
    Dataset,
    st.sampled_from(["hotpotqa", "2wikimultihopqa", "musique", "hopilot"]),
    st.lists(questions(), min_size=1, max_size=3, unique_by=lambda one: one.id).map(tuple),
)


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
@given(dataset=datasets)
@scratch
def test_a_converted_dataset_loads_as_it_was(tmp_path, name, dataset):
    again = load_dataset(convert(dataset, tmp_path / name, overwrite=True))
    assert (again.name, again.questions) == (dataset.name, dataset.questions)
    assert again.fingerprint == dataset.fingerprint


@given(titles=st.lists(anything, min_size=2, max_size=3), body=st.lists(anything, max_size=3), answer=anything)
@scratch
def test_odd_text_in_official_records_survives_loading_and_converting(
    tmp_path, hotpotqa, columnar, titles, body, answer
):
    context = [[title, [f"Number {at}.", *body]] for at, title in enumerate(titles)]
    record = hotpotqa(context=context, supporting_facts=[[titles[0], 0]], answer=answer)
    official, export = tmp_path / "official", tmp_path / "export"
    official.write_text(json.dumps([record]), encoding="utf-8")
    export.write_text(json.dumps(columnar(record), ensure_ascii=False), encoding="utf-8")
    dataset = load_dataset(official)
    (question,) = dataset.questions
    assert question.support == (question.passages[0].id,)
    assert load_dataset(export).questions == dataset.questions
    again = load_dataset(convert(dataset, tmp_path / "own.jsonl", overwrite=True))
    assert (again.name, again.questions) == ("hotpotqa", dataset.questions)


def test_an_own_record_becomes_a_question_with_gold_in_reasoning_order(write, own):
    dataset = load_dataset(write(own(), form="jsonl"))
    (question,) = dataset.questions
    assert (dataset.name, dataset.flaws) == ("hopilot", ())
    assert (question.kind, question.hops, question.answers) == ("bridge", 2, ("Ister", "River Ister"))
    assert question.support == (question.passages[1].id, question.passages[0].id)


def test_only_id_question_and_passages_are_needed(write):
    record = {
        "id": 7,
        "question": "Who?",
        "passages": [{"title": "A", "text": ["B.", "C."], "supporting": True}],
    }
    (question,) = load_dataset(write(record, form="jsonl")).questions
    assert (question.id, question.kind, question.hops, question.answers) == ("7", "", 0, ())
    assert question.passages[0].text == "B. C."
    assert question.support == (question.passages[0].id,)


def test_own_files_are_read_from_parquet(write, own):
    assert load_dataset(write(own(), form="parquet")).questions == load_dataset(write(own())).questions


def test_a_misspelt_field_is_reported(write, own):
    dataset = load_dataset(write(own(answer="Ister"), form="jsonl"))
    assert dataset.flaws == ("unknown field 'answer' ignored: 1 time, first in 'o1'",)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hops": "two"}, "'hops' is 'two'"),
        ({"hops": -1}, "'hops' is -1"),
        ({"hops": 1.5}, "'hops' is 1.5"),
        ({"passages": [{"title": "A", "body": "B"}]}, "entry 1 of 'passages' has the fields title, body"),
        ({"passages": [{"title": "A", "text": "B", "supporting": "yes"}]}, "'supporting' is 'yes'"),
        ({"dataset": "squad"}, "'dataset' is 'squad'"),
        ({"dataset": "musique"}, "belongs to musique, the records before it to hopilot"),
    ],
)
def test_a_wrong_field_is_named_with_its_line(write, own, changes, message):
    path = write(own(), own(id="o2") | changes, form="jsonl")
    with pytest.raises(InputError, match=message) as failure:
        load_dataset(path)
    assert failure.value.where == f"{path}:2"


def test_an_empty_gold_passage_counts_as_missing(write, own):
    passages = [{"title": "A", "text": " ", "supporting": True}, {"title": "B", "text": "C."}]
    dataset = load_dataset(write(own(passages=passages)))
    (question,) = dataset.questions
    assert (question.support, question.missing_support) == ((), 1)
    assert "supporting paragraph is empty: 1 time, first in 'o1'" in dataset.flaws


def test_missing_gold_survives_conversion_and_is_still_a_flaw(write, tmp_path, hotpotqa):
    dataset = load_dataset(write(hotpotqa(supporting_facts=[["Ister", 0], ["Lost", 0]])))
    again = load_dataset(convert(dataset, tmp_path / "own.jsonl"))
    assert again.questions == dataset.questions
    assert again.flaws == ("supporting passage missing from the source: 1 time, first in 'h1'",)


def test_conversion_gives_the_same_bytes_and_refuses_what_exists(write, tmp_path, own):
    dataset = load_dataset(write(own()))
    first = convert(dataset, tmp_path / "a.jsonl.gz").read_bytes()
    assert convert(dataset, tmp_path / "b.jsonl.gz").read_bytes() == first
    assert first[4:8] == bytes(4), "the time of writing is in the gzip header"
    assert gzip.decompress(first) == convert(dataset, tmp_path / "c.jsonl").read_bytes()
    with pytest.raises(InputError, match="the file exists"):
        convert(dataset, tmp_path / "c.jsonl")
    with pytest.raises(InputError, match="is a folder"):
        convert(dataset, tmp_path, overwrite=True)


def test_a_failed_conversion_leaves_nothing_behind(write, tmp_path, own):
    dataset = load_dataset(write(own(), own(id="o2")))
    stray = replace(dataset.questions[1], support=("0" * 32,))
    out = tmp_path / "out"
    with pytest.raises(InputError, match="'o2' name no passage"):
        convert(replace(dataset, questions=(dataset.questions[0], stray)), out / "own.jsonl")
    assert list(out.iterdir()) == []
