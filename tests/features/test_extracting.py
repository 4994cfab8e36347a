import random
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hopilot.evidence.actions import ACTION_NAMES, Action
from hopilot.evidence.lens import Lenses
from hopilot.evidence.passages import Passage
from hopilot.evidence.state import Held, Hit, State, Verdict
from hopilot.evidence.text import approximate_tokens
from hopilot.features.extract import FeatureExtractor, state_features
from hopilot.features.registry import registered, select
from hopilot.trajectories.exploring import ExploreSettings, explore
from hopilot.trajectories.schema import state_from_row
from tiny_world import TINY_LIMITS, TOWNS, build_index, open_world, tiny_dataset

LIMITS = replace(TINY_LIMITS, max_steps=4, candidates_per_action=3)
QUESTION = tiny_dataset().questions[0].text
ODD = ["", " ", "?", "Zzz qqq?", "ALL CAPITALS, OR NOT?", "Ünï 🙂 1984's", "is it?", "of " * 300]
MORE, GAP, REWRITE, BRIDGE, CHECK, STOP = (Action(name) for name in ACTION_NAMES[:6])


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    return open_world(tmp_path_factory.mktemp("cache"), LIMITS)


@pytest.fixture(scope="module")
def extractor(environment):
    return FeatureExtractor(environment.lenses, environment.limits)


@pytest.fixture(scope="module")
def met(environment):
    """States of random roll-outs, the last ones included."""
    generator = random.Random(7)
    states = environment.start([*(question.text for question in tiny_dataset().questions), *ODD] * 3)
    found = list(states)
    while going := [state for state in states if not state.ended]:
        states = environment.step([(state, generator.choice(environment.valid(state))) for state in going])
        found += states
    return found


@pytest.fixture
def seen(environment, extractor):
    """Return a function that gives named features after some actions, for one action."""

    def see(*actions, of=STOP, question=QUESTION, change=None):
        (state,) = environment.start([question])
        for action in actions:
            (state,) = environment.step([(state, action)])
        state = change(state) if change else state
        return dict(zip(extractor.names, extractor.rows(state, [of])[0].tolist(), strict=True)), state

    return see


def test_all_features_are_finite_in_every_state_that_is_met(environment, extractor, met):
    assert len(met) > 100
    for state in met:
        rows = extractor.rows(state, environment.valid(state))
        assert rows.shape == (len(environment.valid(state)), len(extractor.names))
        assert rows.dtype == np.float32
        assert np.isfinite(rows).all()


def test_flags_shares_and_probabilities_stay_in_range(environment, extractor, met):
    rows = np.concatenate([extractor.rows(state, environment.valid(state)) for state in met])
    units = [found.unit for found in extractor.declared]
    for place, (name, unit) in enumerate(zip(extractor.names, units, strict=True)):
        values = rows[:, place]
        if unit == "flag":
            assert set(values.tolist()) <= {0.0, 1.0}, name
        elif unit == "share":
            assert 0 <= values.min() <= values.max() <= 1, name
        elif unit == "probability":
            assert set(values[values < 0].tolist()) <= {-1.0}, name
            assert values.max() <= 1, name
        elif unit in ("count", "tokens", "calls"):
            assert values.min() >= 0, name
            assert np.array_equal(values, np.round(values)), name


def test_nearly_every_feature_tells_states_or_actions_apart(environment, extractor, met):
    rows = np.concatenate([extractor.rows(state, environment.valid(state)) for state in met])
    constant = {name for name, column in zip(extractor.names, rows.T, strict=True) if np.ptp(column) == 0}
    expected = {f"question_{word}" for word in ("who", "what", "when", "where", "how", "relative")}
    assert constant <= expected | {"frontier_score_3"}  # nobody asks these, and a retrieval brings two


def test_a_row_does_not_depend_on_other_actions_or_on_what_was_asked_before(environment, extractor, met):
    fresh = FeatureExtractor(Lenses(environment.index), environment.limits)
    for state in reversed(met[-60:]):
        valid = environment.valid(state)
        together = extractor.rows(state, valid)
        alone = np.concatenate([fresh.rows(state, [action]) for action in valid])
        assert together.tobytes() == alone.tobytes()


