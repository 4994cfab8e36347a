"""Trees of states: what was reached from each question, level by level, all questions side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..evidence.actions import Action
from ..evidence.environment import Environment
from ..evidence.state import State

__all__ = ["Edge", "Node", "Tree", "grow"]


@dataclass(slots=True)
class Edge:
    """An action taken in a node, and the node that it led to."""

    action: Action
    child: Node


@dataclass(slots=True)
class Node:
    """A state and the actions that were tried in it, in declaration order."""

    state: State
    number: int = -1
    """Place among the expanded states of its question, in the order of expansion; -1 if not expanded."""
    edges: list[Edge] = field(default_factory=list)

    @property
    def leaf(self) -> bool:
        """Whether nothing was tried here."""
        return not self.edges


@dataclass(slots=True)
class Tree:
    """All that was explored from one question."""

    root: Node
    expanded: list[Node] = field(default_factory=list)
    """Expanded nodes, breadth first."""


Choose = Callable[[int, Sequence[Node]], Sequence[Node]]


def grow(environment: Environment, questions: Sequence[str], choose: Choose) -> list[Tree]:
    """Explore from each question to the step cap.

    At each level `choose(question, frontier)` names the nodes of one question to expand further;
    every valid action of a chosen node is tried. All questions share one call of the environment a
    level, so that queries are encoded in large batches.
    """
    trees = [Tree(Node(state)) for state in environment.start(questions)]
    frontiers: list[list[Node]] = [[tree.root] for tree in trees]
    while any(frontiers):
        pairs: list[tuple[Node, Action]] = []
        for place, (tree, frontier) in enumerate(zip(trees, frontiers, strict=True)):
            for node in choose(place, frontier) if frontier else ():
                actions = environment.valid(node.state)
                node.number = len(tree.expanded)
                tree.expanded.append(node)
                pairs.extend((node, action) for action in actions)
        states = environment.step([(node.state, action) for node, action in pairs])
        for (node, action), state in zip(pairs, states, strict=True):
            node.edges.append(Edge(action, Node(state)))
        frontiers = [
            _next_level(environment, tree, frontier) for tree, frontier in zip(trees, frontiers, strict=True)
        ]
    return trees


def _next_level(environment: Environment, tree: Tree, frontier: Sequence[Node]) -> list[Node]:
    """Return the children on which something other than stopping can still be tried."""
    steps = environment.limits.max_steps
    return [
        edge.child
        for node in frontier
        for edge in node.edges
        if not edge.child.state.ended and edge.child.state.steps < steps
    ]
