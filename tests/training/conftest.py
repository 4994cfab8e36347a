"""Synthetic training tables: states whose features say what each action brings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from hopilot.evidence.actions import ACTION_NAMES
from hopilot.evidence.state import Limits
from hopilot.training.fitting import FitSettings, TrainingTable

STATE_NAMES = ("history_steps", "score_best", "bridge_cue")
NAMES = (*STATE_NAMES, *(f"is_{action}" for action in ACTION_NAMES[:6]))
OFFERED = ("retrieve_more", "bridge_entity_expand", "sufficiency_check", "stop_answer")


def _table(questions: int = 40, seed: int = 0, *, always_helps: float | None = None) -> TrainingTable:
    generator = np.random.default_rng(seed)
    rows, labels, state_rows, state_labels = [], [], [], []
    for number in range(questions):
        for state in range(4):
            score, cue = generator.random(2).round(3)
            recall = 0.5 * (state % 2)
            gains = {"retrieve_more": 0.5 * (score > 0.5), "bridge_entity_expand": 0.5 * (cue > 0.4)}
            best = max(recall + max(gains.values()), recall)
            helps = best > recall if always_helps is None else bool(always_helps)
            key = {"question_id": f"q{number}", "state": state}
            state_rows.append([state, score, cue])
            state_labels.append({**key, "continue_helps": helps})
            for action in OFFERED:
                after = recall + gains.get(action, 0.0)
                rows.append([state, score, cue, *(float(action == one) for one in ACTION_NAMES[:6])])
                labels.append(
                    {
                        **key,
                        "action": action,
                        "candidate": 0,
                        "recall_before": recall,
                        "recall_after": after,
                        "full_before": recall == 1.0,
                        "full_after": after == 1.0,
                        "best_before": best,
                        "best_after": best if action == "sufficiency_check" else after,
                    }
                )
    return TrainingTable(
        features=np.array(rows, dtype=np.float32),
        names=NAMES,
        state_features=np.array(state_rows, dtype=np.float32),
        state_names=STATE_NAMES,
        labels=pd.DataFrame(labels),
        state_labels=pd.DataFrame(state_labels),
        costs=dict.fromkeys(OFFERED, 1.0) | {"stop_answer": 0.0},
        fingerprint="f" * 32,
        encoder_name="word-counts",
        encoder_fingerprint="word-counts-1",
        dataset_name="hopilot",
        limits=asdict(Limits()),
    )


@pytest.fixture(scope="session")
def make_table() -> Callable[..., TrainingTable]:
    return _table


@pytest.fixture(scope="session")
def table() -> TrainingTable:
    return _table()


@pytest.fixture(scope="session")
def quick() -> FitSettings:
    return FitSettings(trees=12, min_leaf=4, target="lookahead", threshold=0.5)
