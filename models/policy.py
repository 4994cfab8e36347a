"""The decision: drop what is invalid, hold back stopping while going on helps, take the best of the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..errors import RunError
from ..evidence.actions import Action
from ..evidence.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .predictors import Predictor

__all__ = ["Choice", "DecisionPolicy", "RowExtractor", "stop_allowed"]

_STOP = "stop_answer"


class RowExtractor(Protocol):
    """What turns a state and its actions into rows of features; see `features.extract`."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        ...

    def rows(self, state: State, actions: Sequence[Action]) -> NDArray[np.float32]:
        """Return float32 [len(actions), len(names)]."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """What a controller decided in one state, and on what grounds."""

    action: Action
    scores: tuple[float, ...] = ()
    """v̂ − λ·cost of each valid action, in their order; empty where nothing was scored."""
    continuation: float | None = None
    """Probability that going on helps; None where stopping was not in question."""
    stop_allowed: bool = True
    """False when the continuation model held `stop_answer` back."""
    reason: str = ""


def stop_allowed(going_on_helps: float, threshold: float) -> bool:
    """Return whether the continuation gate lets `stop_answer` pass."""
    return going_on_helps < threshold or threshold >= 1.0


class DecisionPolicy:
    """argmax over the valid actions of v̂ − λ·cost, with `stop_answer` behind the continuation gate.

    `stop_answer` is on the table only when P(going on helps) < `threshold`, or when nothing else is
    valid; a threshold of 1 opens the gate for good, one of 0 shuts it. Ties go to the action that is
    declared first. Source: DynaKRAG, equation 2.
    """

    def __init__(
        self,
        value: Predictor,
        continuation: Predictor,
        value_features: RowExtractor,
        state_features: RowExtractor,
        *,
        threshold: float = 0.5,
        lam: float = 0.0,
        costs: Mapping[str, float] | None = None,
    ) -> None:
        self.value = value
        self.continuation = continuation
        self.value_features = value_features
        self.state_features = state_features
        self.threshold = threshold
        self.lam = lam
        self.costs = dict(costs or {})
        known = value_features.names
        self._shared = [known.index(name) for name in state_features.names if name in known]
        """Columns of the value rows that hold the state features, where they hold all of them."""

    def decide(self, state: State, valid: Sequence[Action]) -> Choice:
        """Choose among the valid actions of one state.

        Raises:
            RunError: there is no valid action, or a feature is not a number.
        """
        return self([state], [valid])[0]

    def __call__(self, states: Sequence[State], valids: Sequence[Sequence[Action]]) -> list[Choice]:
        """Choose in many states at once; each choice is the one that the state would get alone."""
        if any(not valid for valid in valids):
            raise RunError("there is no valid action to choose from")
        open_to_choice = [place for place, valid in enumerate(valids) if len(valid) > 1]
        chosen = [Choice(valid[0], reason="the only valid action") for valid in valids]
        some = [states[place] for place in open_to_choice]
        their_valids = [valids[place] for place in open_to_choice]
        blocks = [
            self.value_features.rows(state, valid) for state, valid in zip(some, their_valids, strict=True)
        ]
        scores = self._scores(blocks, their_valids)
        going_on = self._going_on(some, their_valids, blocks)
        for place, valid, values, helps in zip(open_to_choice, their_valids, scores, going_on, strict=True):
            chosen[place] = self._choose(valid, values, helps)
        return chosen

    def _scores(
        self, blocks: Sequence[NDArray[np.float32]], valids: Sequence[Sequence[Action]]
    ) -> list[NDArray[np.float64]]:
        """Return v̂ − λ·cost for each state's actions; all rows go through the model at once."""
        import numpy as np

        if not blocks:
            return []
        values = self.value.predict(_finite(np.concatenate(blocks), self.value_features.names))
        costs = np.array([self.costs.get(action.kind, 0.0) for valid in valids for action in valid])
        ends = np.cumsum([len(valid) for valid in valids])
        return list(np.split(values - self.lam * costs, ends[:-1]))

    def _going_on(
        self,
        states: Sequence[State],
        valids: Sequence[Sequence[Action]],
        blocks: Sequence[NDArray[np.float32]],
    ) -> list[float | None]:
        """Return P(going on helps) where stopping is one of the choices, else None."""
        import numpy as np

        asked = [place for place, valid in enumerate(valids) if any(action.kind == _STOP for action in valid)]
        found: list[float | None] = [None] * len(states)
        if asked:
            rows = np.concatenate(
                [self._state_row(states[place], valids[place], blocks[place]) for place in asked]
            )
            probabilities = self.continuation.predict(_finite(rows, self.state_features.names))
            for place, probability in zip(asked, probabilities, strict=True):
                found[place] = float(probability)
        return found

    def _state_row(
        self, state: State, valid: Sequence[Action], block: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the state's features, out of the rows of its actions where those hold them."""
        if len(self._shared) == len(self.state_features.names):
            return block[:1, self._shared]
        return self.state_features.rows(state, valid[:1])

    def _choose(self, valid: Sequence[Action], values: NDArray[np.float64], helps: float | None) -> Choice:
        import numpy as np

        held_back = helps is not None and not stop_allowed(helps, self.threshold)
        barred = [held_back and action.kind == _STOP for action in valid]
        best = int(np.argmax(np.where(barred, -np.inf, values)))  # argmax takes the first of equals
        reason = f"stopping held back: {helps:.2f} ≥ {self.threshold:.2f}" if held_back else "the highest score"
        scores = tuple(float(value) for value in values)
        return Choice(valid[best], scores, helps, stop_allowed=not held_back, reason=reason)


def _finite(rows: NDArray[np.float32], names: Sequence[str]) -> NDArray[np.float32]:
    import numpy as np

    if not np.isfinite(rows).all():
        column = int(np.argmin(np.isfinite(rows).all(axis=0)))
        raise RunError(f"feature {names[column]!r} is not a finite number")
    return rows
