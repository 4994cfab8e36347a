"""Features of the trajectory so far: probes, gaps, steps, and what they brought."""

from __future__ import annotations

from ..evidence.actions import ACTION_NAMES
from .registry import Feature, declare, feature
from .views import StateView

__all__: list[str] = []


@feature("probe", unit="flag")
def probe_made(view: StateView) -> float:
    """Whether sufficiency was ever judged."""
    return view.state.verdict is not None


@feature("probe", unit="flag")
def probe_sufficient(view: StateView) -> float:
    """Whether the last verdict was "sufficient"."""
    return view.state.verdict is not None and view.state.verdict.sufficient


@feature("probe", unit="probability")
def probe_confidence(view: StateView) -> float:
    """Confidence that the evidence suffices, as last judged; −1 where never judged."""
    return view.state.verdict.confidence if view.state.verdict else -1.0


@feature("probe")
def probe_age(view: StateView) -> float:
    """Passages added since the last check; all of them where never judged."""
    return len(view.rows) - max(view.state.checked_at, 0)


@feature("probe")
def gap_count(view: StateView) -> float:
    """Recorded missing facts not searched for yet."""
    return len(view.state.gaps)


@feature("probe", unit="share")
def gap_novelty(view: StateView) -> float:
    """Share of the first gap's words that the question does not contain."""
    if not view.state.gaps:
        return 0.0
    words = view.state.gaps[0].casefold().split()
    question = view.state.question.casefold()
    return sum(word not in question for word in words) / max(len(words), 1)


@feature("probe", unit="flag")
def gap_titled(view: StateView) -> float:
    """Whether the first gap names an unheld corpus title."""
    return bool(view.state.gaps) and any(
        row not in view.held for m in view.lens.mentions_in(view.state.gaps[0]) for row in m.rows
    )


@feature("history")
def history_steps(view: StateView) -> float:
    """Control steps taken."""
    return view.state.steps


@feature("history")
def history_steps_left(view: StateView) -> float:
    """Control steps left."""
    return view.limits.max_steps - view.state.steps


@feature("history")
def history_retrievals(view: StateView) -> float:
    """Retrieval calls made."""
    return view.state.usage.retrieval_calls


@feature("history")
def history_retrievals_left(view: StateView) -> float:
    """Retrieval calls left under the cap, or the steps left where there is none."""
    cap = view.limits.max_retrievals
    left = view.limits.max_steps - view.state.steps
    return left if cap is None else min(cap - view.state.usage.retrieval_calls, left)


@feature("history", unit="tokens")
def history_tokens(view: StateView) -> float:
    """Tokens spent so far."""
    return view.state.usage.tokens


@feature("history")
def history_last_added(view: StateView) -> float:
    """Passages that the last step added."""
    return view.state.history[-1].added if view.state.history else 0


@feature("history", unit="score")
def history_last_score(view: StateView) -> float:
    """Best retrieval score of the last step."""
    return view.state.history[-1].top_score if view.state.history else 0.0


@feature("history")
def history_idle(view: StateView) -> float:
    """Steps that brought nothing for a recorded reason."""
    return sum(bool(step.note) for step in view.state.history)


def _taken(action: str) -> Feature:
    def compute(view: StateView) -> float:
        return view.taken[action]

    return Feature(f"taken_{action}", "history", f"Times {action} was taken.", "count", "state", compute)


def _last(action: str) -> Feature:
    def compute(view: StateView) -> float:
        return bool(view.state.history) and view.state.history[-1].action == action

    return Feature(
        f"last_{action}", "history", f"Whether {action} was the last step.", "flag", "state", compute
    )


for _action in ACTION_NAMES[:5]:
    declare(_taken(_action))
    declare(_last(_action))
