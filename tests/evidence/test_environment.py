import time
from dataclasses import dataclass, replace

import pytest
from hopilot.errors import RunError
from hopilot.evidence.actions import ACTION_NAMES, Action
from hopilot.evidence.environment import Environment
from hopilot.evidence.language_model import Metered
from hopilot.evidence.state import Limits, Usage
from tiny_world import TOWNS, Scripted, build_index, open_world, tiny_dataset

QUESTIONS = [question.text for question in tiny_dataset().questions]
LIMITS = Limits(max_steps=4, passages_per_retrieval=2, context_passages=3, frontier_depth=6)
MORE, GAP, REWRITE, BRIDGE, CHECK, STOP, COMPRESS = (Action(name) for name in ACTION_NAMES)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    return build_index(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def environment(index):
    return Environment(index, Scripted(), LIMITS)


def taken(environment, *actions, question=QUESTIONS[0]):
    """Return the state after some actions."""
    (state,) = environment.start([question])
    for action in actions:
        (state,) = environment.step([(state, action)])
    return state


# -- what each action does --------------------------------------------------------------------------


def test_a_question_starts_with_its_ranking_and_no_evidence(environment, index):
    state = taken(environment)
    rows, scores = index.search(index.embed_queries([QUESTIONS[0]])[0], 6)
    assert [(hit.row, hit.score) for hit in state.ranking] == list(zip(rows, scores, strict=True))
    assert (state.evidence, state.cursor, state.history, state.usage) == ((), 0, (), Usage())
    assert state.queries == (state.active_query,) == (QUESTIONS[0],)


def test_retrieve_more_walks_down_the_initial_ranking(environment):
    once, twice = taken(environment, MORE), taken(environment, MORE, MORE)
    ranking = [hit.row for hit in once.ranking]
    assert (once.rows, once.cursor) == (tuple(ranking[:2]), 2)
    assert (twice.rows, twice.cursor) == (tuple(ranking[:4]), 4)
    assert [(held.rank, held.action) for held in twice.evidence] == [(at, "retrieve_more") for at in range(4)]
    assert twice.usage == Usage(retrieval_calls=2)
    last = twice.history[-1]
    assert (last.added, last.top_score, last.note) == (2, twice.evidence[2].score, "")


def test_retrieve_more_passes_over_what_is_held(environment):
    state = taken(environment, MORE)
    held = replace(
        state.evidence[0], row=state.ranking[2].row, passage=environment.index.passage(state.ranking[2].row)
    )
    state = replace(state, evidence=(*state.evidence, held))
    (after,) = environment.step([(state, MORE)])
    assert after.cursor == 5
    assert after.rows[3:] == tuple(hit.row for hit in state.ranking[3:5])


def test_a_walk_that_finds_nothing_unseen_says_so(environment):
    state = taken(environment, MORE, MORE, MORE)
    state = replace(state, cursor=4)
    (after,) = environment.step([(state, MORE)])
    assert (after.cursor, after.history[-1].added, after.history[-1].note) == (6, 0, "nothing unseen")


def test_a_check_records_verdict_and_gaps(environment):
    state = taken(environment, MORE, CHECK)
    assert state.verdict.sufficient is False
    assert state.gaps == state.verdict.missing
    assert state.checked_at == 2
    assert state.usage == Usage(1, 1, 10, 2)
    assert CHECK not in environment.valid(state)
    assert state.evidence == taken(environment, MORE).evidence


def test_a_positive_check_clears_the_gaps(environment):
    state = taken(environment, MORE, CHECK, MORE, CHECK)
    assert state.verdict.sufficient is True
    assert state.gaps == ()


@pytest.mark.parametrize("missing", [("", "  ", "a river"), ("a river", "a river"), (QUESTIONS[0], "a river")])
def test_blank_repeated_and_asked_gaps_are_not_recorded(index, missing):
    state = taken(Environment(index, Scripted(missing=missing), LIMITS), MORE, CHECK)
    assert state.gaps == ("a river",)


def test_a_gap_query_searches_with_the_gap_and_consumes_it(environment, index):
    before, state = taken(environment, MORE, CHECK), taken(environment, MORE, CHECK, GAP)
    rows, _ = index.search(index.embed_queries([before.gaps[0]])[0], 24)
    assert state.rows[2:] == tuple(row for row in rows if row not in before.rows)[:2]
    assert state.gaps == before.gaps[1:]
    assert state.queries == (QUESTIONS[0], before.gaps[0])
    assert (state.history[-1].query, state.history[-1].candidate) == (before.gaps[0], before.gaps[0])
    assert state.usage.retrieval_calls == 2
    assert state.active_query == QUESTIONS[0]


def test_another_gap_can_be_chosen(environment):
    before, state = taken(environment, MORE, CHECK), taken(environment, MORE, CHECK, Action("gap_query", 1))
    assert state.queries[-1] == before.gaps[1]
    assert state.gaps == before.gaps[:1]


def test_a_rewrite_changes_the_active_query_and_starts_from_it(environment):
    once = taken(environment, MORE, REWRITE)
    assert once.active_query == once.queries[-1] == f"{QUESTIONS[0]} {once.evidence[1].passage.title}"
    assert once.rewritten_at == 2
    assert once.usage == Usage(2, 1, 7, 3)
    twice = taken(environment, MORE, REWRITE, REWRITE)
    assert twice.active_query.startswith(once.active_query)


def test_a_bridge_expansion_brings_the_titled_passage_first_and_is_not_offered_again(environment, index):
    state = taken(environment, MORE)
    place, bridge = next((at, one) for at, one in enumerate(state.bridges) if one.row >= 0)
    (after,) = environment.step([(state, Action("bridge_entity_expand", place))])
    assert (after.evidence[2].row, after.evidence[2].rank) == (bridge.row, 0)
    assert after.evidence[2].score == index.score(bridge.row, index.embed_queries([bridge.query])[0])
    assert bridge.name not in [one.name for one in after.bridges]
    assert (after.history[-1].candidate, after.history[-1].query) == (bridge.name, bridge.query)


def test_a_titled_passage_comes_first_whatever_it_scores(tmp_path):
    environment = open_world(tmp_path, replace(LIMITS, passages_per_retrieval=1))
    state = taken(environment, MORE)
    bridge = replace(state.bridges[0], row=23, query="nothing alike")
    (after,) = environment.step([(replace(state, bridges=(bridge,)), BRIDGE)])
    assert after.rows == (*state.rows, 23)


def test_stopping_ends_with_the_evidence_so_far(environment):
    state = taken(environment, MORE, STOP)
    assert (state.stop_reason, state.ended, state.steps) == ("stop_answer", True, 1)
    assert state.evidence == taken(environment, MORE).evidence
    assert taken(environment, *[MORE] * 3, CHECK, STOP).stop_reason == "step cap"


def test_compression_leaves_the_state_as_it_is(environment):
    ended = taken(environment, MORE).stopped("a reason of its own")
    assert environment.step([(ended, COMPRESS)]) == [ended]


# -- queries that do nothing ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rewrite", "note"), [("", "blank query"), (" \n", "blank query"), (QUESTIONS[0], "repeated query")]
)
def test_a_blank_or_repeated_rewrite_costs_a_step_and_no_retrieval(index, rewrite, note):
    environment = Environment(index, Scripted(rewrite=rewrite), LIMITS)
    before, after = taken(environment, MORE), taken(environment, MORE, REWRITE)
    assert (after.history[-1].note, after.history[-1].added, after.steps) == (note, 0, 2)
    assert after.usage == before.usage + Usage(0, 1, 7, 3)
    assert (after.evidence, after.queries, after.active_query) == (
        before.evidence,
        before.queries,
        QUESTIONS[0],
    )
    assert REWRITE not in environment.valid(after)


