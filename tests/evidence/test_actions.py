"""The validity table of the design, row by row."""

from dataclasses import replace

import pytest
from hopilot.evidence.actions import (
    ACQUISITION,
    ACTION_NAMES,
    ACTIONS,
    Action,
    kind_of,
    valid_actions,
    why_invalid,
)
from hopilot.evidence.passages import Passage
from hopilot.evidence.state import Bridge, Held, Hit, Limits, State, Step, Usage

LIMITS = Limits(max_steps=4)
HELD = tuple(Held(Passage.of(f"P{row}", "x"), row, 0.5, row, "retrieve_more") for row in range(2))
BRIDGES = tuple(
    Bridge(name, f"{name} river", 0.0, -1, 1, 1, 0.0, 0.0, 0.0, False, False, 0, 0.0) for name in "ABC"
)
START = State("Who?", ranking=(Hit(0, 0.9), Hit(1, 0.8)))
FULL = replace(START, evidence=HELD, cursor=1, gaps=("a", "b", "c"), bridges=BRIDGES)
STEPS = tuple(Step("retrieve_more") for _ in range(4))

ROWS = [
    # action, state, why it is invalid (blank: valid)
    ("retrieve_more", START, ""),
    ("retrieve_more", FULL, ""),
    ("retrieve_more", replace(FULL, cursor=2), "the initial ranking is exhausted"),
    ("retrieve_more", replace(START, ranking=()), "the initial ranking is exhausted"),
    ("gap_query", FULL, ""),
    ("gap_query", replace(FULL, gaps=()), "no missing fact is recorded"),
    ("rewrite_query", FULL, ""),
    ("rewrite_query", START, "no evidence to rewrite from"),
    ("rewrite_query", replace(FULL, rewritten_at=2), "evidence unchanged since the last rewrite"),
    ("rewrite_query", replace(FULL, rewritten_at=1), ""),
    ("bridge_entity_expand", FULL, ""),
    ("bridge_entity_expand", replace(FULL, bridges=()), "no unexpanded bridge entity"),
    ("sufficiency_check", FULL, ""),
    ("sufficiency_check", START, "no evidence to judge"),
    ("sufficiency_check", replace(FULL, checked_at=2), "evidence unchanged since the last check"),
    ("sufficiency_check", replace(FULL, checked_at=1), ""),
    ("stop_answer", FULL, ""),
    ("stop_answer", START, "no evidence to answer from"),
    ("stop_answer", replace(START, cursor=2), ""),
    ("stop_answer", replace(START, ranking=()), ""),
    ("compress_answer_evidence", FULL, "acquisition has not ended"),
    ("compress_answer_evidence", FULL.stopped("stop_answer"), ""),
    ("compress_answer_evidence", START.stopped("no valid action"), ""),
]


@pytest.mark.parametrize(("action", "state", "reason"), ROWS)
def test_an_action_is_valid_when_the_table_says_so(action, state, reason):
    assert why_invalid(Action(action), state, LIMITS) == reason
    assert (Action(action) in valid_actions(state, LIMITS)) == (not reason)


def test_the_table_has_a_valid_and_an_invalid_row_for_every_action():
    assert {action for action, _, reason in ROWS if not reason} == set(ACTION_NAMES)
    assert {action for action, _, reason in ROWS if reason} == set(ACTION_NAMES)


@pytest.mark.parametrize("action", ACTION_NAMES[:-1])
def test_nothing_but_compression_is_valid_once_acquisition_has_ended(action):
    assert why_invalid(Action(action), FULL.stopped("stop_answer"), LIMITS) == "acquisition has ended"
    assert valid_actions(FULL.stopped("x"), LIMITS) == (Action("compress_answer_evidence"),)


@pytest.mark.parametrize("action", ACQUISITION)
@pytest.mark.parametrize("cap", [0, 1, 2])
def test_no_acquisition_beyond_the_retrieval_cap(action, cap):
    state = replace(FULL, usage=Usage(retrieval_calls=1))
    reason = why_invalid(Action(action), state, replace(LIMITS, max_retrievals=cap))
    assert reason == ("" if cap == 2 else "retrieval budget spent")


def test_checking_and_stopping_do_not_count_against_the_retrieval_cap():
    state = replace(FULL, usage=Usage(retrieval_calls=1))
    found = valid_actions(state, replace(LIMITS, max_retrievals=1))
    assert [action.kind for action in found] == ["sufficiency_check", "stop_answer"]


def test_a_cap_of_no_retrievals_at_all_can_still_end():
    assert valid_actions(START, replace(LIMITS, max_retrievals=0)) == (Action("stop_answer"),)


@pytest.mark.parametrize("action", ACTION_NAMES[:5])
def test_nothing_but_stopping_is_valid_at_the_step_cap(action):
    state = replace(FULL, history=STEPS)
    assert why_invalid(Action(action), state, LIMITS) == "step cap reached"
    assert valid_actions(state, LIMITS) == (Action("stop_answer"),)
    assert valid_actions(replace(START, history=STEPS), LIMITS) == (Action("stop_answer"),)


@pytest.mark.parametrize(("many", "listed"), [(1, 1), (2, 2), (3, 3), (9, 3)])
def test_each_candidate_is_an_action_of_its_own_up_to_the_limit(many, listed):
    found = valid_actions(FULL, replace(LIMITS, candidates_per_action=many))
    for kind in ("gap_query", "bridge_entity_expand"):
        assert [action.candidate for action in found if action.kind == kind] == list(range(listed))
    for kind in ("retrieve_more", "rewrite_query", "sufficiency_check", "stop_answer"):
        assert [action.candidate for action in found if action.kind == kind] == [0]


def test_valid_actions_come_in_declaration_order():
    found = [action.kind for action in valid_actions(FULL, replace(LIMITS, candidates_per_action=3))]
    assert found == sorted(found, key=ACTION_NAMES.index)


@pytest.mark.parametrize(
    "action",
    [
        Action("gap_query", 3),
        Action("gap_query", -1),
        Action("bridge_entity_expand", 3),
        Action("bridge_entity_expand", -1),
        Action("retrieve_more", 1),
        Action("stop_answer", -1),
    ],
)
def test_an_unknown_candidate_is_invalid(action):
    assert why_invalid(action, FULL, LIMITS) == "no such candidate"


@pytest.mark.parametrize("name", ["", "stop", "Stop_answer", "retrieve_more "])
@pytest.mark.parametrize("state", [FULL, FULL.stopped("x")])
def test_an_unknown_action_is_invalid(name, state):
    assert why_invalid(Action(name), state, LIMITS) == "no such action"


def test_every_action_is_declared_with_doc_and_cost():
    assert len(set(ACTION_NAMES)) == len(ACTIONS) == 7
    assert [kind.name for kind in ACTIONS if not kind.doc.endswith(".")] == []
    assert ACQUISITION == ("retrieve_more", "gap_query", "rewrite_query", "bridge_entity_expand")
    calls = {kind.name for kind in ACTIONS if kind.model_calls}
    assert calls == {"rewrite_query", "sufficiency_check", "compress_answer_evidence"}
    assert kind_of("stop_answer").name == "stop_answer"
    with pytest.raises(KeyError):
        kind_of("stop")
