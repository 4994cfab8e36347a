import numpy as np
import pytest
from hopilot.errors import InputError
from hopilot.models.predictors import open_predictor
from hopilot.training.learners import LEARNERS, LearnerSettings, Rows, learner_named

HOW = LearnerSettings(trees=30, min_leaf=4)


@pytest.fixture(scope="module")
def rows():
    """Columns of whole numbers, of rounded and of free fractions: thresholds fall between close float32s."""
    generator = np.random.default_rng(3)
    features = generator.normal(size=(900, 9)).astype(np.float32)
    features[:, :3] = np.round(features[:, :3] * 2)
    features[:, 3:6] = np.round(features[:, 3:6], 2)
    features[:, 6] = 1.0 + np.arange(900) * np.float32(1.2e-7)  # neighbours in float32
    labels = 0.4 * (features[:, 0] > 0) + 0.3 * (features[:, 3] > 0.11) + 0.3 * (features[:, 6] > 1.00005)
    return Rows(features[:700], labels[:700], features[700:], labels[700:])


def _raw(name, model, features, *, classify):
    if name == "lightgbm":
        return model.predict(features, num_iteration=model.best_iteration)
    return model.predict_proba(features)[:, 1] if classify else model.predict(features)


@pytest.mark.parametrize("name", LEARNERS)
def test_export_matches_training(name, rows):
    learner = LEARNERS[name]
    features = np.concatenate([rows.features, rows.validation_features])
    value = learner.make_value(rows, HOW)
    exported = open_predictor(learner.export(value)).predict(features)
    np.testing.assert_allclose(exported, _raw(name, value, features, classify=False), atol=1e-5, rtol=0)
    assert np.ptp(exported) > 0.5
    classes = Rows(rows.features, rows.labels > 0.5, rows.validation_features, rows.validation_labels > 0.5)
    continuation = learner.make_continuation(classes, HOW)
    exported = open_predictor(learner.export(continuation)).predict(features)
    np.testing.assert_allclose(exported, _raw(name, continuation, features, classify=True), atol=1e-5, rtol=0)
    assert exported.min() >= 0.0
    assert exported.max() <= 1.0


@pytest.mark.parametrize("name", LEARNERS)
def test_two_fits_with_one_seed_export_equal_bytes_and_another_seed_does_not_hide(name, rows):
    learner = LEARNERS[name]
    first, second = (learner.export(learner.make_value(rows, HOW)).data for _ in range(2))
    assert first == second
    if name == "forest":  # boosting without sampling draws nothing
        other = LearnerSettings(trees=30, min_leaf=4, seed=14)
        assert learner.export(learner.make_value(rows, other)).data != first


@pytest.mark.parametrize("name", LEARNERS)
def test_a_row_has_the_same_value_in_any_company(name, rows):
    learner = LEARNERS[name]
    predictor = open_predictor(learner.export(learner.make_value(rows, HOW)))
    together = predictor.predict(rows.features[:60])
    assert together.tolist() == [predictor.predict(rows.features[i : i + 1])[0] for i in range(60)]
    assert predictor.predict(rows.features[:0]).shape == (0,)


@pytest.mark.parametrize("name", LEARNERS)
def test_importances_are_shares_and_name_the_columns_that_matter(name, rows):
    learner = LEARNERS[name]
    shares = learner.importances(learner.make_value(rows, HOW))
    assert shares.sum() == pytest.approx(1.0)
    assert set(np.argsort(shares)[-3:]) == {0, 3, 6}


def test_an_unknown_learner_is_refused_with_the_known_names():
    with pytest.raises(InputError, match="forest, lightgbm"):
        learner_named("svm")