def test_a_repeated_gap_costs_a_step_and_is_consumed(environment):
    state = taken(environment, MORE, CHECK)
    state = replace(state, queries=(*state.queries, state.gaps[0]))
    (after,) = environment.step([(state, GAP)])
    assert after.history[-1].note == "repeated query"
    assert after.usage == state.usage
    assert after.gaps == state.gaps[1:]


@pytest.mark.parametrize("question", ["", "  \n"])
def test_a_blank_question_ends_without_evidence(environment, question):
    state = taken(environment, question=question)
    assert state.ranking == ()
    assert environment.valid(state) == (STOP,)
    (outcome,) = environment.finish(environment.step([(state, STOP)]))
    assert (outcome.answer, outcome.snippets, outcome.usage) == ("", (), Usage())


# -- all of them together ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action", [GAP, BRIDGE, CHECK, STOP, COMPRESS, Action("retrieve_more", 1), Action("dance")]
)
def test_an_invalid_action_is_a_failed_run(environment, action):
    with pytest.raises(RunError, match="is not valid here"):
        environment.step([(taken(environment), action)])


def test_one_invalid_action_stops_the_batch_before_anything_is_asked(index):
    @dataclass
    class Counting(Scripted):
        calls: int = 0

        def judge_sufficiency(self, question, passages):
            self.calls += 1
            return super().judge_sufficiency(question, passages)

    model = Counting()
    environment = Environment(index, model, LIMITS)
    state = taken(environment, MORE)
    with pytest.raises(RunError):
        environment.step([(state, CHECK), (taken(environment), CHECK)])
    assert model.calls == 0


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("scripted", [True, False])
def test_it_always_ends_whatever_is_chosen(tmp_path, place, scripted):
    environment = open_world(tmp_path, replace(LIMITS, candidates_per_action=2), scripted=scripted)
    states = environment.start([*QUESTIONS[:3], "", "Zzz?", QUESTIONS[0]])
    for level in range(LIMITS.max_steps + 1):
        going = [state for state in states if not state.ended]
        choices = [environment.valid(state) for state in going]
        assert all(choices)
        states = environment.step(
            [(s, valid[(place + level) % len(valid)]) for s, valid in zip(going, choices, strict=True)]
        )
    assert all(state.ended for state in states)


