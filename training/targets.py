"""What an action's value is taken to be: named functions of the labels, so that they can be compared.

Labels have one row an action taken from a state, with the columns question_id, state, action,
candidate, recall_before, recall_after, full_before, full_after, best_before and best_after, where
`best_*` is the best support recall still reachable within the remaining steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

__all__ = ["TARGETS", "Target", "continue_helps", "declare", "target_named"]

_TOLERANCE = 1e-9  # recalls are fractions of small whole numbers


@dataclass(frozen=True, slots=True)
class Target:
    """One declared target; `compute` maps labels to float64 [rows]."""

    name: str
    doc: str
    compute: Callable[[pd.DataFrame], NDArray[np.float64]]


TARGETS: dict[str, Target] = {}
"""The declared targets by name."""


def declare(target: Target) -> Target:
    """Add a target.

    Raises:
        ValueError: the name is taken.
    """
    if target.name in TARGETS:
        raise ValueError(f"target {target.name!r} is declared twice")
    TARGETS[target.name] = target
    return target


def target_named(name: str) -> Target:
    """Return a declared target.

    Raises:
        InputError: no target bears that name.
    """
    if name not in TARGETS:
        raise InputError(f"unknown target {name!r}", where="target", expected=", ".join(TARGETS))
    return TARGETS[name]


def _column(labels: pd.DataFrame, name: str) -> NDArray[np.float64]:
    return labels[name].to_numpy(dtype="float64")


def _one_step(labels: pd.DataFrame) -> NDArray[np.float64]:
    import numpy as np

    before, after = _column(labels, "recall_before"), _column(labels, "recall_after")
    action = labels["action"].to_numpy()
    gain = after - before
    gain = np.where(action == "sufficiency_check", before >= 1.0 - _TOLERANCE, gain)
    return np.where(action == "stop_answer", before, gain)


def _lookahead(labels: pd.DataFrame) -> NDArray[np.float64]:
    import numpy as np

    best = _column(labels, "best_before")
    stop = labels["action"].to_numpy() == "stop_answer"
    return np.where(stop, _column(labels, "recall_before"), _column(labels, "best_after")) - best


# Stop and acquisition live on different scales here: stop earns all the recall there is, acquisition
# only what it adds. A plain argmax therefore stops at once; the continuation gate must come first.
declare(
    Target(
        "one_step",
        "Acquisition SR(s′) − SR(s); sufficiency check 1[SR(s) = 1]; stop SR(s). DynaKRAG, equation 1.",
        _one_step,
    )
)
# What can be reached from a state at all differs far more between questions than between the actions
# of one state, and no choice depends on it. Subtracting it leaves the learner what tells actions apart.
declare(
    Target(
        "lookahead",
        "Best SR still reachable after the action (stop: SR(s)), minus the best reachable from the state.",
        _lookahead,
    )
)


def continue_helps(best_before: NDArray[np.float64], recall_before: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return the continuation label 1[a higher recall than now can still be reached]."""
    return best_before > recall_before + _TOLERANCE
