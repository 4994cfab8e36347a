"""The world that a controller acts in: questions move through it side by side, one action each at a time.

Searching needs vectors, and vectors come cheapest in batches; so every call takes many (state,
action) pairs, gathers the queries of all of them, encodes them at once, and only then searches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from ..errors import RunError
from .actions import Action, valid_actions, why_invalid
from .answering import Outcome, answer_many
from .bridges import bridge_candidates
from .index import EvidenceIndex
from .language_model import LanguageModel, Metered
from .lens import Lenses
from .state import Bridge, Held, Hit, Limits, State, Step, Usage, Verdict

__all__ = ["Environment"]

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class _Search:
    """A search to be made for one state: the query, and what it costs to have found it."""

    action: Action
    query: str
    candidate: str
    usage: Usage
    titled: int = -1
    """Corpus row that bears the candidate as its title; it comes first whatever the query scores."""


class Environment:
    """Questions over one index, with one language model, under one set of limits."""

    def __init__(
        self,
        index: EvidenceIndex,
        language_model: LanguageModel,
        limits: Limits | None = None,
        *,
        lenses: Lenses | None = None,
        threads: int = 1,
    ) -> None:
        self.index = index
        self.language_model = language_model
        self.limits = limits or Limits()
        self.lenses = lenses or Lenses(index)
        self.threads = threads
        """Language-model calls made at once; the order of results never depends on it."""
        self._bridges: dict[tuple[str, tuple[int, ...]], tuple[Bridge, ...]] = {}

    def start(self, questions: Sequence[str]) -> list[State]:
        """Return the first state of each question: its ranking, and no evidence yet.

        A blank question has an empty ranking, so that it ends without evidence instead of failing.
        """
        asked = [question for question in questions if question.strip()]
        self.index.embed_queries(asked)
        return [self._first(question) for question in questions]

    def _first(self, question: str) -> State:
        ranking: tuple[Hit, ...] = ()
        if question.strip():
            rows, scores = self.index.search(
                self.index.embed_queries([question])[0], self.limits.frontier_depth
            )
            ranking = tuple(Hit(row, score) for row, score in zip(rows, scores, strict=True))
        return State(question=question, ranking=ranking, active_query=question, queries=(question,))

    def valid(self, state: State) -> tuple[Action, ...]:
        """Return the valid actions of a state in declaration order; never empty before the end.

        Where nothing else is left, `stop_answer` is valid even without evidence: the environment always ends.
        """
        return valid_actions(state, self.limits)

    def step(self, pairs: Sequence[tuple[State, Action]]) -> list[State]:
        """Take one action in each state and return the states that follow, in order.

        Raises:
            RunError: an action is not valid in its state (a fault of the controller).
        """
        for state, action in pairs:
            reason = why_invalid(action, state, self.limits)
            if reason:
                raise RunError(f"{action.kind} is not valid here: {reason}")
        searches = self._plan(pairs)
        self.index.embed_queries([search.query for search in searches if search and search.query])
        verdicts = self._judge([state for state, action in pairs if action.kind == "sufficiency_check"])
        found: list[State] = []
        for (state, action), search in zip(pairs, searches, strict=True):
            if search is not None:
                found.append(self._search(state, search))
            elif action.kind == "retrieve_more":
                found.append(self._walk(state, action))
            elif action.kind == "sufficiency_check":
                found.append(_recorded(state, action, verdicts.pop(0)))
            elif action.kind == "stop_answer":
                found.append(_stopped(state, self.limits))
            else:  # compression changes no state: `finish` does it, together with answering
                found.append(state)
        return found

    def finish(self, states: Sequence[State]) -> list[Outcome]:
        """Compress and answer from each state's evidence, in order."""
        return answer_many(self.language_model, states, self.limits, self._map)

    # -- what each action does ------------------------------------------------------------------

    def _plan(self, pairs: Sequence[tuple[State, Action]]) -> list[_Search | None]:
        rewriting = [state for state, action in pairs if action.kind == "rewrite_query"]
        rewrites = self._map(
            lambda state: self.language_model.rewrite_query(state.question, state.active_query, state.passages),
            rewriting,
        )
        searches: list[_Search | None] = []
        for state, action in pairs:
            if action.kind == "gap_query":
                gap = state.gaps[action.candidate]
                searches.append(_Search(action, gap, gap, Usage()))
            elif action.kind == "bridge_entity_expand":
                bridge = state.bridges[action.candidate]
                searches.append(_Search(action, bridge.query, bridge.name, Usage(), bridge.row))
            elif action.kind == "rewrite_query":
                rewrite = rewrites.pop(0)
                searches.append(_Search(action, rewrite.value.strip(), "", rewrite.usage))
            else:
                searches.append(None)
        return searches

    def _walk(self, state: State, action: Action) -> State:
        held = set(state.rows)
        fresh: list[tuple[Hit, int]] = []
        cursor = state.cursor
        while cursor < len(state.ranking) and len(fresh) < self.limits.passages_per_retrieval:
            hit = state.ranking[cursor]
            if hit.row not in held:
                fresh.append((hit, cursor))
            cursor += 1
        return self._grown(replace(state, cursor=cursor), action, fresh, query="", candidate="")

    def _search(self, state: State, search: _Search) -> State:
        state = replace(state, usage=state.usage + search.usage)
        state = _consumed(state, search)
        note = ""
        if not search.query.strip():
            note = "blank query"
        elif search.query in state.queries:
            note = "repeated query"
        if note:
            return self._after(state, Step(search.action.kind, search.candidate, search.query, note=note))
        hits = self._found(search, held=set(state.rows))
        state = replace(state, queries=(*state.queries, search.query))
        if search.action.kind == "rewrite_query":
            state = replace(state, active_query=search.query)
        return self._grown(state, search.action, hits, query=search.query, candidate=search.candidate)

    def _found(self, search: _Search, *, held: set[int]) -> list[tuple[Hit, int]]:
        """Return the unseen hits of a search with their ranks, as many as one retrieval adds."""
        vector = self.index.embed_queries([search.query])[0]
        wanted = self.limits.passages_per_retrieval
        rows, scores = self.index.search(vector, wanted + len(held))
        hits = [(Hit(*hit), rank) for rank, hit in enumerate(zip(rows, scores, strict=True))]
        if search.titled >= 0:
            looked_up = Hit(search.titled, self.index.score(search.titled, vector))
            hits = [(looked_up, 0)] + [found for found in hits if found[0].row != search.titled]
        return [found for found in hits if found[0].row not in held][:wanted]

    def _grown(
        self, state: State, action: Action, fresh: list[tuple[Hit, int]], *, query: str, candidate: str
    ) -> State:
        added = tuple(
            Held(self.index.passage(hit.row), hit.row, hit.score, rank, action.kind) for hit, rank in fresh
        )
        step = Step(
            action.kind,
            candidate,
            query,
            added=len(added),
            top_score=max((held.score for held in added), default=0.0),
            note="" if added else "nothing unseen",
        )
        state = replace(
            state,
            evidence=state.evidence + added,
            usage=state.usage + Usage(retrieval_calls=1),
        )
        return self._after(state, step)

    def _after(self, state: State, step: Step) -> State:
        """Record a step, and rank the bridge candidates again, since the evidence may have grown."""
        past = (*state.history, step)
        expanded = {one.candidate.casefold() for one in past if one.action == "bridge_entity_expand"}
        bridges = tuple(
            bridge
            for bridge in self._candidates(state.question, state.rows)
            if bridge.name.casefold() not in expanded and bridge.query not in state.queries
        )
        return replace(state, history=(*state.history, step), bridges=bridges)

    def _candidates(self, question: str, rows: tuple[int, ...]) -> tuple[Bridge, ...]:
        key = (question, tuple(sorted(rows)))
        known = self._bridges.get(key)
        if known is None:
            if len(self._bridges) > 20_000:
                self._bridges.clear()
            known = self._bridges[key] = bridge_candidates(self.lenses.of(question), key[1])
        return known

    # -- language-model calls -------------------------------------------------------------------

    def _judge(self, states: Sequence[State]) -> list[Metered[Verdict]]:
        return self._map(
            lambda state: self.language_model.judge_sufficiency(state.question, state.passages), states
        )

    def _map(self, task: Callable[[State], Value], states: Sequence[State]) -> list[Value]:
        if self.threads <= 1 or len(states) < 2:
            return [task(state) for state in states]
        return list(self._pool.map(task, states))

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads, thread_name_prefix="language-model")


def _consumed(state: State, search: _Search) -> State:
    """Note that a gap has been searched for, or that the evidence has been rewritten from."""
    if search.action.kind == "gap_query":
        return replace(state, gaps=tuple(gap for gap in state.gaps if gap != search.candidate))
    if search.action.kind == "rewrite_query":
        return replace(state, rewritten_at=len(state.evidence))
    return state


def _recorded(state: State, action: Action, verdict: Metered[Verdict]) -> State:
    """Record a verdict and, where it is negative, the missing facts not searched for yet."""
    fresh = () if verdict.value.sufficient else verdict.value.missing
    return replace(
        state,
        verdict=verdict.value,
        gaps=tuple(gap for gap in dict.fromkeys(fresh) if gap.strip() and gap not in state.queries),
        checked_at=len(state.evidence),
        usage=state.usage + verdict.usage,
        history=(*state.history, Step(action.kind)),
    )


def _stopped(state: State, limits: Limits) -> State:
    return state.stopped("step cap" if state.steps >= limits.max_steps else "stop_answer")
