"""The hand-made controller that a learned one must beat: retrieve, then follow bridges."""

from __future__ import annotations

from ...evidence.actions import Action
from ...evidence.state import State
from .base import Context, Controller, Run, first_of, one_by_one, stepwise

__all__ = ["RULE"]


def _choose(state: State, valid: tuple[Action, ...]) -> Action:
    if not state.evidence:
        return first_of(valid, "retrieve_more")
    return first_of(valid, "bridge_entity_expand", "gap_query", "rewrite_query", "retrieve_more")


def _make(context: Context) -> Run:
    return stepwise(context.environment, one_by_one(_choose))


RULE = Controller(
    "rule",
    "Retrieve, then expand bridge entities; without one a gap, a rewrite, the ranking; to the step cap.",
    _make,
)
