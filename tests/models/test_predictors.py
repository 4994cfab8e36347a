import time

import numpy as np
import pytest
from hopilot.errors import InputError
from hopilot.models.predictors import LightGBMPredictor, ModelFile, OnnxPredictor, open_predictor
from hopilot.training.learners import LEARNERS, LearnerSettings, Rows

READERS = {"forest": OnnxPredictor, "lightgbm": LightGBMPredictor}


@pytest.fixture(scope="module")
def rows():
    generator = np.random.default_rng(1)
    features = generator.normal(size=(300, 20)).astype(np.float32)
    return Rows(features, features[:, 0] + features[:, 1] ** 2, features[:50].copy(), features[:50, 0].copy())


@pytest.mark.parametrize("learner", READERS)
def test_a_model_reads_the_same_from_a_file_as_from_bytes(learner, rows, tmp_path):
    made = LEARNERS[learner]
    file = made.export(made.make_value(rows, LearnerSettings(trees=5, min_leaf=5)))
    path = tmp_path / "model"
    path.write_bytes(file.data)
    expected = open_predictor(file).predict(rows.features)
    found = READERS[learner](path).predict(rows.features)
    assert found.dtype == np.float64
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("learner", READERS)
def test_six_rows_take_well_under_a_millisecond(learner, rows):
    made = LEARNERS[learner]
    predictor = open_predictor(made.export(made.make_value(rows, LearnerSettings(trees=100))))
    six = rows.features[:6].copy()
    best = float("inf")
    for _ in range(300):  # the fastest of many, since other work may share the processor
        begun = time.perf_counter()
        predictor.predict(six)
        best = min(best, time.perf_counter() - begun)
    assert best < 0.5e-3


def test_an_unknown_kind_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match="onnx, lightgbm, constant"):
        open_predictor(ModelFile("pickle", b"..."))
