from dataclasses import dataclass, replace

import pytest
from hopilot.errors import InputError
from hopilot.eval.controllers.base import Asked, Context
from hopilot.eval.controllers.registry import CONTROLLERS, find_controller
from hopilot.evidence.actions import ACTION_NAMES, Action
from hopilot.evidence.environment import Environment
from hopilot.evidence.state import Limits
from hopilot.features.extract import state_features
from hopilot.features.registry import registered
from hopilot.models.bundle import load_bundle, save_bundle
from hopilot.models.golden import golden_of
from hopilot.models.manifest import Manifest
from hopilot.models.predictors import ConstantPredictor, ModelFile


def asked(dataset, gold: bool = False) -> list[Asked]:
    return [Asked(one.text, frozenset(one.support) if gold else frozenset()) for one in dataset.questions]


def actions(answers) -> list[tuple[str, ...]]:
    return [tuple(step.action for step in answer.state.history) for answer in answers]


def play(name: str, environment, questions, **more):
    return find_controller(name, more.get("bundles", {})).make(Context(environment, **more))(questions)


def save_constant(folder, index, limits, continuation: float):
    """A bundle that values all actions alike: ties fall to declaration order."""
    import numpy as np

    names, shared = tuple(registered()), state_features()
    manifest = Manifest(
        names, shared, ACTION_NAMES, limits, 0.0, 0.5, {}, index.encoder.name, index.encoder.fingerprint,
        "hopilot", "d", "one_step", "forest", 13,
    )  # fmt: skip
    values = {"value": 0.25, "continuation": continuation}
    widths = {"value": len(names), "continuation": len(shared)}
    return save_bundle(
        folder,
        manifest,
        {role: ModelFile("constant", value=value) for role, value in values.items()},
        {
            role: golden_of(ConstantPredictor(value), np.zeros((2, widths[role]), np.float32))
            for role, value in values.items()
        },
    )


def test_fixed_k_walks_down_the_ranking_to_the_cap(environment, dataset):
    answers = play("fixed_k", environment, asked(dataset))
    assert set(actions(answers)) == {("retrieve_more",) * 3}
    assert [answer.state.rows for answer in answers] == [
        tuple(hit.row for hit in answer.state.ranking[:3]) for answer in answers
    ]


def test_fixed_k_stops_when_the_context_is_full(index, model, dataset):
    environment = Environment(index, model, Limits(max_steps=4, passages_per_retrieval=2, context_passages=3))
    answers = play("fixed_k", environment, asked(dataset))
    assert set(actions(answers)) == {("retrieve_more",) * 2}
    assert {answer.stop_reason for answer in answers} == {"stop_answer"}


def test_the_rule_follows_bridges_after_one_retrieval(environment, dataset):
    for taken in actions(play("rule", environment, asked(dataset))):
        assert taken[0] == "retrieve_more"
        assert "bridge_entity_expand" in taken[1:]
        assert "sufficiency_check" not in taken


def test_uniform_choice_never_stops_before_the_cap(environment, dataset):
    answers = play("uniform_valid", environment, asked(dataset))
    assert {len(taken) for taken in actions(answers)} == {3}
    assert len(set(actions(answers))) > 1


def test_uniform_choice_depends_on_seed_question_and_step_alone(environment, dataset):
    questions = asked(dataset)
    together = actions(play("uniform_valid", environment, questions))
    reverse = actions(play("uniform_valid", environment, questions[::-1]))[::-1]
    alone = [actions(play("uniform_valid", environment, [one]))[0] for one in questions]
    assert together == reverse == alone
    assert actions(play("uniform_valid", environment, questions, seed=14)) != together


@pytest.mark.parametrize("name", CONTROLLERS)
def test_a_blank_question_and_no_question_at_all_end_quietly(environment, name):
    (answer,) = play(name, environment, [Asked("  ", frozenset({"x"}))])
    assert answer.state.ended
    assert answer.answer == ""
    assert play(name, environment, []) == []


def every_path(environment, state):
    """All states that a controller may stop in, by plain recursion, one question and action at a time."""
    found = [state] if state.evidence else []
    for action in environment.valid(state):
        if action.kind != "stop_answer":
            found += every_path(environment, environment.step([(state, action)])[0])
    return found


