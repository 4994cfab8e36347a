"""Taking a batch of questions through one controller, so that one that fails takes no other with it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..evidence.actions import Action
from ..evidence.environment import Environment
from ..evidence.state import State, Usage
from ..questions.question import Question
from .answers import AnswerRule
from .controllers.base import Asked, Context, Controller, Run
from .metrics import Scored

__all__ = ["Attempts"]


class _Watched:
    """An environment that remembers the last state it returned: what a failed question had come to."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self.last: State | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._environment, name)

    def start(self, questions: Sequence[str]) -> list[State]:
        return self._seen(self._environment.start(questions))

    def step(self, pairs: Sequence[tuple[State, Action]]) -> list[State]:
        return self._seen(self._environment.step(pairs))

    def _seen(self, states: list[State]) -> list[State]:
        self.last = states[-1] if states else self.last
        return states


@dataclass(frozen=True, slots=True)
class Attempts:
    """One controller in one environment, ready to be asked."""

    controller: Controller
    environment: Environment
    run: Run
    rule: AnswerRule
    watched: _Watched

    @classmethod
    def of(cls, controller: Controller, context: Context, rule: AnswerRule) -> Attempts:
        """Make the controller in a context.

        Raises:
            InputError: it cannot be made (a bundle that does not fit the index, say).
        """
        watched = _Watched(context.environment)
        environment = cast(Environment, watched)
        inner = Context(environment, context.seed, context.bundles)
        return cls(controller, environment, controller.make(inner), rule, watched)

    def ask(self, questions: Sequence[Question]) -> list[Scored]:
        """Return what came of each question, in order.

        A batch that raises is halved until the questions at fault stand alone; those are recorded with
        the exception and with what they had spent by their last state.
        """
        began = time.perf_counter()
        self.watched.last = None
        try:
            answers = self.run([self._asked(question) for question in questions])
        except Exception as error:
            seconds = time.perf_counter() - began
            if len(questions) == 1:
                return [self._failed(questions[0], error, seconds)]
            middle = len(questions) // 2
            return self.ask(questions[:middle]) + self.ask(questions[middle:])
        return [
            self._scored(question, it.state, it.answer, it.usage, it.seconds)
            for question, it in zip(questions, answers, strict=True)
        ]

    def _asked(self, question: Question) -> Asked:
        """Show the gold to those controllers alone that declare its use."""
        gold = frozenset(question.support) if self.controller.uses_gold else frozenset()
        return Asked(question.text, gold)

    def _failed(self, question: Question, error: Exception, seconds: float) -> Scored:
        state = self.watched.last or State(question=question.text)
        message = " ".join(f"{type(error).__name__}: {error}".split())
        return self._scored(question, state, "", state.usage, seconds, failure=message[:500])

    def _scored(
        self, question: Question, state: State, answer: str, usage: Usage, seconds: float, failure: str = ""
    ) -> Scored:
        kept = state.passages[: self.environment.limits.context_passages]
        return Scored(
            question, self.rule, tuple(passage.id for passage in kept), answer, usage, state.steps, seconds,
            stop_reason="failure" if failure else state.stop_reason,
            actions=tuple(step.action for step in state.history),
            failure=failure,
        )  # fmt: skip
