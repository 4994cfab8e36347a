"""How good the two models are on questions they have not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..models.policy import stop_allowed

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

__all__ = ["continuation_quality", "ranking_quality", "value_quality"]

Metrics = dict[str, float | None]
_TOLERANCE = 1e-9
_CONTINUATION = (
    "continuation_auc",
    "continuation_brier",
    "continuation_log_loss",
    "continuation_base_rate",
    "stop_allowed_share",
)


def value_quality(predicted: NDArray[np.float64], target: NDArray[np.float64]) -> Metrics:
    """Return RMSE, MAE and R² of the action values; R² is None for targets that are all equal."""
    import numpy as np

    error = predicted - target
    spread = float(np.sum((target - target.mean()) ** 2))
    return {
        "value_rmse": _rounded(np.sqrt(np.mean(error**2))),
        "value_mae": _rounded(np.mean(np.abs(error))),
        "value_r2": _rounded(1.0 - np.sum(error**2) / spread) if spread > 0 else None,
    }


def ranking_quality(
    labels: pd.DataFrame, predicted: NDArray[np.float64], target: NDArray[np.float64]
) -> Metrics:
    """Return how well the best-ranked action of a state does among those that go on.

    `stop_answer` is left out, since the continuation gate decides about it. Over the states with two
    actions or more: `rank_regret` is the mean of max(target) − target(argmax v̂), `rank_top1` the
    share of states where that is 0, and `reach_regret` the mean loss of recall that is still
    reachable, which can be compared between targets. `chosen_share_*` says how often each action is
    ranked first, so that a policy that always does one thing is noticed.
    """
    going_on = labels["action"].to_numpy() != "stop_answer"
    table = labels.loc[going_on, ["question_id", "state", "action", "best_after"]].reset_index(drop=True)
    table["predicted"], table["target"] = predicted[going_on], target[going_on]
    states = table.groupby(["question_id", "state"], sort=False)
    table = table[states["action"].transform("size").to_numpy() > 1]
    if table.empty:
        return {"rank_regret": None, "rank_top1": None, "reach_regret": None, "rank_states": 0.0}
    states = table.groupby(["question_id", "state"], sort=False)
    chosen = table.loc[states["predicted"].idxmax()]
    regret = states["target"].max().to_numpy() - chosen["target"].to_numpy()
    lost = states["best_after"].max().to_numpy() - chosen["best_after"].to_numpy()
    shares = chosen["action"].value_counts(normalize=True)
    return {
        "rank_regret": _rounded(regret.mean()),
        "rank_top1": _rounded((regret <= _TOLERANCE).mean()),
        "reach_regret": _rounded(lost.mean()),
        "rank_states": float(len(chosen)),
        **{f"chosen_share_{action}": _rounded(share) for action, share in sorted(shares.items())},
    }


def continuation_quality(
    probability: NDArray[np.float64], helps: NDArray[np.float64], threshold: float
) -> Metrics:
    """Return AUC, Brier score and log loss, the base rate, and how often stopping would be allowed.

    AUC is None where all labels are equal.
    """
    import numpy as np
    from sklearn.metrics import roc_auc_score

    if not len(helps):
        return dict.fromkeys(_CONTINUATION)
    certain = np.clip(probability, 1e-6, 1 - 1e-6)
    loss = -(helps * np.log(certain) + (1 - helps) * np.log(1 - certain))
    both = 0.0 < helps.mean() < 1.0
    return {
        "continuation_auc": _rounded(roc_auc_score(helps, probability)) if both else None,
        "continuation_brier": _rounded(np.mean((probability - helps) ** 2)),
        "continuation_log_loss": _rounded(loss.mean()),
        "continuation_base_rate": _rounded(helps.mean()),
        "stop_allowed_share": _rounded(np.mean([stop_allowed(float(one), threshold) for one in probability])),
    }


def _rounded(value: float | np.floating) -> float:
    return round(float(value), 6)
