"""Features of a valid action: its identity, its candidate, what it is expected to bring, and its cost."""

from __future__ import annotations

from ..evidence.actions import ACTION_NAMES, kind_of
from .registry import Feature, declare, feature
from .views import ActionView

__all__: list[str] = []

_NONE = -1.0  # similarity of an expected passage that is not known


def _is(action: str) -> Feature:
    def compute(view: ActionView) -> float:
        return view.kind == action

    return Feature(f"is_{action}", "action", f"Whether the action is {action}.", "flag", "action", compute)


for _action in ACTION_NAMES:
    declare(_is(_action))


@feature("action", level="action")
def action_taken_before(view: ActionView) -> float:
    """Times this action was taken before."""
    return view.view.taken[view.kind]


@feature("action", unit="flag", level="action")
def action_acquires(view: ActionView) -> float:
    """Whether the action can bring passages."""
    return kind_of(view.kind).acquires


@feature("action", level="action")
def candidate_rank(view: ActionView) -> float:
    """Place of the candidate in its list."""
    return view.action.candidate


@feature("action", unit="logit", level="action")
def candidate_score(view: ActionView) -> float:
    """Rank score of the bridge candidate; −12 for other actions."""
    return view.bridge.score if view.bridge else -12.0


@feature("action", unit="share", level="action")
def candidate_cue(view: ActionView) -> float:
    """Share of question terms in the words around the bridge candidate."""
    return view.bridge.cue if view.bridge else 0.0


@feature("action", level="action")
def candidate_mentions(view: ActionView) -> float:
    """Evidence sentences that mention the bridge candidate."""
    return view.bridge.mentions if view.bridge else 0


@feature("action", level="action")
def query_words(view: ActionView) -> float:
    """Words of the query, where it is known before acting (gap, bridge)."""
    text = view.gap or (view.bridge.query if view.bridge else "")
    return len(text.split())


@feature("action", unit="flag", level="action")
def target_known(view: ActionView) -> float:
    """Whether the passage that the action should bring first is known before acting."""
    return view.target >= 0


@feature("action", unit="score", level="action")
def target_similarity(view: ActionView) -> float:
    """Question–passage similarity of the expected passage; −1 where none is known."""
    return view.view.lens.similarity(view.target) if view.target >= 0 else _NONE


@feature("action", unit="flag", level="action")
def target_in_question(view: ActionView) -> float:
    """Whether the question names the expected passage's title."""
    return view.target in view.view.lens.named_rows


@feature("action", unit="flag", level="action")
def target_mentioned(view: ActionView) -> float:
    """Whether the evidence mentions the expected passage's title."""
    return view.target in view.view.mentioned


@feature("action", unit="flag", level="action")
def target_on_frontier(view: ActionView) -> float:
    """Whether the initial ranking would bring the expected passage too, were it walked further."""
    ranking = view.view.state.ranking[view.view.state.cursor :]
    return view.target >= 0 and any(hit.row == view.target for hit in ranking)


@feature("action", unit="score", level="action")
def target_gain(view: ActionView) -> float:
    """Similarity of the expected passage minus that of the next unseen one of the initial ranking."""
    if view.target < 0 or not view.view.coming:
        return 0.0
    return view.view.lens.similarity(view.target) - view.view.coming[0].score


@feature("cost", unit="calls", level="action")
def cost_retrievals(view: ActionView) -> float:
    """Retrieval calls that the action makes."""
    return kind_of(view.kind).acquires


@feature("cost", unit="calls", level="action")
def cost_model_calls(view: ActionView) -> float:
    """Language-model calls that the action makes."""
    return kind_of(view.kind).model_calls


@feature("cost", unit="tokens", level="action")
def cost_tokens(view: ActionView) -> float:
    """Tokens that the action is expected to cost: each model call reads question and evidence."""
    return kind_of(view.kind).model_calls * view.view.tokens
