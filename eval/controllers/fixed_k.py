"""Plain retrieval: the top of the initial ranking, as many passages as the answerer takes."""

from __future__ import annotations

from ...evidence.actions import Action
from ...evidence.state import State
from .base import Context, Controller, Run, first_of, one_by_one, stepwise

__all__ = ["FIXED_K"]


def _make(context: Context) -> Run:
    wanted = context.environment.limits.context_passages

    def choose(state: State, valid: tuple[Action, ...]) -> Action:
        return first_of(valid, *(["retrieve_more"] if len(state.evidence) < wanted else []))

    return stepwise(context.environment, one_by_one(choose))


FIXED_K = Controller(
    "fixed_k", "Retrieve down the initial ranking until the context is full or the step cap is reached.", _make
)
