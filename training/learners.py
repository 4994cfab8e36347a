"""The learners: how action values and continuation are fitted, and how the fitted models are exported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..models.predictors import ModelFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LEARNERS", "Learner", "LearnerSettings", "Rows", "learner_named"]


@dataclass(frozen=True, slots=True)
class LearnerSettings:
    """What the learners share; `min_leaf` None means the learner's own default."""

    trees: int = 300
    min_leaf: int | None = None
    max_features: float = 1 / 3
    seed: int = 13


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows to fit and rows to validate: float32 [n, d] with float64 [n] each."""

    features: NDArray[np.float32]
    labels: NDArray[np.float64]
    validation_features: NDArray[np.float32]
    validation_labels: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Learner:
    """One declared learner."""

    name: str
    doc: str
    min_leaf: int
    """Rows in a leaf at the least, where the settings leave it open."""
    make_value: Callable[[Rows, LearnerSettings], Any]
    """Fit a regressor of action values."""
    make_continuation: Callable[[Rows, LearnerSettings], Any]
    """Fit a classifier; the labels hold both classes."""
    export: Callable[[Any], ModelFile]
    """Turn a fitted model into bytes that predict the same within 1e-5, from float32 rows."""
    importances: Callable[[Any], NDArray[np.float64]]
    """Return the share of each feature in the fit, float64 [d] summing to 1 (0 without any split)."""
    libraries: tuple[str, ...]
    """Distributions whose versions belong in the bundle."""


def learner_named(name: str) -> Learner:
    """Return a declared learner.

    Raises:
        InputError: no learner bears that name.
    """
    if name not in LEARNERS:
        raise InputError(f"unknown learner {name!r}", where="learner", expected=", ".join(LEARNERS))
    return LEARNERS[name]


# -- random forest (scikit-learn, exported as ONNX) ----------------------------------------------


def _forest_value(rows: Rows, settings: LearnerSettings) -> Any:
    from sklearn.ensemble import RandomForestRegressor

    forest = RandomForestRegressor(
        n_estimators=settings.trees,
        min_samples_leaf=settings.min_leaf or _FOREST_LEAF,
        max_features=settings.max_features,
        random_state=settings.seed,
        n_jobs=-1,
    )
    return forest.fit(rows.features, rows.labels)


def _forest_continuation(rows: Rows, settings: LearnerSettings) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(
        n_estimators=settings.trees,
        min_samples_leaf=settings.min_leaf or _FOREST_LEAF,
        random_state=settings.seed,
        n_jobs=-1,
    )
    return forest.fit(rows.features, rows.labels.astype("int64"))


def _forest_export(forest: Any) -> ModelFile:
    from skl2onnx import convert_sklearn
    from skl2onnx.common.data_types import FloatTensorType
    from sklearn.base import is_classifier

    model = convert_sklearn(
        forest,
        name="hopilot",  # the default is a random name, and so other bytes each time
        initial_types=[("features", FloatTensorType([None, forest.n_features_in_]))],
        options={id(forest): {"zipmap": False}} if is_classifier(forest) else None,
        target_opset=_OPSET,
    )
    return ModelFile("onnx", model.SerializeToString(deterministic=True))


def _forest_importances(forest: Any) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = forest.feature_importances_
    return shares


# -- gradient boosting (LightGBM, exported as its text form) --------------------------------------


def _boosted_value(rows: Rows, settings: LearnerSettings) -> Any:
    return _boost(rows, settings, "regression")


def _boosted_continuation(rows: Rows, settings: LearnerSettings) -> Any:
    return _boost(rows, settings, "binary")


def _boost(rows: Rows, settings: LearnerSettings, objective: str) -> Any:
    import lightgbm

    parameters = {
        "objective": objective,
        "learning_rate": 0.05,
        # Small trees on random parts of rows and columns: a few hundred questions give many rows that say
        # nearly the same, and larger trees learn the questions by heart.
        "num_leaves": 15,
        "bagging_fraction": 0.7,
        "bagging_freq": 1,
        "feature_fraction": 0.5,
        "min_data_in_leaf": settings.min_leaf or _BOOSTED_LEAF,
        "seed": settings.seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": _BOOSTED_THREADS,
        "verbosity": -1,
    }
    # Named by position: LightGBM refuses some characters, and the bundle keeps the names and their order.
    names = [f"f{column}" for column in range(rows.features.shape[1])]
    data = lightgbm.Dataset(rows.features, rows.labels, feature_name=names)
    return lightgbm.train(parameters, data, num_boost_round=settings.trees)


def _boosted_export(booster: Any) -> ModelFile:
    return ModelFile("lightgbm", booster.model_to_string().encode())


def _boosted_importances(booster: Any) -> NDArray[np.float64]:
    gains: NDArray[np.float64] = booster.feature_importance("gain")
    return gains / max(float(gains.sum()), 1e-12)


_OPSET = {"": 17, "ai.onnx.ml": 3}  # old enough for every onnxruntime in use
_FOREST_LEAF = 8  # DynaKRAG
_BOOSTED_LEAF = 40
_BOOSTED_THREADS = 1  # part of what makes two fits equal; more wait for each other on a busy machine

LEARNERS: dict[str, Learner] = {
    learner.name: learner
    for learner in (
        Learner(
            "forest",
            "Random forests (scikit-learn): 300 trees, minimum leaf 8. DynaKRAG.",
            _FOREST_LEAF,
            _forest_value, _forest_continuation, _forest_export, _forest_importances,
            ("scikit-learn", "skl2onnx", "onnx", "onnxruntime"),
        ),
        Learner(
            "lightgbm",
            "Boosted trees (LightGBM): 300 rounds of small trees at rate 0.05 on random parts of the rows.",
            _BOOSTED_LEAF,
            _boosted_value, _boosted_continuation, _boosted_export, _boosted_importances,
            ("lightgbm",),
        ),
    )
}  # fmt: skip
"""The declared learners by name."""