def test_the_oracle_is_as_good_as_a_plain_search_and_as_cheap(environment, dataset):
    answers = play("oracle", environment, asked(dataset, gold=True))
    for question, answer in zip(dataset.questions, answers, strict=True):
        gold = set(question.support)
        states = every_path(environment, environment.start([question.text])[0])
        ranks = [
            (-len(gold & {passage.id for passage in state.passages}), state.usage.retrieval_calls, state.steps)
            for state in states
        ]
        first = states[ranks.index(min(ranks))]
        assert [step.action for step in answer.state.history] == [step.action for step in first.history]
        assert answer.state.rows == first.rows
        assert answer.state.ended


def test_the_oracle_is_no_worse_than_any_other(environment, dataset):
    def recall(name: str) -> list[float]:
        found = play(name, environment, asked(dataset, gold=name == "oracle"))
        return [
            one.support_recall({p.id for p in a.evidence})
            for one, a in zip(dataset.questions, found, strict=True)
        ]

    best = recall("oracle")
    for name in ("fixed_k", "rule", "uniform_valid"):
        assert all(high >= low for high, low in zip(best, recall(name), strict=True))
    assert sum(best) > sum(recall("fixed_k"))


def test_the_oracle_counts_the_path_and_not_the_search(environment, dataset):
    for answer in play("oracle", environment, asked(dataset, gold=True)):
        assert answer.usage.retrieval_calls <= 3
        assert answer.state.usage.model_calls + 2 == answer.usage.model_calls


def test_the_oracle_ends_where_nothing_can_be_found(environment, dataset):
    (answer,) = play("oracle", environment, [Asked(dataset.questions[0].text, frozenset({"not in the index"}))])
    assert len(answer.evidence) == 1


def test_a_bundle_is_a_controller_of_its_name_and_its_gate_can_be_taken_off(
    environment, index, limits, dataset, tmp_path
):
    bundles = {
        "going": save_constant(tmp_path / "going", index, limits, 0.9),
        "halting": save_constant(tmp_path / "halting", index, limits, 0.1),
    }
    questions = asked(dataset)
    assert set(actions(play("going", environment, questions, bundles=bundles))) == {("retrieve_more",) * 3}
    assert set(actions(play("ungated:halting", environment, questions, bundles=bundles))) == {
        ("retrieve_more",) * 3
    }
    held = actions(play("uniform_gated:going", environment, questions, bundles=bundles))
    assert held == actions(play("uniform_valid", environment, questions))
    free = actions(play("uniform_gated:halting", environment, questions, bundles=bundles))
    assert min(len(taken) for taken in free) < 3


@dataclass
class Column:
    """A predictor that returns one of its features."""

    place: int

    def predict(self, rows):
        return rows[:, self.place].astype("float64")


def test_stopping_wins_where_it_scores_best_unless_the_gate_is_taken_off(
    environment, index, limits, dataset, tmp_path, monkeypatch
):
    loaded = load_bundle(save_constant(tmp_path / "halting", index, limits, 0.1))
    stops = replace(loaded, value=Column(loaded.manifest.features.index("is_stop_answer")))
    monkeypatch.setattr("hopilot.eval.controllers.learned.load_bundle", lambda path: stops)
    bundles = {"halting": tmp_path / "halting"}
    assert set(actions(play("halting", environment, asked(dataset), bundles=bundles))) == {("retrieve_more",)}
    ungated = actions(play("ungated:halting", environment, asked(dataset), bundles=bundles))
    assert {len(taken) for taken in ungated} == {3}


def test_an_unknown_controller_is_named_with_those_there_are(tmp_path):
    with pytest.raises(
        InputError, match="fixed_k, uniform_valid, rule, oracle, mine, ungated:mine, uniform_gated:mine"
    ):
        find_controller("orcale", {"mine": tmp_path})
    with pytest.raises(InputError, match="no controller is called 'ungated:yours'"):
        find_controller("ungated:yours", {"mine": tmp_path})


@pytest.mark.parametrize("name", ["oracle", "a/b", "", "..", "a b"])
def test_a_bundle_needs_a_name_of_its_own_that_can_be_a_folder(name, tmp_path):
    with pytest.raises(InputError, match="may not be called"):
        find_controller(name, {name: tmp_path})


def test_only_the_oracle_declares_the_use_of_gold():
    assert [name for name, controller in CONTROLLERS.items() if controller.uses_gold] == ["oracle"]
    assert all(controller.doc.endswith((".", ").")) for controller in CONTROLLERS.values())


def test_stopping_is_an_action_of_the_environment(environment, dataset):
    """The worlds of these tests do reach states in which stopping is one of several choices."""
    state = environment.step([(environment.start([dataset.questions[0].text])[0], Action("retrieve_more"))])[0]
    assert Action("stop_answer") in environment.valid(state)
    assert len(environment.valid(state)) > 3
