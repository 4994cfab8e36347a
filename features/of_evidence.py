"""Features of the evidence held: its burden, and how much of the question it meets."""

from __future__ import annotations

from ..evidence.actions import ACQUISITION
from ..evidence.passages import normalise_title
from .registry import Feature, declare, feature
from .views import StateView

__all__: list[str] = []


@feature("evidence")
def evidence_passages(view: StateView) -> float:
    """Passages held."""
    return len(view.rows)


@feature("evidence")
def evidence_titles(view: StateView) -> float:
    """Distinct titles held."""
    return len({normalise_title(held.passage.title) for held in view.state.evidence})


@feature("evidence", unit="tokens")
def evidence_tokens(view: StateView) -> float:
    """Tokens held (approximate): the burden on the answerer."""
    return view.tokens


@feature("evidence", unit="share")
def evidence_room(view: StateView) -> float:
    """Share of the answerer's context that is still free."""
    return max(1.0 - len(view.rows) / view.limits.context_passages, 0.0)


@feature("evidence")
def evidence_named(view: StateView) -> float:
    """Held passages whose titles the question names."""
    return sum(glance.in_question for glance in view.glances)


@feature("evidence")
def evidence_links(view: StateView) -> float:
    """Ordered pairs of held passages of which the first mentions the second's title."""
    return view.links


@feature("evidence")
def evidence_chain(view: StateView) -> float:
    """Held passages that the question does not name but a held passage that it names mentions."""
    reached = {
        row
        for glance in view.glances
        if glance.in_question
        for sighting in glance.sightings
        for row in sighting.mention.rows
    }
    return sum(
        row in reached and not glance.in_question for row, glance in zip(view.rows, view.glances, strict=True)
    )


def _brought_by(action: str) -> Feature:
    def compute(view: StateView) -> float:
        return sum(held.action == action for held in view.state.evidence)

    return Feature(
        f"evidence_by_{action}", "evidence", f"Held passages that {action} brought.", "count", "state", compute
    )


for _action in ACQUISITION:
    declare(_brought_by(_action))


@feature("overlap", unit="share")
def overlap_coverage(view: StateView) -> float:
    """Share of question terms that the evidence contains."""
    return len(view.covered) / max(len(view.lens.terms), 1)


@feature("overlap")
def overlap_unmet(view: StateView) -> float:
    """Question terms that no held passage contains."""
    return len(view.lens.terms) - len(view.covered)


@feature("overlap", unit="share")
def overlap_best_passage(view: StateView) -> float:
    """Best share of question terms in one passage."""
    return max((len(glance.covered) for glance in view.glances), default=0) / max(len(view.lens.terms), 1)


@feature("overlap", unit="share")
def overlap_mean_passage(view: StateView) -> float:
    """Mean share of question terms in a passage."""
    many = len(view.glances) * len(view.lens.terms)
    return sum(len(glance.covered) for glance in view.glances) / many if many else 0.0


@feature("overlap", unit="share")
def overlap_best_sentence(view: StateView) -> float:
    """Best share of question terms in one sentence."""
    return max((glance.best_sentence for glance in view.glances), default=0.0)


@feature("overlap")
def overlap_titles_missing(view: StateView) -> float:
    """Entities that the question names, that have a title in the corpus, and that are not held."""
    return len({m.key for m in view.lens.reading.mentions if m.rows and not view.held.intersection(m.rows)})


@feature("overlap")
def overlap_entities_unseen(view: StateView) -> float:
    """Entities that the question names and no held passage mentions."""
    seen = {sighting.mention.key for glance in view.glances for sighting in glance.sightings}
    return len({m.key for m in view.lens.reading.mentions if not m.rows} - seen)


@feature("overlap")
def overlap_last_gain(view: StateView) -> float:
    """Question terms that only the passages of the last retrieval contain."""
    added = view.state.history[-1].added if view.state.history else 0
    if not added:
        return 0.0
    earlier = frozenset().union(*(glance.covered for glance in view.glances[:-added]))
    return len(view.covered - earlier)
