"""The upper bound: every valid path to the step cap, and of them the one that ends with the most gold.

It knows the gold, so no method can be expected to reach it; it says how much the actions themselves allow.
Usage is that of the path chosen, as if it had been known beforehand; seconds are those of the search.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ...evidence.actions import Action, kind_of
from ...evidence.environment import Environment
from ...evidence.state import State
from ...models.runner import Answer
from .base import Asked, Context, Controller, Run

__all__ = ["ORACLE"]

_Rank = tuple[int, int, int]


@dataclass(slots=True)
class _Search:
    """One question's search: the best state so far, and the states whose successors may be better."""

    asked: Asked
    reachable: int
    """Gold passages that the index holds at all."""
    best: State
    open: list[State]

    def rank(self, state: State, context_passages: int) -> _Rank:
        """Order states: most gold in the context, then fewest retrieval calls, then fewest steps.

        A state without evidence comes last, since nothing can be answered from it.
        """
        held = {passage.id for passage in state.passages[:context_passages]}
        missed = -len(held & self.asked.support) if held else 1
        return (missed, state.usage.retrieval_calls, state.steps)


def _make(context: Context) -> Run:
    environment = context.environment

    def run(asked: Sequence[Asked]) -> list[Answer]:
        began = time.perf_counter()
        outcomes = environment.finish(_stop(environment, _best(environment, asked)))
        seconds = (time.perf_counter() - began) / max(len(asked), 1)
        return [
            Answer(
                question=one.text,
                answer=outcome.answer,
                evidence=outcome.state.passages[: environment.limits.context_passages],
                snippets=outcome.snippets,
                trace=(),
                usage=outcome.usage,
                stop_reason=outcome.state.stop_reason,
                seconds=seconds,
                state=outcome.state,
            )
            for one, outcome in zip(asked, outcomes, strict=True)
        ]

    return run


def _best(environment: Environment, asked: Sequence[Asked]) -> list[State]:
    """Return the best state of each question, all questions searched level by level."""
    ids = environment.index.corpus.position
    starts = environment.start([one.text for one in asked])
    searches = [
        _Search(one, sum(gold in ids for gold in one.support), start, [start])
        for one, start in zip(asked, starts, strict=True)
    ]
    while any(search.open for search in searches):
        _deepen(environment, searches)
    return [search.best for search in searches]


def _deepen(environment: Environment, searches: Sequence[_Search]) -> None:
    """Take every useful action in every open state of all questions, in one batch.

    Successors come in declaration order and replace the best only when they are strictly better, so that
    ties fall to the path declared first.
    """
    pairs = [
        (search, state, action)
        for search in searches
        for state in search.open
        for action in _useful(environment, state)
    ]
    for search in searches:
        search.open = []
    if not pairs:
        return
    width = environment.limits.context_passages
    for (search, _, _), state in zip(
        pairs, environment.step([(state, action) for _, state, action in pairs]), strict=True
    ):
        if search.rank(state, width) < search.rank(search.best, width):
            search.best = state
        search.open.append(state)
    for search in searches:
        search.open = [state for state in search.open if _may_improve(search, state, width)]


def _useful(environment: Environment, state: State) -> list[Action]:
    """Return the valid actions that can lead to more gold: no stop, and no probe as the last step."""
    last = state.steps + 1 >= environment.limits.max_steps
    return [
        action
        for action in environment.valid(state)
        if action.kind != "stop_answer" and (kind_of(action.kind).acquires or not last)
    ]


def _may_improve(search: _Search, state: State, width: int) -> bool:
    """Say whether a successor can beat the best: once all is found, only one with fewer retrievals can.

    A state short of gold needs one more retrieval at the least.
    """
    found, calls, _ = search.rank(search.best, width)
    if -found < search.reachable:
        return True
    return -search.rank(state, width)[0] < search.reachable and state.usage.retrieval_calls + 1 < calls


def _stop(environment: Environment, states: Sequence[State]) -> list[State]:
    """End acquisition everywhere; where nothing was held there is no stop to choose."""
    stop = Action("stop_answer")
    chosen = [place for place, state in enumerate(states) if stop in environment.valid(state)]
    ended = [state.stopped("no evidence") for state in states]
    for place, state in zip(chosen, environment.step([(states[place], stop) for place in chosen]), strict=True):
        ended[place] = state
    return ended


ORACLE = Controller(
    "oracle",
    "Exhaustive search over the valid actions for the most gold, then the fewest retrievals and steps.",
    _make,
    uses_gold=True,
)
