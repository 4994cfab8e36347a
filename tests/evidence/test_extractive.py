from itertools import permutations

import pytest
from hopilot.evidence.bridges import bridge_candidates
from hopilot.evidence.extractive import Extractive
from hopilot.evidence.passages import Passage
from hopilot.evidence.state import Usage
from hopilot.evidence.text import approximate_tokens
from tiny_world import PEOPLE, RIVERS, TOWNS, born, build_index, lies, tiny_dataset

QUESTION = tiny_dataset().questions[0].text
LONG = [
    Passage.of(
        f"Report {number}",
        " ".join(f"The river report {number} has a sentence {line} in it." for line in range(30)),
    )
    for number in range(4)
]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    passages = [*tiny_dataset().corpus(), *LONG]
    return build_index(tmp_path_factory.mktemp("cache"), passages)


@pytest.fixture
def model(index):
    return Extractive(index)


def test_evidence_that_covers_the_question_is_judged_better_than_what_does_not(model):
    right = model.judge_sufficiency(QUESTION, [born(0), lies(0)]).value
    wrong = model.judge_sufficiency(QUESTION, [lies(5), lies(6)]).value
    assert 0 <= wrong.confidence < right.confidence <= 1


def test_verdict_and_confidence_agree_and_only_a_negative_one_names_gaps(model):
    for held in ([born(0)], [born(0), lies(0)], [lies(3)], LONG):
        verdict = model.judge_sufficiency(QUESTION, held).value
        assert verdict.sufficient == (verdict.confidence >= 0.5)
        assert bool(verdict.missing) == (not verdict.sufficient)


def test_gaps_name_what_the_question_names_and_nobody_holds_first(model):
    verdict = model.judge_sufficiency(QUESTION, [lies(5)]).value
    assert verdict.missing[0] == PEOPLE[0]
    assert len(verdict.missing) <= 3
    assert len(set(verdict.missing)) == len(verdict.missing)


def test_gaps_ask_about_what_the_evidence_leads_to(model):
    verdict = model.judge_sufficiency(QUESTION, [born(0)]).value
    assert verdict.missing[0].startswith(TOWNS[0])


def test_a_verdict_does_not_depend_on_the_order_of_passages(model):
    held = [born(0), lies(0), born(1)]
    assert len({model.judge_sufficiency(QUESTION, some).value for some in permutations(held)}) == 1


def test_a_rewrite_puts_the_lead_in_the_place_of_what_led_to_it(model):
    rewritten = model.rewrite_query(QUESTION, QUESTION, [born(0)]).value
    assert rewritten == QUESTION.replace(PEOPLE[0], TOWNS[0])


def test_a_rewrite_appends_the_lead_where_the_question_names_nothing_that_led_to_it(model, index):
    rewritten = model.rewrite_query(QUESTION, QUESTION, [born(4)]).value
    lead = bridge_candidates(model.lenses.of(QUESTION), (index.corpus.position[born(4).id],))[0]
    assert rewritten == f"{QUESTION} {lead.name}"


def test_a_rewrite_without_leads_asks_for_what_is_not_covered(model):
    reply = model.rewrite_query("Which sentence has the harbour?", "x", [LONG[0]])
    assert reply.value == "harbour"


@pytest.mark.parametrize(("snippets", "tokens"), [(8, 256), (3, 256), (8, 40), (1, 5), (0, 256), (12, 384)])
def test_compression_keeps_within_its_limits(model, snippets, tokens):
    kept = model.compress(QUESTION, LONG, snippets=snippets, tokens=tokens).value
    assert len(kept) <= snippets
    assert sum(approximate_tokens(snippet.text) for snippet in kept) <= tokens
    assert bool(kept) == (snippets > 0 and tokens >= 11)


def test_compression_keeps_sentences_of_the_passages_in_their_order(model):
    held = [born(0), LONG[1], lies(0)]
    kept = model.compress(QUESTION, held, snippets=99, tokens=9999).value
    assert len(kept) == 34
    texts = {passage.id: passage.text for passage in held}
    assert all(snippet.text in texts[snippet.passage_id] for snippet in kept)
    order = [list(texts).index(snippet.passage_id) for snippet in kept]
    assert order == sorted(order)
    assert set(order) == {0, 1, 2}


def test_compression_prefers_what_the_question_asks_about(model):
    (kept,) = model.compress(QUESTION, [LONG[0], born(0)], snippets=1, tokens=256).value
    assert kept.title == PEOPLE[0]


def test_it_answers_from_the_evidence(model):
    snippets = model.compress(QUESTION, [born(0), lies(0)], snippets=8, tokens=256).value
    assert RIVERS[0] in model.answer(QUESTION, snippets).value


def test_answers_stay_within_their_tokens_and_abstain_without_evidence(model):
    snippets = model.compress(QUESTION, LONG, snippets=8, tokens=256).value
    assert len(model.answer(QUESTION, snippets, tokens=1).value.split()) <= 1
    assert model.answer(QUESTION, ()).value == ""


def test_every_call_is_counted(model):
    held = [born(0), lies(0)]
    snippets = model.compress(QUESTION, held, snippets=8, tokens=256)
    replies = [
        model.judge_sufficiency(QUESTION, held),
        model.rewrite_query(QUESTION, QUESTION, held),
        snippets,
        model.answer(QUESTION, snippets.value),
    ]
    for reply in replies:
        assert (reply.usage.retrieval_calls, reply.usage.model_calls) == (0, 1)
        assert reply.usage.prompt_tokens > approximate_tokens(QUESTION)
    assert sum((reply.usage for reply in replies), Usage()).model_calls == 4


def test_two_models_reply_alike(index):
    held = [born(0), lies(0), *LONG]
    first, second = Extractive(index), Extractive(index)
    second.judge_sufficiency("Something else?", [lies(1)])
    for _ in range(2):  # found, then remembered
        assert first.judge_sufficiency(QUESTION, held) == second.judge_sufficiency(QUESTION, held)
    assert first.name == second.name
    assert first.rewrite_query(QUESTION, "q", held) == second.rewrite_query(QUESTION, "q", held)
    assert first.compress(QUESTION, held, snippets=8, tokens=256) == second.compress(
        QUESTION, held, snippets=8, tokens=256
    )


@pytest.mark.parametrize("question", ["", "?", "of the", "Ünï 🙂 \ud800", QUESTION])
def test_no_task_fails_on_odd_questions_or_without_passages(model, question):
    stranger = Passage.of("Stranger", "Not in the index.")
    for held in ([], [stranger], [born(0), stranger]):
        verdict = model.judge_sufficiency(question, held).value
        assert 0 <= verdict.confidence <= 1
        assert isinstance(model.rewrite_query(question, question, held).value, str)
        kept = model.compress(question, held, snippets=8, tokens=256).value
        assert stranger.id not in [snippet.passage_id for snippet in kept]
        assert isinstance(model.answer(question, kept).value, str)
