"""Trees and labels, counted by hand on a world of four passages."""

import pytest
from hopilot.evidence.actions import Action
from hopilot.evidence.environment import Environment
from hopilot.evidence.passages import Passage
from hopilot.evidence.state import Held, Limits, State
from hopilot.questions.question import Question
from hopilot.trajectories.explorers import EXPLORERS
from hopilot.trajectories.labels import Label, label_tree
from hopilot.trajectories.tree import Edge, Node, Tree
from tiny_world import Scripted, build_index, open_world, tiny_dataset

GOLD = [Passage.of("Gold one", "a"), Passage.of("Gold two", "b")]
OTHER = Passage.of("Other", "c")
QUESTION = Question("q", "?", answers=("x",), support=tuple(passage.id for passage in GOLD))


def node(*passages, children=(), stop=""):
    held = tuple(Held(passage, 0, 0.0, 0, "retrieve_more") for passage in passages)
    made = Node(State("?", evidence=held, stop_reason=stop))
    made.edges = [Edge(Action("retrieve_more"), child) for child in children]
    return made


def tree(*expanded):
    for number, one in enumerate(expanded):
        one.number = number
    return Tree(expanded[0], list(expanded))


def test_labels_by_hand():
    both = node(GOLD[0], OTHER, GOLD[1])
    one = node(GOLD[0], children=[node(GOLD[0], OTHER), both, node(GOLD[0], stop="stop_answer")])
    dead = node(OTHER, children=[node(OTHER, stop="stop_answer")])
    root = node(children=[one, dead])
    assert label_tree(QUESTION, tree(root, one, dead)) == {
        (0, 0): Label(0.0, 0.5, 1.0, 1.0, False, False),
        (0, 1): Label(0.0, 0.0, 1.0, 0.0, False, False),
        (1, 0): Label(0.5, 0.5, 1.0, 0.5, False, False),
        (1, 1): Label(0.5, 1.0, 1.0, 1.0, False, True),
        (1, 2): Label(0.5, 0.5, 1.0, 0.5, False, False),
        (2, 0): Label(0.0, 0.0, 0.0, 0.0, False, False),
    }


def test_full_support_before_and_after():
    ended = node(*GOLD, stop="stop_answer")
    (label,) = label_tree(QUESTION, tree(node(*GOLD, children=[ended]))).values()
    assert label == Label(1.0, 1.0, 1.0, 1.0, True, True)


def test_gold_that_the_source_lacks_counts_as_missed():
    question = Question("q", "?", answers=("x",), support=(GOLD[0].id,), missing_support=1)
    (label,) = label_tree(question, tree(node(children=[node(*GOLD)]))).values()
    assert (label.recall_after, label.best_before, label.full_after) == (0.5, 0.5, False)


def test_a_passage_with_a_gold_title_and_another_text_is_not_gold():
    (label,) = label_tree(QUESTION, tree(node(children=[node(Passage.of("Gold one", "z"))]))).values()
    assert label.recall_after == 0.0


def test_a_gold_passage_counts_wherever_it_stands_in_the_evidence():
    for held in ((GOLD[1], GOLD[0]), (OTHER, GOLD[1], GOLD[0])):
        (label,) = label_tree(QUESTION, tree(node(children=[node(*held)]))).values()
        assert label.recall_after == 1.0


# -- how states are explored ------------------------------------------------------------------------


@pytest.fixture
def four(tmp_path):
    """A world without names, so that no bridge entity is ever found; the whole ranking takes two walks."""
    passages = [Passage.of(word, f"some {word} here") for word in ("alpha", "beta", "gamma", "delta")]
    limits = Limits(max_steps=2, passages_per_retrieval=2, frontier_depth=4)
    return Environment(build_index(tmp_path, passages), Scripted(enough=4), limits)


def shape(environment, tree):
    return [
        (one.number, one.state.steps, [(edge.action.kind, edge.child.number) for edge in one.edges])
        for one in tree.expanded
    ]


