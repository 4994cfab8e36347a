"""Features of what retrieval has scored so far, and of what is known to come: frontier, scores, bridges."""

from __future__ import annotations

from statistics import fmean, pstdev

from .registry import Feature, declare, feature
from .views import StateView

__all__: list[str] = []

_LOOKAHEAD = 3  # entries of the frontier that have a feature each


@feature("frontier", unit="share")
def frontier_position(view: StateView) -> float:
    """How far the cursor has moved down the initial ranking."""
    return view.state.cursor / max(len(view.state.ranking), 1)


@feature("frontier", unit="score")
def frontier_drop(view: StateView) -> float:
    """Best score of the initial ranking minus the next unseen one."""
    return view.state.ranking[0].score - view.coming[0].score if view.coming else 0.0


@feature("frontier")
def frontier_named(view: StateView) -> float:
    """Entries about to come whose titles the question names."""
    named = view.lens.named_rows
    return sum(hit.row in named for hit in view.coming)


@feature("frontier")
def frontier_mentioned(view: StateView) -> float:
    """Entries about to come whose titles the evidence mentions."""
    return sum(hit.row in view.mentioned for hit in view.coming)


@feature("frontier")
def frontier_mentioned_later(view: StateView) -> float:
    """Unseen entries of the whole remaining ranking whose titles the evidence mentions."""
    remaining = view.state.ranking[view.state.cursor :]
    return sum(hit.row in view.mentioned and hit.row not in view.held for hit in remaining)


@feature("frontier")
def frontier_already_held(view: StateView) -> float:
    """Entries ahead of the cursor that other actions brought already."""
    return sum(hit.row in view.held for hit in view.state.ranking[view.state.cursor :])


def _coming(place: int) -> Feature:
    def compute(view: StateView) -> float:
        return view.coming[place].score if place < len(view.coming) else 0.0

    doc = f"Score of the {('next', 'second', 'third')[place]} unseen entry of the initial ranking."
    return Feature(f"frontier_score_{place + 1}", "frontier", doc, "score", "state", compute)


for _place in range(_LOOKAHEAD):
    declare(_coming(_place))


@feature("scores", unit="score")
def score_best(view: StateView) -> float:
    """Best question–passage similarity held."""
    return max(view.similarities, default=0.0)


@feature("scores", unit="score")
def score_mean(view: StateView) -> float:
    """Mean question–passage similarity held."""
    return fmean(view.similarities) if view.similarities else 0.0


@feature("scores", unit="score")
def score_worst(view: StateView) -> float:
    """Least question–passage similarity held."""
    return min(view.similarities, default=0.0)


@feature("scores", unit="score")
def score_spread(view: StateView) -> float:
    """Standard deviation of the similarities held."""
    return pstdev(view.similarities) if len(view.similarities) > 1 else 0.0


@feature("scores", unit="score")
def score_lead(view: StateView) -> float:
    """First minus second score of the initial ranking."""
    ranking = view.state.ranking
    return ranking[0].score - ranking[1].score if len(ranking) > 1 else 0.0


@feature("scores", unit="score")
def score_fall(view: StateView) -> float:
    """First minus tenth score of the initial ranking: how peaked it is."""
    ranking = view.state.ranking
    return ranking[0].score - ranking[min(9, len(ranking) - 1)].score if ranking else 0.0


@feature("scores", unit="score")
def score_last_added(view: StateView) -> float:
    """Best question–passage similarity that the last retrieval brought."""
    added = view.state.history[-1].added if view.state.history else 0
    return max(view.similarities[-added:], default=0.0) if added else 0.0


@feature("bridge")
def bridge_candidates(view: StateView) -> float:
    """Unexpanded bridge candidates (at most eight are kept)."""
    return len(view.state.bridges)


@feature("bridge")
def bridge_titled(view: StateView) -> float:
    """Candidates that the corpus has an unheld title for."""
    return sum(bridge.row >= 0 for bridge in view.state.bridges)


@feature("bridge", unit="logit")
def bridge_first(view: StateView) -> float:
    """Rank score of the first candidate."""
    return view.top.score if view.top else -12.0


@feature("bridge", unit="logit")
def bridge_second(view: StateView) -> float:
    """Rank score of the second candidate."""
    return view.state.bridges[1].score if len(view.state.bridges) > 1 else -12.0


@feature("bridge", unit="logit")
def bridge_third(view: StateView) -> float:
    """Rank score of the third candidate."""
    return view.state.bridges[2].score if len(view.state.bridges) > 2 else -12.0


@feature("bridge", unit="score")
def bridge_similarity(view: StateView) -> float:
    """Question–passage similarity of the first candidate's titled passage."""
    return view.top.similarity if view.top else 0.0


@feature("bridge", unit="share")
def bridge_cue(view: StateView) -> float:
    """Share of question terms in the words around the first candidate."""
    return view.top.cue if view.top else 0.0


@feature("bridge", unit="share")
def bridge_overlap(view: StateView) -> float:
    """Best share of question terms in a sentence that mentions the first candidate."""
    return view.top.question_overlap if view.top else 0.0


@feature("bridge", unit="flag")
def bridge_in_question(view: StateView) -> float:
    """Whether the question itself names the first candidate."""
    return view.top is not None and view.top.in_question


@feature("bridge", unit="flag")
def bridge_from_named(view: StateView) -> float:
    """Whether a passage that the question names mentions the first candidate."""
    return view.top is not None and view.top.from_named
