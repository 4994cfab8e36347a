"""From states and actions to vectors."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..evidence.actions import Action
from ..evidence.lens import Lenses
from ..evidence.state import Limits, State
from .registry import Feature, registered, select
from .views import ActionView, QuestionView, StateView

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FeatureExtractor", "state_features"]

_KEPT = 1024  # questions whose features are kept


def state_features(names: Iterable[str] | None = None) -> tuple[str, ...]:
    """Return those names that describe a state and no action: what the continuation model sees."""
    known = registered()
    return tuple(name for name in select(names) if known[name].level != "action")


class FeatureExtractor:
    """Turns run-time facts into float32 vectors, the same at training and at run time.

    Args:
        lenses: the question views of the index that the states come from.
        limits: the caps under which the controller acts.
        names: feature names; None for all. They are put into registry order.
    """

    def __init__(self, lenses: Lenses, limits: Limits, names: Iterable[str] | None = None) -> None:
        self.lenses = lenses
        self.limits = limits
        self.names = select(names)
        known = registered()
        self._levels = {
            level: tuple(known[name] for name in self.names if known[name].level == level)
            for level in ("question", "state", "action")
        }
        self._questions: OrderedDict[str, list[float]] = OrderedDict()

    def rows(self, state: State, actions: Sequence[Action]) -> NDArray[np.float32]:
        """Return one row an action, float32 [len(actions), len(names)]."""
        import numpy as np

        view = StateView(state, self.lenses.of(state.question), self.limits)
        shared = self._shared(view)
        table = np.empty((len(actions), len(self.names)), dtype=np.float32)
        table[:, : len(shared)] = shared
        if self._levels["action"]:
            table[:, len(shared) :] = [
                [found.compute(seen) for found in self._levels["action"]]
                for seen in (ActionView(view, action) for action in actions)
            ]
        return table

    def state_row(self, state: State) -> NDArray[np.float32]:
        """Return the question and state features of one state, float32 [1, shared features]."""
        import numpy as np

        view = StateView(state, self.lenses.of(state.question), self.limits)
        return np.asarray([self._shared(view)], dtype=np.float32)

    @cached_property
    def declared(self) -> tuple[Feature, ...]:
        """The declarations of the features, in order."""
        known = registered()
        return tuple(known[name] for name in self.names)

    def _shared(self, view: StateView) -> list[float]:
        return self._of_question(view) + [found.compute(view) for found in self._levels["state"]]

    def _of_question(self, view: StateView) -> list[float]:
        text = view.state.question
        known = self._questions.get(text)
        if known is None:
            question = QuestionView(view.lens)
            known = self._questions[text] = [found.compute(question) for found in self._levels["question"]]
            if len(self._questions) > _KEPT:
                self._questions.popitem(last=False)
        return known
