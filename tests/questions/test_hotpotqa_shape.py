import pytest
from hopilot.errors import InputError
from hopilot.questions import load_dataset


def titles(question):
    by_id = {passage.id: passage.title for passage in question.passages}
    return [by_id[gold] for gold in question.support]


def only(dataset):
    (question,) = dataset.questions
    return question


def test_a_hotpotqa_record_becomes_a_question(write, hotpotqa):
    dataset = load_dataset(write(hotpotqa()))
    question = only(dataset)
    assert (dataset.name, dataset.flaws) == ("hotpotqa", ())
    assert (question.id, question.kind, question.hops, question.answers) == ("h1", "bridge", 2, ("Ister",))
    assert titles(question) == ["Orla Vane", "Dunmarsh"]
    assert question.passages[0].text == "Orla Vane is a painter. She was born in Dunmarsh."
    assert question.labelled


@pytest.mark.parametrize(
    ("kind", "hops"), [("bridge_comparison", 4), ("comparison", 2), ("compositional", 2), ("inference", 2)]
)
def test_2wiki_is_told_by_its_evidences_and_hops_by_its_type(write, two_wiki, kind, hops):
    dataset = load_dataset(write(two_wiki(type=kind)))
    assert (dataset.name, only(dataset).kind, only(dataset).hops) == ("2wikimultihopqa", kind, hops)


def test_2wiki_is_told_by_a_later_record_of_its_own_type(write, hotpotqa):
    path = write(hotpotqa(type="comparison"), hotpotqa(_id="h2", type="inference"))
    assert load_dataset(path, limit=1).name == "2wikimultihopqa"


def test_a_2wiki_type_that_is_unknown_counts_its_support_as_hops(write, two_wiki):
    assert only(load_dataset(write(two_wiki(type="novel")))).hops == 2


def test_sentences_and_one_string_are_the_same_passage(write, hotpotqa):
    record = hotpotqa()
    joined = hotpotqa(context=[[title, " ".join(body)] for title, body in record["context"]])
    spaced = hotpotqa(context=[[title, [f" {part}" for part in body]] for title, body in record["context"]])
    expected = only(load_dataset(write(record)))
    assert only(load_dataset(write(joined))) == expected
    assert only(load_dataset(write(spaced))) == expected
    assert load_dataset(write(joined)).flaws == ()


def test_an_unlabelled_split_loads_and_is_refused_where_gold_is_needed(write, hotpotqa, columnar):
    bare = {name: value for name, value in hotpotqa().items() if name not in ("answer", "supporting_facts")}
    null = columnar(hotpotqa()) | {"answer": None, "supporting_facts": {"title": None, "sent_id": None}}
    for record in (bare, null, hotpotqa(answer="", supporting_facts=[])):
        dataset = load_dataset(write(record))
        question = only(dataset)
        assert (question.answers, question.support, question.labelled) == ((), (), False)
        assert len(question.passages) == 3
        with pytest.raises(InputError, match="training needs gold answers"):
            dataset.require_labels("training")


def test_gold_missing_from_a_full_wiki_context_stays_in_the_denominator(write, hotpotqa):
    dataset = load_dataset(
        write(hotpotqa(supporting_facts=[["Orla Vane", 0], ["Lost Page", 1], ["Lost page", 3]]))
    )
    question = only(dataset)
    assert titles(question) == ["Orla Vane"]
    assert (question.missing_support, question.labelled) == (1, True)
    assert question.support_recall(set(question.support)) == 0.5
    assert dataset.flaws == ("supporting title missing from the context: 1 time, first in 'h1'",)


def test_gold_whose_only_paragraph_is_empty_counts_as_missing(write, hotpotqa):
    context = [
        ["Orla Vane", ["Orla Vane is a painter."]],
        ["Dunmarsh", ["", " "]],
        ["Ister", []],
        ["Sea", None],
    ]
    dataset = load_dataset(
        write(hotpotqa(context=context, supporting_facts=[["Orla Vane", 0], ["Dunmarsh", 0]]))
    )
    assert [passage.title for passage in only(dataset).passages] == ["Orla Vane"]
    assert only(dataset).missing_support == 1
    assert "empty paragraph dropped: 3 times, first in 'h1'" in dataset.flaws


@pytest.mark.parametrize("context", [[], None])
def test_an_empty_context_is_a_flaw(write, hotpotqa, context):
    dataset = load_dataset(write(hotpotqa(context=context), hotpotqa(_id="h2")))
    assert dataset.questions[0].passages == ()
    assert "question without a paragraph of its own: 1 time, first in 'h1'" in dataset.flaws


