"""Chance among valid actions, to the step cap: what the masks alone are worth.

Source: DynaKRAG's ablation. It replaces ranking *and* horizon at once; `uniform_gated` and `ungated`
replace one of the two.
"""

from __future__ import annotations

from ...evidence.actions import Action
from ...evidence.state import State
from .base import Context, Controller, Run, drawn, first_of, one_by_one, stepwise

__all__ = ["UNIFORM_VALID"]


def _make(context: Context) -> Run:
    def choose(state: State, valid: tuple[Action, ...]) -> Action:
        going_on = [action for action in valid if action.kind != "stop_answer"]
        return drawn(going_on, context.seed, state) if going_on else first_of(valid)

    return stepwise(context.environment, one_by_one(choose))


UNIFORM_VALID = Controller(
    "uniform_valid", "Draw uniformly among the valid actions but stopping, to the step cap (seeded).", _make
)
