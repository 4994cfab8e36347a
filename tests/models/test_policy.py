from dataclasses import dataclass

import numpy as np
import pytest
from hopilot.errors import RunError
from hopilot.evidence.actions import Action
from hopilot.evidence.state import State
from hopilot.models.policy import DecisionPolicy, stop_allowed
from hopilot.models.predictors import ConstantPredictor

RETRIEVE, GAP, BRIDGE, SECOND, STOP = (
    Action("retrieve_more"),
    Action("gap_query"),
    Action("bridge_entity_expand"),
    Action("bridge_entity_expand", 1),
    Action("stop_answer"),
)
STATE = State(question="q")


@dataclass
class Table:
    """Features that are the wanted values themselves: one column, read from a table by action."""

    values: dict[Action, float]
    names: tuple[str, ...] = ("value",)

    def rows(self, state, actions):
        return np.array([[self.values[action]] for action in actions], dtype=np.float32)


class Identity:
    def predict(self, rows):
        return rows[:, 0].astype(np.float64)


class Unreachable:
    names = ("never",)

    def rows(self, state, actions):
        raise AssertionError("asked although nothing depends on it")


def policy(values, helps=0.0, **options):
    return DecisionPolicy(
        Identity(), ConstantPredictor(helps), Table(values), Table(dict.fromkeys(values, 0.0)), **options
    )


def test_the_best_valued_action_is_chosen_with_all_scores():
    choice = policy({RETRIEVE: 0.1, GAP: 0.7, BRIDGE: 0.4}).decide(STATE, (RETRIEVE, GAP, BRIDGE))
    assert choice.action == GAP
    assert choice.scores == pytest.approx((0.1, 0.7, 0.4))
    assert choice.continuation is None


def test_ties_go_to_the_action_declared_first():
    values = {RETRIEVE: 0.2, GAP: 0.5, BRIDGE: 0.5, SECOND: 0.5}
    assert policy(values).decide(STATE, (RETRIEVE, GAP, BRIDGE, SECOND)).action == GAP
    assert policy(values).decide(STATE, (BRIDGE, SECOND)).action == BRIDGE


@pytest.mark.parametrize(("helps", "stops"), [(0.49, True), (0.5, False), (0.9, False)])
def test_stopping_is_on_the_table_only_below_the_threshold(helps, stops):
    choice = policy({RETRIEVE: 0.1, STOP: 0.9}, helps, threshold=0.5).decide(STATE, (RETRIEVE, STOP))
    assert choice.action == (STOP if stops else RETRIEVE)
    assert choice.stop_allowed is stops
    assert choice.continuation == helps
    assert choice.scores == pytest.approx((0.1, 0.9))


def test_an_allowed_stop_must_still_be_the_best():
    assert policy({RETRIEVE: 0.3, STOP: 0.2}, 0.1).decide(STATE, (RETRIEVE, STOP)).action == RETRIEVE


def test_stopping_is_taken_where_nothing_else_is_valid_whatever_the_gate_says():
    stubborn = DecisionPolicy(Identity(), ConstantPredictor(1.0), Unreachable(), Unreachable())
    choice = stubborn.decide(STATE, (STOP,))
    assert choice.action == STOP
    assert choice.stop_allowed


def test_terminal_compression_is_taken_without_asking_a_model():
    end = Action("compress_answer_evidence")
    asked = DecisionPolicy(Identity(), ConstantPredictor(1.0), Unreachable(), Unreachable())
    assert asked.decide(STATE, (end,)).action == end


def test_the_continuation_model_is_not_asked_where_stopping_is_not_valid():
    found = DecisionPolicy(Identity(), ConstantPredictor(1.0), Table({RETRIEVE: 0.1, GAP: 0.2}), Unreachable())
    assert found.decide(STATE, (RETRIEVE, GAP)).action == GAP


def test_a_threshold_of_one_opens_the_gate_and_of_zero_shuts_it():
    assert stop_allowed(1.0, 1.0)
    assert not stop_allowed(0.0, 0.0)
    values = {RETRIEVE: 0.1, STOP: 0.9}
    assert policy(values, 1.0, threshold=1.0).decide(STATE, (RETRIEVE, STOP)).action == STOP
    assert policy(values, 0.0, threshold=0.0).decide(STATE, (RETRIEVE, STOP)).action == RETRIEVE


def test_lambda_weighs_cost_against_value():
    values, costs = {GAP: 0.5, BRIDGE: 0.45}, {"gap_query": 1.0, "bridge_entity_expand": 0.2}
    assert policy(values, costs=costs).decide(STATE, (GAP, BRIDGE)).action == GAP
    costly = policy(values, costs=costs, lam=0.1).decide(STATE, (GAP, BRIDGE))
    assert costly.action == BRIDGE
    assert costly.scores == pytest.approx((0.4, 0.43))


def test_many_states_get_the_choices_that_each_would_get_alone():
    found = policy({RETRIEVE: 0.1, GAP: 0.7, BRIDGE: 0.4, STOP: 0.6}, 0.2)
    valids = [(RETRIEVE, GAP), (STOP,), (RETRIEVE, BRIDGE, STOP), (GAP, STOP)]
    together = found([STATE] * 4, valids)
    assert together == [found.decide(STATE, valid) for valid in valids]
    assert [choice.action for choice in together] == [GAP, STOP, STOP, GAP]
    assert found([], []) == []


def test_no_valid_action_is_an_error_and_not_a_guess():
    with pytest.raises(RunError, match="no valid action"):
        policy({}).decide(STATE, ())


def test_a_feature_that_is_not_a_number_is_named():
    with pytest.raises(RunError, match="'value' is not a finite number"):
        policy({RETRIEVE: float("nan"), GAP: 0.0}).decide(STATE, (RETRIEVE, GAP))
