import numpy as np
import pandas as pd
import pytest
from hopilot.training.quality import continuation_quality, ranking_quality, value_quality


def test_ranking_quality_by_hand():
    """State 0: the better action is chosen; state 1: the worse; state 2 leaves no choice but stopping."""
    labels = pd.DataFrame(
        {
            "question_id": ["q"] * 7,
            "state": [0, 0, 0, 1, 1, 2, 2],
            "action": [
                "retrieve_more",
                "gap_query",
                "stop_answer",
                "retrieve_more",
                "gap_query",
                "gap_query",
                "stop_answer",
            ],
            "best_after": [1.0, 0.5, 0.5, 1.0, 0.5, 1.0, 0.5],
        }
    )
    predicted = np.array([0.9, 0.1, 5.0, 0.1, 0.9, 0.1, 0.9])
    target = np.array([0.5, 0.0, 9.0, 0.3, 0.1, 0.5, 0.0])
    found = ranking_quality(labels, predicted, target)
    assert found["rank_states"] == 2
    assert found["rank_top1"] == 0.5
    assert found["rank_regret"] == pytest.approx(0.1)
    assert found["reach_regret"] == pytest.approx(0.25)
    assert found["chosen_share_gap_query"] == 0.5


def test_ranking_quality_without_a_choice_is_undefined():
    labels = pd.DataFrame({"question_id": ["q"], "state": [0], "action": ["gap_query"], "best_after": [1.0]})
    assert ranking_quality(labels, np.ones(1), np.ones(1))["rank_regret"] is None


def test_value_quality_by_hand():
    found = value_quality(np.array([1.0, 0.0]), np.array([0.0, 0.0]))
    assert found["value_mae"] == 0.5
    assert found["value_rmse"] == pytest.approx(0.5**0.5, abs=1e-6)
    assert found["value_r2"] is None


def test_continuation_quality_by_hand():
    found = continuation_quality(np.array([0.9, 0.2, 0.6]), np.array([1.0, 0.0, 0.0]), 0.5)
    assert found["continuation_auc"] == 1.0
    assert found["continuation_brier"] == pytest.approx((0.01 + 0.04 + 0.36) / 3, abs=1e-6)
    assert found["stop_allowed_share"] == pytest.approx(1 / 3, abs=1e-6)


def test_certain_and_wrong_probabilities_have_a_finite_loss():
    found = continuation_quality(np.array([0.0, 1.0]), np.array([1.0, 0.0]), 0.5)
    assert np.isfinite(found["continuation_log_loss"])
