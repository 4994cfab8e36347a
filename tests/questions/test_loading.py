import pytest
from hopilot.errors import InputError
from hopilot.questions import Dataset, Question, load_dataset


def test_other_field_names_are_told_with_the_ones_expected(write):
    path = write({"qid": "1", "query": "Who?", "docs": []}, form="jsonl")
    with pytest.raises(InputError, match="fields qid, query, docs fit no known question file") as failure:
        load_dataset(path)
    assert failure.value.where == f"{path}:1"
    for fields in ("question, context", "question, paragraphs", "question, passages"):
        assert fields in failure.value.expected


def test_a_later_record_with_other_fields_is_named(write, hotpotqa):
    path = write(hotpotqa(), {"_id": "h2", "question": "Who?", "ctx": []})
    with pytest.raises(InputError, match="no 'context' given; the record has the fields _id, question, ctx"):
        load_dataset(path)


def test_identical_rows_with_one_id_are_kept_once(write, hotpotqa):
    dataset = load_dataset(write(hotpotqa(), hotpotqa(), hotpotqa(_id="h2")))
    assert [question.id for question in dataset.questions] == ["h1", "h2"]
    assert dataset.flaws == ("identical record repeated: 1 time, first in 'h1'",)


def test_different_rows_with_one_id_are_refused_with_both_places(write, own):
    path = write(own(), own(id="o2"), own(question="Another?"), form="jsonl")
    with pytest.raises(InputError, match="'o1' stands for another question") as failure:
        load_dataset(path)
    assert failure.value.where == f"{path}:3"
    assert f"{path}:1" in failure.value.what


def test_a_limit_takes_the_first_questions_and_reads_no_further(write, own):
    path = write(*(own(id=str(number)) for number in range(300)), form="jsonl")
    with path.open("ab") as stream:
        stream.write(b'{"id": ')
    assert [question.id for question in load_dataset(path, limit=2).questions] == ["0", "1"]
    with pytest.raises(InputError, match=":301"):
        load_dataset(path)
    for limit in (0, -1):
        with pytest.raises(InputError, match="leaves no question"):
            load_dataset(path, limit=limit)


def test_half_a_character_is_mended_and_reported(tmp_path):
    path = tmp_path / "questions"
    path.write_text(
        r'{"id": "o1", "question": "Who \ud83d is it?", "passages": [{"title": "A", "text": "B \udc00"}]}'
    )
    dataset = load_dataset(path)
    (question,) = dataset.questions
    assert question.text.encode() == "Who \ufffd is it?".encode()
    assert question.passages[0].text == "B \ufffd"
    assert dataset.flaws[0].startswith("half of a character")


def test_head_keeps_the_first_and_the_fingerprint_names_the_contents(write, own):
    dataset = load_dataset(write(own(), own(id="o2")))
    assert dataset.head(None) is dataset
    assert dataset.head(1).questions == dataset.questions[:1]
    assert dataset.head(9).questions == dataset.questions
    with pytest.raises(InputError):
        dataset.head(0)
    assert dataset.head(1).fingerprint != dataset.fingerprint
    assert load_dataset(write(own(), own(id="o2"), form="jsonl", gz=True)).fingerprint == dataset.fingerprint
    assert load_dataset(write(own(), own(id="o2", answers=["Sea"]))).fingerprint != dataset.fingerprint


def test_labels_are_required_only_where_one_lacks():
    gold = Question("q1", "Who?", answers=("A",), support=("x",))
    Dataset("hopilot", (gold,)).require_labels("scoring")
    for bare in (Question("q2", "Who?", answers=("A",)), Question("q2", "Who?", support=("x",))):
        with pytest.raises(InputError, match=r"scoring needs .* 1 of 2 questions have none \(first: 'q2'\)"):
            Dataset("hopilot", (gold, bare)).require_labels("scoring")


def test_support_recall_counts_each_gold_passage_once():
    question = Question("q1", "Who?", support=("x", "y"), missing_support=2)
    assert question.support_recall(["x", "x", "z"]) == 0.25
    with pytest.raises(ValueError, match="no gold support"):
        Question("q1", "Who?").support_recall(["x"])
