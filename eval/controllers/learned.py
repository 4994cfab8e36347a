"""A trained controller, read from its bundle; and its two ablations, each replacing one half of it.

`NAME` ranks by the action-value model behind the continuation gate (DynaKRAG). `ungated:NAME` keeps the
ranking and never stops before it must; `uniform_gated:NAME` keeps the gate and draws among what it leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...evidence.actions import Action
from ...evidence.state import State
from ...models.bundle import load_bundle
from ...models.policy import Choice, DecisionPolicy
from .base import Context, Controller, Run, drawn, stepwise

__all__ = ["learned", "ungated", "uniform_gated"]


def learned(name: str) -> Controller:
    """Declare the controller of the bundle called `name`."""

    def make(context: Context) -> Run:
        return stepwise(context.environment, _policy(context, name))

    return Controller(name, "Action values behind the continuation gate, from a trained bundle.", make)


def ungated(name: str) -> Controller:
    """Declare the ranking of the bundle called `name` without its continuation gate."""

    def make(context: Context) -> Run:
        policy = _policy(context, name)

        def choose(states: Sequence[State], valids: Sequence[tuple[Action, ...]]) -> list[Choice]:
            choices = policy(states, valids)
            return [_without_stop(choice, valid) for choice, valid in zip(choices, valids, strict=True)]

        return stepwise(context.environment, choose)

    return Controller(f"ungated:{name}", f"The ranking of {name}, to the step cap.", make)


def uniform_gated(name: str) -> Controller:
    """Declare uniform choice behind the continuation gate of the bundle called `name`."""

    def make(context: Context) -> Run:
        policy = _policy(context, name)

        def choose(states: Sequence[State], valids: Sequence[tuple[Action, ...]]) -> list[Choice]:
            return [
                Choice(drawn(_allowed(choice, valid), context.seed, state))
                for state, valid, choice in zip(states, valids, policy(states, valids), strict=True)
            ]

        return stepwise(context.environment, choose)

    return Controller(f"uniform_gated:{name}", f"A uniform draw behind the continuation gate of {name}.", make)


def _policy(context: Context, name: str) -> DecisionPolicy:
    """Open a bundle over the index of the comparison.

    Raises:
        InputError: the bundle is missing or damaged, or was made for another encoder.
    """
    return load_bundle(context.bundles[name]).policy(context.environment)


def _without_stop(choice: Choice, valid: Sequence[Action]) -> Choice:
    """Take the best-scored action but stopping; a lone valid action carries no scores and is kept."""
    scored = [place for place in range(len(choice.scores)) if valid[place].kind != "stop_answer"]
    if not scored:
        return choice
    best = max(scored, key=lambda place: choice.scores[place])  # max takes the first of equals
    return Choice(valid[best], choice.scores, choice.continuation, stop_allowed=False)


def _allowed(choice: Choice, valid: Sequence[Action]) -> list[Action]:
    return [action for action in valid if choice.stop_allowed or action.kind != "stop_answer"]
