"""A scripted world in which the gold can be had fast with many retrievals, or slowly with few."""

from dataclasses import dataclass, replace

from hopilot.eval.controllers.base import Asked, Context
from hopilot.eval.controllers.oracle import ORACLE
from hopilot.evidence.actions import Action
from hopilot.evidence.answering import Outcome
from hopilot.evidence.passages import Corpus, Passage
from hopilot.evidence.state import Held, Limits, State, Step, Usage

GOLD, PLAIN = Passage.of("Gold", "what was asked"), Passage.of("Plain", "what was not")


@dataclass
class Index:
    corpus: Corpus


class Branching:
    """Two checks open a query that finds the gold with the second retrieval; plainly it takes three."""

    def __init__(self, max_steps: int) -> None:
        self.limits = Limits(max_steps=max_steps)
        self.index = Index(Corpus.of([GOLD, PLAIN]))
        self.taken = 0

    def start(self, questions):
        return [State(question) for question in questions]

    def valid(self, state):
        if state.steps >= self.limits.max_steps:
            return (Action("stop_answer"),)
        kinds = [step.action for step in state.history]
        gap = ["gap_query"] if kinds.count("sufficiency_check") == 2 else []
        later = ["sufficiency_check", "stop_answer"] if state.evidence else []
        return tuple(Action(kind) for kind in ["retrieve_more", *gap, *later])

    def step(self, pairs):
        self.taken += len(pairs)
        return [self._after(state, action) for state, action in pairs]

    def _after(self, state, action):
        if action.kind == "stop_answer":
            return state.stopped("stop_answer")
        state = replace(state, history=(*state.history, Step(action.kind)))
        if action.kind == "sufficiency_check":
            return state
        calls = state.usage.retrieval_calls + 1
        found = GOLD if action.kind == "gap_query" or calls == 3 else PLAIN
        held = Held(found, 0, 1.0, 0, action.kind)
        return replace(state, evidence=(*state.evidence, held), usage=Usage(retrieval_calls=calls))

    def finish(self, states):
        return [Outcome(state, (), "", state.usage) for state in states]


def path(max_steps: int) -> tuple[list[str], Branching]:
    world = Branching(max_steps)
    (answer,) = ORACLE.make(Context(world))([Asked("?", frozenset({GOLD.id}))])
    return [step.action for step in answer.state.history], world


def test_fewer_retrievals_are_worth_more_steps():
    assert path(4)[0] == ["retrieve_more", "sufficiency_check", "sufficiency_check", "gap_query"]


def test_most_gold_comes_before_fewest_retrievals():
    assert path(3)[0] == ["retrieve_more"] * 3
    assert path(2)[0] == ["retrieve_more"]


def test_states_that_cannot_win_any_more_are_not_expanded():
    world = path(8)[1]
    everything = Branching(8)
    states, total = everything.start(["?"]), 0
    for _ in range(8):
        pairs = [(s, a) for s in states for a in everything.valid(s) if a.kind != "stop_answer"]
        states, total = everything.step(pairs), total + len(pairs)
    assert world.taken < total / 20