@pytest.mark.parametrize("scripted", [True, False])
def test_a_batch_equals_one_by_one(tmp_path, scripted):
    script = [MORE, CHECK, BRIDGE, REWRITE]
    together = open_world(tmp_path / "one", LIMITS, scripted=scripted)
    states = together.start(QUESTIONS)
    for action in script:
        states = together.step([(state, action) for state in states])
    for question, state in reversed(list(zip(QUESTIONS, states, strict=True))):
        alone = open_world(tmp_path / "two", LIMITS, scripted=scripted)
        assert taken(alone, *script, question=question) == state
    answers = [environment.finish([state])[0] for environment in (together, alone) for state in states]
    assert answers == together.finish(states) * 2


def test_different_actions_mix_in_one_batch(environment):
    checked, held = taken(environment, MORE, CHECK), taken(environment, MORE)
    actions = [MORE, GAP, REWRITE, CHECK, STOP, BRIDGE]
    pairs = [(held if action == CHECK else checked, action) for action in actions]
    assert environment.step(pairs) == [environment.step([pair])[0] for pair in pairs]


@dataclass
class Uneven(Scripted):
    """The first asked is the last to be answered."""

    def judge_sufficiency(self, question, passages):
        time.sleep(0.02 * (len(QUESTIONS) - QUESTIONS.index(question)))
        return super().judge_sufficiency(question, passages)

    def answer(self, question, evidence, *, tokens=48):
        time.sleep(0.01 * (len(QUESTIONS) - QUESTIONS.index(question)))
        return Metered(question, Usage(model_calls=1))


def test_threads_do_not_change_the_order(index):
    one, four = (Environment(index, Uneven(), LIMITS, threads=threads) for threads in (1, 4))
    states = one.step([(state, MORE) for state in one.start(QUESTIONS)])
    pairs = [(state, CHECK) for state in states]
    began = time.perf_counter()
    checked = four.step(pairs)
    took = time.perf_counter() - began
    assert checked == one.step(pairs)
    assert took < 0.02 * 36  # what one after another sleeps
    outcomes = four.finish(checked)
    assert outcomes == one.finish(checked)
    assert [outcome.answer for outcome in outcomes] == QUESTIONS


def test_many_threads_share_views_that_are_forgotten_meanwhile(tmp_path, monkeypatch):
    monkeypatch.setattr("hopilot.evidence.lens._KEPT", 1)
    monkeypatch.setattr("hopilot.evidence.index._REMEMBERED", 1)
    limits = replace(LIMITS, max_steps=2)
    many = QUESTIONS * 6
    found = []
    for threads in (1, 8):
        environment = open_world(tmp_path / str(threads), limits, threads=threads)
        states = environment.step([(state, MORE) for state in environment.start(many)])
        states = environment.step([(state, CHECK) for state in states])
        found.append([outcome.answer for outcome in environment.finish(states)])
    assert found[0] == found[1]


def test_only_the_first_passages_reach_the_answerer(environment):
    state = taken(environment, MORE, MORE)
    (outcome,) = environment.finish([state])
    assert [snippet.title for snippet in outcome.snippets] == [
        held.passage.title for held in state.evidence[:3]
    ]
    assert outcome.usage == state.usage + Usage(0, 2, 35, 6)
    assert outcome.state is state


def test_the_extractive_model_finds_its_way_in_the_tiny_world(tmp_path):
    environment = open_world(tmp_path, replace(LIMITS, context_passages=12))
    state = taken(environment, MORE, BRIDGE, BRIDGE)  # the band, the painter, the town
    assert TOWNS[0] in [held.passage.title for held in state.evidence]
    (outcome,) = environment.finish([state])
    assert TOWNS[0] in [snippet.title for snippet in outcome.snippets]
    assert outcome.answer
