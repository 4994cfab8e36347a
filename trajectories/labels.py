"""What gold support says of each transition."""

from __future__ import annotations

from dataclasses import dataclass

from ..evidence.state import State
from ..questions.question import Question
from .tree import Node, Tree

__all__ = ["Label", "label_tree"]


@dataclass(frozen=True, slots=True)
class Label:
    """Support recall around one transition.

    `best_before` and `best_after` are the best recall reached below the state and below the
    transition within the remaining budget; with the exhaustive explorer that is the best reachable,
    with sampled roll-outs a lower bound of it.
    """

    recall_before: float
    recall_after: float
    best_before: float
    best_after: float
    full_before: bool
    full_after: bool


def label_tree(question: Question, tree: Tree) -> dict[tuple[int, int], Label]:
    """Return the label of each edge, by (node number, edge place)."""
    best: dict[int, float] = {}
    recall: dict[int, float] = {}

    def recall_of(node: Node) -> float:
        known = recall.get(id(node))
        if known is None:
            known = recall[id(node)] = _recall(question, node.state)
        return known

    def below(node: Node) -> float:
        return best.get(id(node), recall_of(node))

    for node in reversed(tree.expanded):  # children stand after their parents
        best[id(node)] = max((below(edge.child) for edge in node.edges), default=recall_of(node))
    return {
        (node.number, place): _label(recall_of(node), recall_of(edge.child), below(node), below(edge.child))
        for node in tree.expanded
        for place, edge in enumerate(node.edges)
    }


def _recall(question: Question, state: State) -> float:
    return question.support_recall({held.passage.id for held in state.evidence})


def _label(before: float, after: float, best_before: float, best_after: float) -> Label:
    return Label(before, after, best_before, best_after, before == 1.0, after == 1.0)
