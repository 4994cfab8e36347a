"""What features look at: a question, a state and an action, with shared facts found once."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from ..evidence.actions import Action
from ..evidence.lens import Glance, Lens
from ..evidence.reading import Mention
from ..evidence.state import Bridge, Hit, Limits, State
from ..evidence.text import approximate_tokens, words_of

__all__ = ["ActionView", "QuestionView", "StateView"]


class QuestionView:
    """A question as features see it."""

    def __init__(self, lens: Lens) -> None:
        self.lens = lens
        self.text = lens.question

    @cached_property
    def words(self) -> list[str]:
        """Words as written."""
        return words_of(self.text)

    @cached_property
    def folded(self) -> list[str]:
        """Words, case-folded."""
        return [word.casefold() for word in self.words]

    @property
    def mentions(self) -> tuple[Mention, ...]:
        """Entities that the question names."""
        return self.lens.reading.mentions


class StateView:
    """A state as features see it."""

    def __init__(self, state: State, lens: Lens, limits: Limits) -> None:
        self.state = state
        self.lens = lens
        self.limits = limits

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """Corpus rows held."""
        return self.state.rows

    @cached_property
    def held(self) -> frozenset[int]:
        """Corpus rows held, as a set."""
        return frozenset(self.rows)

    @cached_property
    def glances(self) -> list[Glance]:
        """What each held passage has to do with the question."""
        return [self.lens.glance(row) for row in self.rows]

    @cached_property
    def similarities(self) -> list[float]:
        """Question–passage similarities of the evidence."""
        return [glance.similarity for glance in self.glances]

    @cached_property
    def covered(self) -> frozenset[str]:
        """Question terms that the evidence contains."""
        return frozenset().union(*(glance.covered for glance in self.glances))

    @cached_property
    def coming(self) -> list[Hit]:
        """The next unseen entries of the initial ranking, as many as one retrieval adds."""
        found: list[Hit] = []
        for hit in self.state.ranking[self.state.cursor :]:
            if hit.row not in self.held:
                found.append(hit)
                if len(found) == self.limits.passages_per_retrieval:
                    break
        return found

    @cached_property
    def mentioned(self) -> frozenset[int]:
        """Corpus rows whose titles the evidence mentions."""
        return frozenset(
            row for glance in self.glances for sighting in glance.sightings for row in sighting.mention.rows
        )

    @cached_property
    def links(self) -> int:
        """Ordered pairs of held passages of which the first mentions the second's title."""
        pairs = {
            (row, other)
            for row, glance in zip(self.rows, self.glances, strict=True)
            for sighting in glance.sightings
            for other in sighting.mention.rows
            if other != row and other in self.held
        }
        return len(pairs)

    @cached_property
    def tokens(self) -> int:
        """Tokens of the evidence (approximate)."""
        return sum(approximate_tokens(held.passage.text) for held in self.state.evidence)

    @cached_property
    def taken(self) -> Counter[str]:
        """How often each action was taken."""
        return Counter(step.action for step in self.state.history)

    @cached_property
    def top(self) -> Bridge | None:
        """The most promising bridge candidate."""
        return self.state.bridges[0] if self.state.bridges else None


class ActionView:
    """A valid action in a state, as features see it."""

    def __init__(self, view: StateView, action: Action) -> None:
        self.view = view
        self.action = action
        self.kind = action.kind

    @cached_property
    def bridge(self) -> Bridge | None:
        """The bridge candidate that the action is about."""
        if self.kind != "bridge_entity_expand" or self.action.candidate >= len(self.view.state.bridges):
            return None
        return self.view.state.bridges[self.action.candidate]

    @cached_property
    def gap(self) -> str:
        """The missing fact that the action is about."""
        gaps = self.view.state.gaps
        return (
            gaps[self.action.candidate]
            if self.kind == "gap_query" and self.action.candidate < len(gaps)
            else ""
        )

    @cached_property
    def target(self) -> int:
        """The corpus row that the action should bring first, where that is known before acting; else -1."""
        view = self.view
        if self.kind == "retrieve_more":
            return view.coming[0].row if view.coming else -1
        if self.kind == "bridge_entity_expand":
            return self.bridge.row if self.bridge else -1
        if self.kind == "rewrite_query":
            return view.top.row if view.top else -1
        if self.kind == "gap_query":
            return self._gap_target
        return -1

    @property
    def _gap_target(self) -> int:
        """The best unheld passage whose title the gap names."""
        rows = {
            row
            for mention in self.view.lens.mentions_in(self.gap)
            for row in mention.rows
            if row not in self.view.held
        }
        return max(rows, key=lambda row: (self.view.lens.similarity(row), -row), default=-1)
