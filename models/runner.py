"""From questions to answers: all of them move side by side, one action each per level."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..evidence.actions import Action
from ..evidence.environment import Environment
from ..evidence.language_model import LanguageModel, Snippet
from ..evidence.passages import Passage
from ..evidence.state import State, Usage
from .policy import Choice, DecisionPolicy
from .trace import TraceStep, render, trace_step

if TYPE_CHECKING:
    from ..evidence.index import EvidenceIndex

__all__ = ["Answer", "Choice", "Choose", "PolicyRunner", "run_policy"]

Choose = Callable[[Sequence[State], Sequence[tuple[Action, ...]]], Sequence[Choice]]
"""A controller as a function: states and their valid actions in, one choice for each state out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How one question ended, and how it came to that."""

    question: str
    answer: str
    """Blank when the answerer abstains, or when there is no evidence."""
    evidence: tuple[Passage, ...]
    """The passages that reached the answerer, in the order in which they came."""
    snippets: tuple[Snippet, ...]
    trace: tuple[TraceStep, ...]
    usage: Usage
    """All that was spent, compression and answering included."""
    stop_reason: str
    seconds: float
    """Wall-clock time; what questions did together counts in equal shares."""
    state: State = field(repr=False)
    """The last state, for those who want to look deeper."""

    def as_dict(self) -> dict[str, Any]:
        """Return the answer and its trace as plain lists, texts and numbers."""
        return {
            "question": self.question,
            "answer": self.answer,
            "stop_reason": self.stop_reason,
            "evidence": [asdict(passage) for passage in self.evidence],
            "snippets": [asdict(snippet) for snippet in self.snippets],
            "trace": [step.as_dict() for step in self.trace],
            "usage": {**asdict(self.usage), "tokens": self.usage.tokens},
            "seconds": round(self.seconds, 6),
        }

    def render(self, *, width: int = 110) -> str:
        """Return the trace as a plain-text table."""
        return render(self.trace, width=width)


@dataclass(slots=True)
class _Live:
    """A question on its way."""

    question: str
    state: State
    seconds: float
    trace: list[TraceStep] = field(default_factory=list)


def run_policy(environment: Environment, choose: Choose, questions: Sequence[str]) -> list[Answer]:
    """Run a controller over questions in lockstep, and answer each from what it gathered.

    It always ends: every action counts as a step, and when the step cap is passed, or no action is
    valid, acquisition ends with the evidence so far.

    Raises:
        RunError: the controller chose an action that is not valid.
    """
    live = _begin(environment, questions)
    for _ in _levels(environment, choose, live):
        pass
    return _finish(environment, live)


class PolicyRunner:
    """A trained controller at work in one environment."""

    def __init__(self, environment: Environment, policy: DecisionPolicy | Choose) -> None:
        self.environment = environment
        self.policy: Choose = policy

    @classmethod
    def from_bundle(
        cls, path: Path | str, index: EvidenceIndex, language_model: LanguageModel, *, threads: int = 1
    ) -> PolicyRunner:
        """Open an exported bundle over an index, under the limits that it was trained with.

        Raises:
            InputError: the bundle is damaged, or belongs to another encoder, action or feature set.
        """
        from .bundle import load_bundle

        bundle = load_bundle(Path(path))
        environment = Environment(index, language_model, bundle.limits, threads=threads)
        return cls(environment, bundle.policy(environment))

    def run(self, question: str) -> Answer:
        """Answer one question."""
        return self.run_many([question])[0]

    def run_many(self, questions: Sequence[str]) -> list[Answer]:
        """Answer many questions at once, in order; each answer is the one it would get alone."""
        return run_policy(self.environment, self.policy, questions)

    def stream(self, question: str) -> Iterator[TraceStep | Answer]:
        """Yield each step as it is taken, and the answer last."""
        live = _begin(self.environment, [question])
        for _ in _levels(self.environment, self.policy, live):
            yield live[0].trace[-1]
        yield _finish(self.environment, live)[0]


def _begin(environment: Environment, questions: Sequence[str]) -> list[_Live]:
    begun = time.perf_counter()
    states = environment.start(questions)
    share = (time.perf_counter() - begun) / max(len(questions), 1)
    return [_Live(question, state, share) for question, state in zip(questions, states, strict=True)]


def _levels(environment: Environment, choose: Choose, live: Sequence[_Live]) -> Iterator[int]:
    """Take one action for each question that goes on, and yield after each such level."""
    for level in range(environment.limits.max_steps + 1):
        going = [one for one in live if not one.state.ended]
        if not going:
            return
        begun = time.perf_counter()
        taken = _level(environment, choose, going)
        share = (time.perf_counter() - begun) / len(going)
        for one in going:
            one.seconds += share
        if taken:
            yield level
    for one in live:
        if not one.state.ended:
            one.state = one.state.stopped("step cap")


def _level(environment: Environment, choose: Choose, going: Sequence[_Live]) -> int:
    valids = [environment.valid(one.state) for one in going]
    for one, valid in zip(going, valids, strict=True):
        if not valid:
            one.state = one.state.stopped("no valid action")
    able = [(one, valid) for one, valid in zip(going, valids, strict=True) if valid]
    if not able:
        return 0
    choices = choose([one.state for one, _ in able], [valid for _, valid in able])
    pairs = [(one.state, choice.action) for (one, _), choice in zip(able, choices, strict=True)]
    for (one, valid), choice, after in zip(able, choices, environment.step(pairs), strict=True):
        one.trace.append(trace_step(one.state, valid, choice, after))
        one.state = after
    return len(able)


def _finish(environment: Environment, live: Sequence[_Live]) -> list[Answer]:
    begun = time.perf_counter()
    outcomes = environment.finish([one.state for one in live])
    share = (time.perf_counter() - begun) / max(len(live), 1)
    return [
        Answer(
            question=one.question,
            answer=outcome.answer,
            evidence=outcome.state.passages[: environment.limits.context_passages],
            snippets=outcome.snippets,
            trace=tuple(one.trace),
            usage=outcome.usage,
            stop_reason=outcome.state.stop_reason,
            seconds=one.seconds + share,
            state=outcome.state,
        )
        for one, outcome in zip(live, outcomes, strict=True)
    ]
