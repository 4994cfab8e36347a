"""What happened to one question, step by step, to read and to store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..evidence.actions import Action, kind_of
from ..evidence.state import State
from .policy import Choice

__all__ = ["Option", "TraceStep", "render", "trace_step"]


@dataclass(frozen=True, slots=True)
class Option:
    """One valid action as it stood for choice."""

    action: str
    candidate: str
    """The bridge entity or missing fact that it is about, or an empty string."""
    score: float | None
    """v̂ − λ·cost, or None where nothing was scored."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One control step: the options, the choice, and what it brought."""

    number: int
    """1 for the first step."""
    options: tuple[Option, ...]
    continuation: float | None
    """Probability that going on helps, or None where it was not asked."""
    stop_allowed: bool
    action: str
    candidate: str
    query: str
    titles: tuple[str, ...]
    """Titles of the passages that it added."""
    note: str
    """Why it brought nothing, what the check found, or why acquisition ended."""
    reason: str
    """Why it was chosen."""

    def as_dict(self) -> dict[str, Any]:
        """Return the step as plain lists, texts and numbers."""
        plain = asdict(self)
        return {**plain, "options": list(plain["options"]), "titles": list(self.titles)}


def trace_step(state: State, valid: Sequence[Action], choice: Choice, after: State) -> TraceStep:
    """Describe the choice made in `state` by what it led to."""
    scores: Sequence[float | None] = choice.scores or [None] * len(valid)
    recorded = after.history[-1] if after.steps > state.steps else None
    return TraceStep(
        number=state.steps + 1,
        options=tuple(
            Option(action.kind, _candidate(state, action), score)
            for action, score in zip(valid, scores, strict=True)
        ),
        continuation=choice.continuation,
        stop_allowed=choice.stop_allowed,
        action=choice.action.kind,
        candidate=_candidate(state, choice.action),
        query=recorded.query if recorded else "",
        titles=tuple(held.passage.title for held in after.evidence[len(state.evidence) :]),
        note=_note(choice.action, after),
        reason=choice.reason,
    )


def _candidate(state: State, action: Action) -> str:
    names = kind_of(action.kind).candidates(state)
    return names[action.candidate] if action.candidate < len(names) else ""


def _note(action: Action, after: State) -> str:
    if after.ended:
        return after.stop_reason
    if action.kind == "sufficiency_check" and after.verdict is not None:
        if after.verdict.sufficient:
            return f"sufficient ({after.verdict.confidence:.2f})"
        missing = "; ".join(after.verdict.missing) or "not named"
        return f"insufficient ({after.verdict.confidence:.2f}), missing: {missing}"
    return after.history[-1].note if after.history else ""


def render(steps: Sequence[TraceStep], *, width: int = 110) -> str:
    """Return the trace as a plain-text table; the chosen option is marked with ▸."""
    from io import StringIO

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_lines=True, expand=True)
    for heading, ratio in (("step", 1), ("options and scores", 6), ("choice", 5), ("brought", 5)):
        table.add_column(heading, ratio=ratio, overflow="fold")
    for step in steps:
        # Text, not str: passage titles may hold what rich would read as markup.
        table.add_row(
            str(step.number),
            Text(_options(step)),
            Text(_choice(step)),
            Text("\n".join(step.titles) or step.note),
        )
    stream = StringIO()
    Console(file=stream, width=width, color_system=None, force_terminal=False).print(table)
    return stream.getvalue()


def _options(step: TraceStep) -> str:
    lines = []
    for option in step.options:
        chosen = option.action == step.action and option.candidate == step.candidate
        score = "" if option.score is None else f" {option.score:+.3f}"
        barred = " (held back)" if option.action == "stop_answer" and not step.stop_allowed else ""
        label = f"{option.action}: {option.candidate}" if option.candidate else option.action
        lines.append(f"{'▸' if chosen else ' '} {label}{score}{barred}")
    if step.continuation is not None:
        lines.append(f"  going on helps: {step.continuation:.2f}")
    return "\n".join(lines)


def _choice(step: TraceStep) -> str:
    about = f": {step.candidate}" if step.candidate else ""
    asked = f"\nquery: {step.query}" if step.query and step.query != step.candidate else ""
    return f"{step.action}{about}{asked}\n({step.reason})" if step.reason else f"{step.action}{about}{asked}"
