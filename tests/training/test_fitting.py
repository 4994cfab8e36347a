from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hopilot.errors import InputError
from hopilot.models.predictors import open_predictor
from hopilot.training.fitting import FitSettings, fit
from hopilot.training.splitting import validation_questions


@pytest.mark.parametrize("learner", ["forest", "lightgbm"])
def test_a_fit_learns_which_action_brings_more(table, quick, learner):
    fitted = fit(table, replace(quick, learner=learner, trees=60))
    metrics = fitted.metrics
    assert metrics["value_r2"] > 0.5
    assert metrics["rank_top1"] > 0.8
    assert metrics["reach_regret"] < 0.05
    assert metrics["continuation_auc"] > 0.8
    assert metrics["continuation_brier"] < 0.2
    assert 0 < metrics["stop_allowed_share"] < 1
    assert sum(v for k, v in metrics.items() if k.startswith("chosen_share_")) == pytest.approx(1.0)
    assert {one.feature for one in fitted.importances if one.model == "value"} == set(table.names)


def test_one_seed_gives_one_controller(table, quick):
    first, second = fit(table, quick), fit(table, quick)
    assert first.models == second.models
    assert first.manifest == second.manifest
    assert first.golden == second.golden
    assert fit(table, replace(quick, seed=14)).models != first.models


def test_no_held_out_question_is_learned_from(table, quick):
    """Labels of the held-out questions are turned upside down: the models must not notice."""
    held_out = validation_questions(table.labels["question_id"], share=0.2, seed=13)
    labels, states = table.labels.copy(), table.state_labels.copy()
    inside = labels["question_id"].isin(held_out)
    labels.loc[inside, "best_after"] = 1.0 - labels.loc[inside, "best_after"]
    hidden = states["question_id"].isin(held_out)
    states.loc[hidden, "continue_helps"] = ~states.loc[hidden, "continue_helps"]
    measured = replace(quick, refit=False)
    changed = fit(replace(table, labels=labels, state_labels=states), measured)
    assert changed.models == fit(table, measured).models
    assert changed.metrics["value_r2"] < 0


def test_shipped_models_learn_from_every_question_and_are_measured_before(table, quick):
    shipped, measured = fit(table, quick), fit(table, replace(quick, refit=False))
    assert shipped.metrics == measured.metrics
    assert shipped.models != measured.models


@pytest.mark.parametrize("helps", [0.0, 1.0])
@pytest.mark.parametrize("learner", ["forest", "lightgbm"])
def test_continuation_labels_of_one_class_give_a_declared_constant(make_table, quick, helps, learner):
    fitted = fit(make_table(always_helps=helps), replace(quick, learner=learner))
    assert fitted.models["continuation"].kind == "constant"
    predictor = open_predictor(fitted.models["continuation"])
    assert predictor.predict(np.zeros((3, 3), np.float32)).tolist() == [helps] * 3
    assert "constant" in fitted.notes[0]
    assert fitted.metrics["continuation_auc"] is None
    assert fitted.metrics["stop_allowed_share"] == 1.0 - helps


def test_a_feature_that_is_not_a_number_is_named_with_its_question(table, quick):
    features = table.features.copy()
    features[17, 2] = np.nan  # the second question: four states of four actions each come before
    with pytest.raises(InputError, match=r"'bridge_cue' is nan for question 'q1'"):
        fit(replace(table, features=features), quick)


def test_a_label_that_is_not_a_number_is_named_with_its_question(table, quick):
    labels = table.labels.copy()
    labels.loc[40, "best_after"] = np.nan
    with pytest.raises(InputError, match=r"'best_after' is nan for question 'q2'"):
        fit(replace(table, labels=labels), quick)


def test_a_missing_label_column_is_named(table, quick):
    with pytest.raises(InputError, match="labels lack best_before"):
        fit(replace(table, labels=table.labels.drop(columns="best_before")), quick)


def test_rows_that_do_not_fit_the_labels_are_refused(table, quick):
    with pytest.raises(InputError, match="as many rows as labels"):
        fit(replace(table, features=table.features[:-1]), quick)


def test_an_action_without_a_cost_is_named(table, quick):
    costs = {name: cost for name, cost in table.costs.items() if name != "retrieve_more"}
    with pytest.raises(InputError, match="retrieve_more"):
        fit(replace(table, costs=costs), quick)


@pytest.mark.parametrize("learner", ["forest", "lightgbm"])
def test_too_few_rows_are_refused_by_name(make_table, learner):
    with pytest.raises(InputError, match="nothing to split") as refused:
        fit(make_table(3), FitSettings(learner=learner, trees=5, min_leaf=200))
    assert "min_leaf" in str(refused.value)


def test_values_that_are_all_equal_are_refused(table, quick):
    recall = table.labels["recall_before"]
    labels = table.labels.assign(best_before=recall, best_after=recall)
    with pytest.raises(InputError, match="nothing to rank"):
        fit(replace(table, labels=labels), quick)


def test_settings_are_taken_from_any_object_that_has_them():
    found = FitSettings.of(SimpleNamespace(learner="lightgbm", lam=0.2, unrelated=1))
    assert found == FitSettings(learner="lightgbm", lam=0.2)
