"""What each action does to a state: at once, or by asking the environment for passages.

An effect changes no state in place and touches no index: it says what is to be searched for, so
that the environment can encode the queries of many questions together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .language_model import LanguageModel
from .state import Action, Limits, State, Step

__all__ = [
    "Search",
    "Walk",
    "compress",
    "judge",
    "search_bridge",
    "search_gap",
    "search_rewrite",
    "stop",
    "walk",
]


@dataclass(frozen=True, slots=True)
class Walk:
    """A request for the next unseen passages of the initial ranking."""

    state: State


@dataclass(frozen=True, slots=True)
class Search:
    """A request for the unseen passages that a query finds, from the state in which it was made."""

    state: State
    query: str
    candidate: str = ""
    titled: int = -1
    """Corpus row that bears the candidate as its title; it comes first whatever the query scores."""


def walk(model: LanguageModel, limits: Limits, state: State, action: Action) -> Walk:
    """Ask for what comes next on the frontier."""
    return Walk(state)


def search_gap(model: LanguageModel, limits: Limits, state: State, action: Action) -> Search:
    """Ask for a recorded missing fact, which is then no longer open."""
    gap = state.gaps[action.candidate]
    return Search(replace(state, gaps=tuple(other for other in state.gaps if other != gap)), gap, gap)


def search_bridge(model: LanguageModel, limits: Limits, state: State, action: Action) -> Search:
    """Ask around a bridge entity, its titled passage first."""
    bridge = state.bridges[action.candidate]
    return Search(state, bridge.query, bridge.name, bridge.row)


def search_rewrite(model: LanguageModel, limits: Limits, state: State, action: Action) -> Search:
    """Ask with the active query, rewritten in the light of the evidence; it becomes the active one."""
    reply = model.rewrite_query(state.question, state.active_query, state.passages)
    query = reply.value.strip()
    fresh = bool(query) and query not in state.queries
    return Search(
        replace(
            state,
            usage=state.usage + reply.usage,
            rewritten_at=len(state.evidence),
            active_query=query if fresh else state.active_query,
        ),
        query,
    )


def judge(model: LanguageModel, limits: Limits, state: State, action: Action) -> State:
    """Record a verdict and, where it is negative, the missing facts not searched for yet."""
    reply = model.judge_sufficiency(state.question, state.passages)
    missing = () if reply.value.sufficient else reply.value.missing
    return replace(
        state,
        verdict=reply.value,
        gaps=tuple(gap for gap in dict.fromkeys(missing) if gap.strip() and gap not in state.queries),
        checked_at=len(state.evidence),
        usage=state.usage + reply.usage,
        history=(*state.history, Step(action.kind)),
    )


def stop(model: LanguageModel, limits: Limits, state: State, action: Action) -> State:
    """End acquisition."""
    return state.stopped("step cap" if state.steps >= limits.max_steps else "stop_answer")


def compress(model: LanguageModel, limits: Limits, state: State, action: Action) -> State:
    """Leave the state as it is: `Environment.finish` compresses, together with answering."""
    return state