def test_fewer_names_give_the_same_columns(environment, extractor, met):
    names = ("cost_tokens", "question_words", "bridge_first", "is_stop_answer")
    some = FeatureExtractor(environment.lenses, environment.limits, names)
    columns = [extractor.names.index(name) for name in some.names]
    for state in met[-20:]:
        valid = environment.valid(state)
        assert some.rows(state, valid).tobytes() == extractor.rows(state, valid)[:, columns].tobytes()


def test_the_state_row_is_the_head_of_every_row(environment, extractor, met):
    many = len(state_features())
    alone = FeatureExtractor(environment.lenses, environment.limits, state_features())
    for state in met[-20:]:
        valid = environment.valid(state)
        head = extractor.rows(state, valid)[:1, :many]
        assert head.tobytes() == extractor.state_row(state).tobytes() == alone.rows(state, valid[:1]).tobytes()


def test_stored_states_give_the_rows_of_the_running_ones(tmp_path):
    """What the models are fitted to equals what they see when deployed, to the last bit."""
    dataset, cache = tiny_dataset(), tmp_path / "cache"
    run = explore(
        dataset, partial(open_world, cache, LIMITS), ExploreSettings("sampled", rollouts=3), tmp_path / "run"
    )
    index = build_index(cache)
    offline = FeatureExtractor(Lenses(index), LIMITS)
    environment = open_world(tmp_path / "other", LIMITS)
    online = FeatureExtractor(environment.lenses, LIMITS)
    rows = {(row["question_id"], row["state"]): row for row in run.read("states").to_pylist()}
    running = dict(
        zip(
            [(q.id, 0) for q in dataset.questions],
            environment.start([q.text for q in dataset.questions]),
            strict=True,
        )
    )
    compared = 0
    for row in run.read("transitions").to_pylist():
        key = (row["question_id"], row["state"])
        valid = environment.valid(running[key])
        stored, live = offline.rows(state_from_row(rows[key], index), valid), online.rows(running[key], valid)
        assert stored.tobytes() == live.tobytes()
        compared += 1
        if row["next_state"] >= 0:
            (after,) = environment.step([(running[key], Action(row["action"], row["candidate"]))])
            running[row["question_id"], row["next_state"]] = after
    assert compared > 100


# -- values by hand ---------------------------------------------------------------------------------


