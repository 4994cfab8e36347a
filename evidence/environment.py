"""The world that a controller acts in: questions move through it side by side, one action each at a time.

Searching needs vectors, and vectors come cheapest in batches; so every call takes many (state,
action) pairs, gathers the queries of all of them, encodes them at once, and only then searches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from ..errors import RunError
from .actions import kind_of, valid_actions, why_invalid
from .answering import Outcome, answer_many
from .bridges import bridge_candidates
from .effects import Search, Walk
from .index import EvidenceIndex
from .language_model import LanguageModel
from .lens import Lenses
from .state import Action, Bridge, Held, Hit, Limits, State, Step, Usage

__all__ = ["Environment"]

Item = TypeVar("Item")
Value = TypeVar("Value")


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
            rows, scores = self.index.search_query(question, self.limits.frontier_depth)
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
        effects = self._map(lambda pair: self._effect(*pair), pairs)
        self.index.embed_queries(
            [asked.query for asked in effects if isinstance(asked, Search) and asked.query]
        )
        return [self._done(effect, action) for effect, (_, action) in zip(effects, pairs, strict=True)]

    def finish(self, states: Sequence[State]) -> list[Outcome]:
        """Compress and answer from each state's evidence, in order."""
        return answer_many(self.language_model, states, self.limits, self._map)

    def _effect(self, state: State, action: Action) -> State | Search | Walk:
        return kind_of(action.kind).effect(self.language_model, self.limits, state, action)

    def _done(self, effect: State | Search | Walk, action: Action) -> State:
        if isinstance(effect, Search):
            return self._search(effect, action)
        return self._walk(effect.state, action) if isinstance(effect, Walk) else effect

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

    def _search(self, search: Search, action: Action) -> State:
        state, query = search.state, search.query
        note = "" if query.strip() else "blank query"
        if query in state.queries:
            note = "repeated query"
        if note:
            return self._after(state, Step(action.kind, search.candidate, query, note=note))
        hits = self._found(search, held=set(state.rows))
        state = replace(state, queries=(*state.queries, query))
        return self._grown(state, action, hits, query=query, candidate=search.candidate)

    def _found(self, search: Search, *, held: set[int]) -> list[tuple[Hit, int]]:
        """Return the unseen hits of a search with their ranks, as many as one retrieval adds."""
        wanted = self.limits.passages_per_retrieval
        rows, scores = self.index.search_query(search.query, wanted + len(held))
        hits = [(Hit(*hit), rank) for rank, hit in enumerate(zip(rows, scores, strict=True))]
        if search.titled >= 0:
            vector = self.index.embed_queries([search.query])[0]
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

    def _map(self, task: Callable[[Item], Value], items: Sequence[Item]) -> list[Value]:
        """Run tasks, which may call the language model, in order or in several threads at once."""
        if self.threads <= 1 or len(items) < 2:
            return [task(item) for item in items]
        return list(self._pool.map(task, items))

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads, thread_name_prefix="language-model")