@pytest.mark.parametrize("sentence", [7, -1, None, "x"])
def test_a_sentence_number_out_of_range_is_a_flaw_and_the_paragraph_is_gold(write, hotpotqa, sentence):
    dataset = load_dataset(write(hotpotqa(supporting_facts=[["Ister", sentence], ["Dunmarsh", 1]])))
    assert titles(only(dataset)) == ["Ister", "Dunmarsh"]
    assert dataset.flaws == ("supporting sentence number past the end of its paragraph: 1 time, first in 'h1'",)


def test_titles_are_matched_in_spite_of_escapes_case_and_composition(write, hotpotqa):
    context = [["Caf&eacute; &amp; Bar", ["A place."]], ["DUNMARSH", ["A town."]]]
    facts = [["Cafe\u0301 & Bar", 0], ["Dunmarsh", 0]]
    dataset = load_dataset(write(hotpotqa(context=context, supporting_facts=facts)))
    assert titles(only(dataset)) == ["Caf&eacute; &amp; Bar", "DUNMARSH"]
    assert dataset.flaws == ()


def test_a_title_as_written_goes_before_one_in_other_case(write, hotpotqa):
    context = [["Brass buttons", ["A list of things."]], ["Brass Buttons", ["A film.", "It is silent."]]]
    dataset = load_dataset(write(hotpotqa(context=context, supporting_facts=[["Brass Buttons", 0]])))
    assert titles(only(dataset)) == ["Brass Buttons"]


def test_same_titled_paragraphs_are_told_apart_by_the_named_sentence(write, hotpotqa):
    context = [["Dunmarsh", ["A novel."]], ["Dunmarsh", ["A town.", "It lies on the Ister."]]]
    dataset = load_dataset(write(hotpotqa(context=context, supporting_facts=[["Dunmarsh", 1]])))
    question = only(dataset)
    assert question.support == (question.passages[1].id,)
    assert dataset.flaws == ("supporting title borne by several different paragraphs: 1 time, first in 'h1'",)


def test_identical_paragraphs_are_kept_once(write, hotpotqa):
    record = hotpotqa()
    dataset = load_dataset(write(record | {"context": record["context"] * 2}, hotpotqa(_id="h2")))
    assert len(dataset.questions[0].passages) == 3
    assert len(dataset.corpus()) == 3
    assert dataset.flaws == ()


@pytest.mark.parametrize(
    ("answer", "answers"),
    [
        (None, ()),
        (1987, ("1987",)),
        (3.0, ("3",)),
        (True, ("yes",)),
        (False, ("no",)),
        (["Ister", "River Ister", "Ister", ""], ("Ister", "River Ister")),
        (" Ister ", ("Ister",)),
        (float("nan"), ()),
    ],
)
def test_an_answer_of_any_scalar_type_or_a_list_is_understood(write, hotpotqa, answer, answers):
    assert only(load_dataset(write(hotpotqa(answer=answer)))).answers == answers


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": {"text": "Ister"}}, "'answer' is a dict"),
        ({"question": "  "}, "the question is blank"),
        ({"question": None}, "no 'question' given"),
        ({"_id": None}, "no '_id' or 'id' given; the record has the fields _id, question"),
        ({"context": 3}, "'context' is a int"),
        ({"context": "plain text"}, "'context' is text, and not JSON"),
        ({"context": [["only a title"]]}, "entry 1 of 'context' is"),
        ({"context": [{"name": "A", "text": "B"}]}, "entry 1 of 'context' has the fields name, text"),
        ({"context": {"title": ["A", "B"], "sentences": [["C."]]}}, "'context' differ in length"),
        ({"context": {"titles": ["A"]}}, "'context' has the columns titles"),
        ({"context": {"title": "A", "sentences": ["B"]}}, "a column of 'context' is no list"),
        ({"supporting_facts": ["Orla Vane"]}, "entry 1 of 'supporting_facts' is 'Orla Vane'"),
        ({"type": ["bridge"]}, "'type' is a list"),
    ],
)
def test_a_wrong_field_is_named_with_its_record(write, hotpotqa, changes, message):
    path = write(hotpotqa(), hotpotqa(_id="h2") | changes)
    with pytest.raises(InputError, match=message) as failure:
        load_dataset(path)
    assert failure.value.where == f"{path}:record 2"