def test_the_question_by_hand(seen):
    found, _ = seen(question="Is Ada Quill's town, or the river of 1984, in Ambrel?")
    expected = {
        "question_words": 11, "question_entities": 2, "question_titles": 2, "question_numbers": 1,
        "question_commas": 2, "question_prepositions": 3, "question_yes_no": 1, "question_alternatives": 1,
        "question_who": 0, "question_relative": 0,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert found["question_capitals"] == pytest.approx(4 / 11)


def test_the_evidence_by_hand(seen):
    found, state = seen(MORE, BRIDGE, BRIDGE, of=CHECK)
    assert TOWNS[0] in [held.passage.title for held in state.evidence]
    tokens = sum(approximate_tokens(held.passage.text) for held in state.evidence)
    expected = {
        "evidence_passages": 6, "evidence_titles": 6, "evidence_tokens": tokens, "evidence_room": 0,
        "evidence_by_retrieve_more": 2, "evidence_by_bridge_entity_expand": 4, "history_steps": 3,
        "history_steps_left": 1, "history_retrievals": 3, "history_last_added": 2, "history_idle": 0,
        "taken_retrieve_more": 1, "taken_bridge_entity_expand": 2, "last_bridge_entity_expand": 1,
        "cost_model_calls": 1, "cost_retrievals": 0, "cost_tokens": tokens, "action_taken_before": 0,
        "is_sufficiency_check": 1, "is_stop_answer": 0, "probe_made": 0, "probe_confidence": -1, "probe_age": 6,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected


def test_the_frontier_by_hand(seen):
    found, state = seen(MORE)
    scores = [hit.score for hit in state.ranking]
    assert found["frontier_position"] == pytest.approx(2 / 8)
    assert found["frontier_score_1"] == np.float32(scores[2])
    assert found["frontier_score_3"] == 0.0  # one retrieval brings two
    assert found["frontier_drop"] == pytest.approx(scores[0] - scores[2], abs=1e-6)
    assert found["score_lead"] == pytest.approx(scores[0] - scores[1], abs=1e-6)
    assert found["score_best"] == pytest.approx(scores[0], abs=1e-6)
    assert found["score_mean"] == pytest.approx((scores[0] + scores[1]) / 2, abs=1e-6)
    assert found["frontier_already_held"] == 0


def test_the_next_passages_are_those_not_held(seen):
    def also_holding(state):
        hit = state.ranking[2]
        return replace(state, evidence=(*state.evidence, replace(state.evidence[0], row=hit.row)))

    found, state = seen(MORE, change=also_holding)
    assert found["frontier_score_1"] == np.float32(state.ranking[3].score)
    assert found["frontier_already_held"] == 1


def test_a_probe_by_hand(seen):
    verdict = Verdict(False, 0.25, ("Birkham river",))
    found, _ = seen(
        MORE, change=lambda state: replace(state, verdict=verdict, gaps=verdict.missing, checked_at=1), of=GAP
    )
    expected = {
        "probe_made": 1, "probe_sufficient": 0, "probe_confidence": 0.25, "probe_age": 1, "gap_count": 1,
        "gap_novelty": 0.5, "gap_titled": 1, "query_words": 2, "target_known": 1,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected


def test_each_candidate_has_features_of_its_own(environment, extractor, seen):
    _, state = seen(MORE)
    assert len(state.bridges) == 2
    actions = [Action("bridge_entity_expand", place) for place in range(2)]
    rows = extractor.rows(state, actions)
    column = extractor.names.index
    assert rows[:, column("candidate_rank")].tolist() == [0, 1]
    scores = [np.float32(bridge.score) for bridge in state.bridges]
    assert rows[:, column("candidate_score")].tolist() == scores
    assert scores == sorted(scores, reverse=True)
    targets = [
        environment.lenses.of(state.question).similarity(one.row) if one.row >= 0 else -1
        for one in state.bridges
    ]
    assert rows[:, column("target_similarity")].tolist() == [np.float32(one) for one in targets]


def test_titles_that_compare_equal_are_one_title(tmp_path):
    passages = [Passage.of("AT&amp;T", "a"), Passage.of("at&t ", "b"), Passage.of("Other", "c")]
    index = build_index(tmp_path, passages)
    held = tuple(Held(passage, row, 0.1, 0, "retrieve_more") for row, passage in enumerate(passages))
    extractor = FeatureExtractor(Lenses(index), LIMITS, ["evidence_titles"])
    assert extractor.rows(State("?", evidence=held), [STOP]).tolist() == [[2.0]]


def test_a_pair_of_passages_is_linked_once_however_often_it_is_named(tmp_path):
    passages = [
        Passage.of("Start", "They saw Inception (film) and liked Inception. They praised Inception again."),
        Passage.of("Inception (film)", "It begins at Start."),
    ]
    index = build_index(tmp_path, passages)
    held = tuple(Held(passage, row, 0.1, 0, "retrieve_more") for row, passage in enumerate(passages))
    extractor = FeatureExtractor(Lenses(index), LIMITS, ["evidence_links"])
    assert extractor.rows(State("?", evidence=held, ranking=(Hit(0, 0.1),)), [STOP]).tolist() == [[2.0]]


def test_no_feature_is_computed_that_was_not_asked_for(environment, seen, monkeypatch):
    _, state = seen(MORE)
    extractor = FeatureExtractor(environment.lenses, LIMITS, select(groups=["history"]))

    def fail(self, row):
        raise AssertionError("looked at a passage")

    monkeypatch.setattr("hopilot.evidence.lens.Lens.glance", fail)
    assert extractor.rows(state, [STOP]).shape == (1, len(select(groups=["history"])))
    assert {registered()[name].level for name in extractor.names} == {"state"}
