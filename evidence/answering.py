"""The end of every question: compression of the evidence, and the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .language_model import LanguageModel, Snippet
from .state import Limits, State, Usage

__all__ = ["Outcome", "answer_many"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a question ended: its last state, the snippets kept, the answer, and all that was spent."""

    state: State
    snippets: tuple[Snippet, ...]
    answer: str
    usage: Usage


def answer_many(
    language_model: LanguageModel,
    states: Sequence[State],
    limits: Limits,
    run: Callable[[Callable[[State], Any], Sequence[State]], list[Any]],
) -> list[Outcome]:
    """Compress and answer each state's first `limits.context_passages` passages.

    Without evidence there is nothing to answer from: the answer is blank and no call is made.
    """

    def end(state: State) -> Outcome:
        passages = state.passages[: limits.context_passages]
        if not passages:
            return Outcome(state, (), "", state.usage)
        kept = language_model.compress(
            state.question, passages, snippets=limits.snippets, tokens=limits.snippet_tokens
        )
        reply = language_model.answer(state.question, kept.value, tokens=limits.answer_tokens)
        return Outcome(state, kept.value, reply.value, state.usage + kept.usage + reply.usage)

    return run(end, states)
