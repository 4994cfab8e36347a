import numpy as np
import pandas as pd
import pytest
from hopilot.errors import InputError
from hopilot.training.targets import TARGETS, Target, continue_helps, declare, target_named


@pytest.fixture
def labels():
    return pd.DataFrame(
        {
            "action": ["retrieve_more", "sufficiency_check", "sufficiency_check", "stop_answer"],
            "recall_before": [0.25, 0.5, 1.0, 0.75],
            "recall_after": [0.75, 0.5, 1.0, 0.75],
            "best_before": [1.0, 1.0, 1.0, 0.875],
            "best_after": [1.0, 0.75, 1.0, 0.75],
        }
    )


def test_one_step_is_gain_for_acquisition_fullness_for_the_check_and_recall_for_stopping(labels):
    assert TARGETS["one_step"].compute(labels).tolist() == [0.5, 0.0, 1.0, 0.75]


def test_lookahead_is_what_an_action_keeps_reachable_of_what_its_state_could_reach(labels):
    assert TARGETS["lookahead"].compute(labels).tolist() == [0.0, -0.25, 0.0, -0.125]


def test_continuing_helps_only_where_a_higher_recall_is_reachable():
    best = np.array([0.5, 1.0, 0.1 + 0.2])
    assert continue_helps(best, np.array([0.5, 0.5, 0.3])).tolist() == [False, True, False]


def test_an_unknown_target_is_refused_with_the_known_names():
    with pytest.raises(InputError, match="one_step, lookahead"):
        target_named("twostep")


def test_a_target_name_can_be_declared_once_only():
    with pytest.raises(ValueError, match="twice"):
        declare(Target("one_step", "", lambda labels: np.zeros(len(labels))))
