"""The seven evidence actions: what each does, when it is valid, and what it costs before it is measured.

An action is one declaration. `ACTIONS` lists them in the order that breaks ties.
Source: DynaKRAG, section on the evidence-action space.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import effects
from .effects import Search, Walk
from .language_model import LanguageModel
from .state import Action, Limits, State

__all__ = [
    "ACQUISITION",
    "ACTIONS",
    "ACTION_NAMES",
    "Action",
    "ActionKind",
    "kind_of",
    "valid_actions",
    "why_invalid",
]


Effect = Callable[[LanguageModel, Limits, State, Action], State | Search | Walk]


@dataclass(frozen=True, slots=True)
class ActionKind:
    """One declared action."""

    name: str
    doc: str
    acquires: bool
    """Whether it can bring passages, and therefore counts as a retrieval."""
    model_calls: int
    """Language-model calls it makes; its prior cost together with the retrieval."""
    invalid_because: Callable[[State, Limits], str]
    """Return the reason why it is invalid in a state, or an empty string."""
    candidates: Callable[[State], tuple[str, ...]]
    """Names of the candidates that it could be about; empty for kinds without candidates."""
    effect: Effect
    """Return the state that follows, or what the environment has to bring before there is one."""


def _no_candidates(state: State) -> tuple[str, ...]:
    return ()


def _retrieval_cap(state: State, limits: Limits) -> str:
    cap = limits.max_retrievals
    return "retrieval budget spent" if cap is not None and state.usage.retrieval_calls >= cap else ""


def _frontier(state: State, limits: Limits) -> str:
    spent = _retrieval_cap(state, limits)
    return spent or ("" if state.cursor < len(state.ranking) else "the initial ranking is exhausted")


def _gap(state: State, limits: Limits) -> str:
    return _retrieval_cap(state, limits) or ("" if state.gaps else "no missing fact is recorded")


def _rewrite(state: State, limits: Limits) -> str:
    if not state.evidence:
        return "no evidence to rewrite from"
    unchanged = len(state.evidence) == state.rewritten_at
    return _retrieval_cap(state, limits) or ("evidence unchanged since the last rewrite" if unchanged else "")


def _bridge(state: State, limits: Limits) -> str:
    return _retrieval_cap(state, limits) or ("" if state.bridges else "no unexpanded bridge entity")


def _check(state: State, limits: Limits) -> str:
    if not state.evidence:
        return "no evidence to judge"
    return "evidence unchanged since the last check" if len(state.evidence) == state.checked_at else ""


def _stop(state: State, limits: Limits) -> str:
    # With nothing left to try, an empty-handed question must still be able to end.
    at_the_end = state.steps >= limits.max_steps or bool(_frontier(state, limits))
    return "" if state.evidence or at_the_end else "no evidence to answer from"


def _compress(state: State, limits: Limits) -> str:
    return "" if state.ended else "acquisition has not ended"


ACTIONS: tuple[ActionKind, ...] = (
    ActionKind(
        "retrieve_more",
        "Move the cursor of the initial ranking and add unseen passages.",
        True, 0, _frontier, _no_candidates, effects.walk,
    ),
    ActionKind(
        "gap_query",
        "Search with the text of a recorded missing fact.",
        True, 0, _gap, lambda state: state.gaps, effects.search_gap,
    ),
    ActionKind(
        "rewrite_query",
        "Rewrite the active query from the evidence and search with it.",
        True, 1, _rewrite, _no_candidates, effects.search_rewrite,
    ),
    ActionKind(
        "bridge_entity_expand",
        "Search around an unexpanded entity found in the evidence.",
        True, 0, _bridge, lambda state: tuple(bridge.name for bridge in state.bridges), effects.search_bridge,
    ),
    ActionKind(
        "sufficiency_check",
        "Judge whether the evidence suffices and record what is missing.",
        False, 1, _check, _no_candidates, effects.judge,
    ),
    ActionKind(
        "stop_answer",
        "End acquisition and answer.",
        False, 0, _stop, _no_candidates, effects.stop,
    ),
    ActionKind(
        "compress_answer_evidence",
        "Distil mutually supporting snippets for the answerer.",
        False, 1, _compress, _no_candidates, effects.compress,
    ),
)  # fmt: skip

ACTION_NAMES: tuple[str, ...] = tuple(kind.name for kind in ACTIONS)
ACQUISITION: tuple[str, ...] = tuple(kind.name for kind in ACTIONS if kind.acquires)
_BY_NAME = {kind.name: kind for kind in ACTIONS}


def kind_of(name: str) -> ActionKind:
    """Return the declaration of an action.

    Raises:
        KeyError: no action bears that name.
    """
    return _BY_NAME[name]


def why_invalid(action: Action, state: State, limits: Limits) -> str:
    """Return why an action may not be taken in a state, or an empty string when it may."""
    if action.kind not in _BY_NAME:
        return "no such action"
    terminal = action.kind == "compress_answer_evidence"
    if state.ended != terminal:
        return "acquisition has ended" if state.ended else "acquisition has not ended"
    if state.steps >= limits.max_steps and action.kind not in ("stop_answer", "compress_answer_evidence"):
        return "step cap reached"
    kind = _BY_NAME[action.kind]
    reason = kind.invalid_because(state, limits)
    if not reason and not 0 <= action.candidate < max(len(kind.candidates(state)), 1):
        return "no such candidate"
    return reason


def valid_actions(state: State, limits: Limits) -> tuple[Action, ...]:
    """Return the valid actions of a state in declaration order, each candidate an action of its own.

    Whether `stop_answer` is on the table also depends on the continuation model, which the decision
    policy asks; here it is listed as soon as there is evidence.
    """
    found: list[Action] = []
    for kind in ACTIONS:
        if why_invalid(Action(kind.name), state, limits):
            continue
        many = min(len(kind.candidates(state)), limits.candidates_per_action)
        found.extend(Action(kind.name, candidate) for candidate in range(max(many, 1)))
    return tuple(found)