def test_exhaustive_exploration_by_hand(four):
    (tree,) = EXPLORERS["exhaustive"].explore(four, ["alpha beta?"], 0, 13)
    assert shape(four, tree) == [
        (0, 0, [("retrieve_more", 1)]),
        (1, 1, [("retrieve_more", -1), ("rewrite_query", -1), ("sufficiency_check", -1), ("stop_answer", -1)]),
    ]


def test_exhaustive_exploration_one_level_deeper(four):
    four = Environment(four.index, four.language_model, Limits(3, None, 2, 4, 4))
    (tree,) = EXPLORERS["exhaustive"].explore(four, ["alpha beta?"], 0, 13)
    assert [(number, steps, [kind for kind, _ in edges]) for number, steps, edges in shape(four, tree)[2:]] == [
        # after the whole ranking
        (2, 2, ["rewrite_query", "sufficiency_check", "stop_answer"]),
        # after a rewrite, which brought the other two
        (3, 2, ["retrieve_more", "rewrite_query", "sufficiency_check", "stop_answer"]),
        # after a check
        (4, 2, ["retrieve_more", "gap_query", "rewrite_query", "stop_answer"]),
    ]


@pytest.mark.parametrize("explorer", ["exhaustive", "sampled"])
def test_every_valid_action_of_an_expanded_state_is_taken_in_order(tmp_path, explorer):
    environment = open_world(tmp_path)
    trees = EXPLORERS[explorer].explore(environment, [q.text for q in tiny_dataset(3).questions], 2, 13)
    for tree in trees:
        assert [one.number for one in tree.expanded] == list(range(len(tree.expanded)))
        for one in tree.expanded:
            assert tuple(edge.action for edge in one.edges) == environment.valid(one.state)
            assert not one.state.ended
            assert one.state.steps < environment.limits.max_steps


def test_exhaustive_exploration_expands_every_state_that_can_go_on(tmp_path):
    environment = open_world(tmp_path)
    (tree,) = EXPLORERS["exhaustive"].explore(environment, [tiny_dataset(1).questions[0].text], 2, 13)
    children = [edge.child for one in tree.expanded for edge in one.edges]
    open_ones = [
        one for one in children if not one.state.ended and one.state.steps < environment.limits.max_steps
    ]
    assert len(open_ones) == len(tree.expanded) - 1
    assert all(one.leaf == (one.number < 0) for one in children)


def test_roll_outs_are_seeded_and_few(tmp_path):
    environment = open_world(tmp_path)
    questions = [question.text for question in tiny_dataset().questions]

    def explored(seed, rollouts=2):
        return [
            shape(environment, tree)
            for tree in EXPLORERS["sampled"].explore(environment, questions, rollouts, seed)
        ]

    assert explored(13) == explored(13)
    assert explored(13) != explored(14)
    for tree in explored(13):
        depths = [steps for _, steps, _ in tree]
        assert [depths.count(depth) for depth in range(3)] == [1, 1, 2]  # one action is valid at first
    assert explored(13, rollouts=10_000) == [
        shape(environment, tree) for tree in EXPLORERS["exhaustive"].explore(environment, questions, 0, 0)
    ]


@pytest.mark.parametrize("explorer", ["exhaustive", "sampled"])
def test_a_question_has_the_same_tree_in_any_company(tmp_path, explorer):
    questions = [question.text for question in tiny_dataset().questions]
    environment = open_world(tmp_path / "one")
    together = EXPLORERS[explorer].explore(environment, questions, 2, 13)
    for question, tree in reversed(list(zip(questions, together, strict=True))):
        (alone,) = EXPLORERS[explorer].explore(open_world(tmp_path / "two"), [question], 2, 13)
        assert shape(environment, alone) == shape(environment, tree)
        assert [one.state for one in alone.expanded] == [one.state for one in tree.expanded]


def test_a_blank_question_has_a_tree_of_one_state(tmp_path):
    (tree,) = EXPLORERS["exhaustive"].explore(open_world(tmp_path), [" "], 2, 13)
    assert [edge.action.kind for edge in tree.root.edges] == ["stop_answer"]
    assert len(tree.expanded) == 1
