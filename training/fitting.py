"""Fitting: from a table of features and labels to a controller that can be exported."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..evidence.actions import ACTION_NAMES
from ..evidence.state import Limits
from ..models.golden import golden_of
from ..models.manifest import Manifest
from ..models.predictors import ModelFile, Predictor, open_predictor
from .learners import Learner, LearnerSettings, Rows, learner_named
from .quality import continuation_quality, ranking_quality, value_quality
from .splitting import validation_questions
from .targets import target_named

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

__all__ = ["FitSettings", "FittedController", "Importance", "TrainingTable", "fit"]

_NUMBERS = ("recall_before", "recall_after", "full_before", "full_after", "best_before", "best_after")
_LABELS = ("question_id", "state", "action", "candidate", *_NUMBERS)
_STATE_LABELS = ("question_id", "state", "continue_helps")


@dataclass(frozen=True)
class TrainingTable:
    """Features and labels of one set of trajectories, row by row in the same order."""

    features: NDArray[np.float32]
    """One row an action: float32 [n, d]."""
    names: tuple[str, ...]
    state_features: NDArray[np.float32]
    """One row a state: float32 [s, k]."""
    state_names: tuple[str, ...]
    labels: pd.DataFrame
    """n rows; the columns that `targets` describes."""
    state_labels: pd.DataFrame
    """s rows: question_id, state, continue_helps."""
    costs: Mapping[str, float]
    """Cost of each action that occurs."""
    fingerprint: str
    encoder_name: str
    encoder_fingerprint: str
    dataset_name: str
    limits: Mapping[str, int | None]

    def check(self) -> None:
        """Make sure that the parts fit together and hold no NaN.

        Raises:
            InputError: what is wrong, with the column and the question.
        """
        for what, rows, names, labels, columns in (
            ("features", self.features, self.names, self.labels, _LABELS),
            ("state_features", self.state_features, self.state_names, self.state_labels, _STATE_LABELS),
        ):
            missing = [column for column in columns if column not in labels.columns]
            if missing:
                raise InputError(f"labels lack {', '.join(missing)}", where=what, expected=", ".join(columns))
            if rows.shape != (len(labels), len(names)) or not len(labels) or len(set(names)) != len(names):
                raise InputError(
                    f"{rows.shape} numbers for {len(labels)} labelled rows and {len(set(names))} names",
                    where=what,
                    expected="as many rows as labels, at least one, and a column for each unique name",
                )
            _refuse_nan(what, rows, names, labels)
        _refuse_nan("labels", self.labels[list(_NUMBERS)].to_numpy("float64"), _NUMBERS, self.labels)
        helps = self.state_labels[["continue_helps"]].to_numpy("float64")
        _refuse_nan("labels", helps, ("continue_helps",), self.state_labels)
        unknown = sorted(set(self.labels["action"]) - (set(ACTION_NAMES) & set(self.costs)))
        if unknown:
            raise InputError(
                f"actions without a declaration or a cost: {', '.join(map(str, unknown))}", where="labels"
            )


@dataclass(frozen=True, slots=True)
class FitSettings:
    """How to fit."""

    learner: str = "forest"
    """A name in `LEARNERS`."""
    target: str = "one_step"
    """A name in `TARGETS`."""
    trees: int = 300
    """Trees of a forest, or boosting rounds at the most."""
    min_leaf: int | None = None
    """Rows in a leaf at the least; None for the learner's own: 8 for forests, 40 for boosted trees."""
    max_features: float = 1 / 3
    """Share of the features tried at a split of the value forest.

    A third, not all: on 5,000 synthetic rows of 40 features it fits in 0.4 of the time, and the
    validation error rises by one percent.
    """
    seed: int = 13
    validation_share: float = 0.2
    refit: bool = True
    """Whether the shipped models are fitted again to all questions once they are measured."""
    threshold: float = 0.05
    """`stop_answer` is allowed where P(going on helps) is below it; permissive, as in the paper's main runs."""
    lam: float = 0.0
    """λ in v̂ − λ·cost; 0 in DynaKRAG."""

    @classmethod
    def of(cls, settings: Any) -> FitSettings:
        """Take the fields of the same names from any settings object, and the defaults of the others."""
        known = {one.name: getattr(settings, one.name) for one in fields(cls) if hasattr(settings, one.name)}
        return cls(**known)


@dataclass(frozen=True, slots=True)
class Importance:
    """Share of a feature in the fit of one of the two models."""

    model: str
    feature: str
    share: float


@dataclass(frozen=True)
class FittedController:
    """Two exported models, and all that their bundle says of them."""

    manifest: Manifest
    models: Mapping[str, ModelFile]
    golden: Mapping[str, Any]
    importances: tuple[Importance, ...]
    """The weightiest first, value model before continuation model."""
    settings: FitSettings
    sizes: Mapping[str, int] = field(default_factory=dict)
    """Questions, rows and states on each side of the split."""
    notes: tuple[str, ...] = ()
    """What a reader of the results should know."""

    @property
    def metrics(self) -> Mapping[str, float | None]:
        """Validation metrics of the exported models."""
        return self.manifest.metrics


def fit(table: TrainingTable, settings: FitSettings) -> FittedController:
    """Fit action values and continuation, and measure the *exported* models on held-out questions.

    Once measured, the models that ship are fitted again to all questions (`refit`): questions are
    scarce, and the metrics then stand a little on the safe side.

    Raises:
        InputError: NaN, too few rows or questions, labels that are all equal, unknown learner or target.
    """
    learner, target = learner_named(settings.learner), target_named(settings.target)
    table.check()
    labels, state_labels = table.labels, table.state_labels
    held_out = validation_questions(
        map(str, labels["question_id"]), share=settings.validation_share, seed=settings.seed
    )
    value_labels = target.compute(labels)
    held_rows = _is_in(labels, held_out)
    held_states = _is_in(state_labels, held_out)
    helps = state_labels["continue_helps"].to_numpy("float64")
    value_rows = _rows(table.features, value_labels, held_rows)
    state_rows = _rows(table.state_features, helps, held_states)
    how = LearnerSettings(settings.trees, settings.min_leaf, settings.max_features, settings.seed)
    measured = _fit_models(learner, value_rows, state_rows, how)
    predictors = measured.predictors()
    predicted = predictors["value"].predict(value_rows.validation_features)
    metrics = {
        **value_quality(predicted, value_rows.validation_labels),
        **ranking_quality(labels[held_rows], predicted, value_rows.validation_labels),
        **_continuation_metrics(predictors["continuation"], state_rows, settings.threshold),
    }
    shipped = measured
    if settings.refit:
        shipped = _fit_models(learner, _all_of(value_rows), _all_of(state_rows), how)
        predictors = shipped.predictors()
    return FittedController(
        manifest=_manifest(table, settings, learner, metrics),
        models=shipped.models,
        golden={
            "value": golden_of(predictors["value"], value_rows.validation_features),
            "continuation": golden_of(predictors["continuation"], table.state_features),
        },
        importances=(
            *_importances("value", table.names, shipped.shares["value"]),
            *_importances("continuation", table.state_names, shipped.shares["continuation"]),
        ),
        settings=settings,
        sizes={
            "questions": labels["question_id"].nunique(),
            "validation_questions": len(held_out),
            "rows": len(labels),
            "validation_rows": int(held_rows.sum()),
            "states": len(state_labels),
            "validation_states": int(held_states.sum()),
        },
        notes=shipped.notes,
    )


@dataclass(frozen=True, slots=True)
class _Models:
    """Both models of a controller, exported."""

    models: Mapping[str, ModelFile]
    shares: Mapping[str, NDArray[np.float64]]
    notes: tuple[str, ...]

    def predictors(self) -> dict[str, Predictor]:
        """Open the exported models."""
        return {name: open_predictor(model) for name, model in self.models.items()}


def _fit_models(learner: Learner, value_rows: Rows, state_rows: Rows, how: LearnerSettings) -> _Models:
    value, value_shares = _fit_value(learner, value_rows, how)
    continuation, continuation_shares, notes = _fit_continuation(learner, state_rows, how)
    return _Models(
        {"value": value, "continuation": continuation},
        {"value": value_shares, "continuation": continuation_shares},
        notes,
    )


def _all_of(rows: Rows) -> Rows:
    """Return rows with the held-out ones among those to fit."""
    import numpy as np

    return Rows(
        np.concatenate([rows.features, rows.validation_features]),
        np.concatenate([rows.labels, rows.validation_labels]),
        rows.validation_features,
        rows.validation_labels,
    )


def _fit_value(learner: Learner, rows: Rows, how: LearnerSettings) -> tuple[ModelFile, NDArray[np.float64]]:
    import numpy as np

    if np.ptp(rows.labels) == 0:
        raise InputError(
            f"every action has the value {rows.labels[0]:g}, so there is nothing to rank",
            where="training table",
            expected="questions whose actions differ in what they bring",
            remedy="explore more questions, or choose another target",
        )
    model = learner.make_value(rows, how)
    shares = learner.importances(model)
    _refuse_constant("action-value", learner, rows, how, shares)
    return learner.export(model), shares


def _fit_continuation(
    learner: Learner, rows: Rows, how: LearnerSettings
) -> tuple[ModelFile, NDArray[np.float64], tuple[str, ...]]:
    """Fit the classifier, or declare a constant where one class is all there is to learn."""
    import numpy as np

    if not len(rows.labels) or np.ptp(rows.labels) == 0:
        only = float(rows.labels[0]) if len(rows.labels) else 1.0
        note = f"all continuation labels are {only:g}: the continuation model is the constant {only:g}"
        return ModelFile("constant", value=only), np.zeros(rows.features.shape[1]), (note,)
    model = learner.make_continuation(rows, how)
    shares = learner.importances(model)
    _refuse_constant("continuation", learner, rows, how, shares)
    return learner.export(model), shares, ()


def _refuse_constant(
    what: str, learner: Learner, rows: Rows, how: LearnerSettings, shares: NDArray[np.float64]
) -> None:
    if shares.any():
        return
    raise InputError(
        f"{learner.name} finds nothing to split in {len(rows.labels)} rows: "
        f"its {what} model would be a constant",
        where="training table",
        expected=f"features that tell rows apart, and many more rows than {how.min_leaf or learner.min_leaf} "
        "(min_leaf)",
        remedy="explore more questions, or lower min_leaf",
    )


def _continuation_metrics(predictor: Predictor, rows: Rows, threshold: float) -> dict[str, float | None]:
    probability = predictor.predict(rows.validation_features)
    return continuation_quality(probability, rows.validation_labels, threshold)


def _rows(features: NDArray[np.float32], labels: NDArray[np.float64], held_out: NDArray[np.bool_]) -> Rows:
    import numpy as np

    features = np.ascontiguousarray(features, dtype=np.float32)
    return Rows(features[~held_out], labels[~held_out], features[held_out], labels[held_out])


def _is_in(labels: pd.DataFrame, questions: frozenset[str]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = labels["question_id"].astype(str).isin(list(questions)).to_numpy(dtype=bool)
    return found


def _importances(model: str, names: Sequence[str], shares: NDArray[np.float64]) -> tuple[Importance, ...]:
    found = (Importance(model, name, round(float(s), 9)) for name, s in zip(names, shares, strict=True))
    return tuple(sorted(found, key=lambda one: (-one.share, one.feature)))


def _manifest(
    table: TrainingTable, settings: FitSettings, learner: Learner, metrics: Mapping[str, float | None]
) -> Manifest:
    from importlib.metadata import version

    libraries = ("hopilot", "numpy", *learner.libraries)
    return Manifest(
        features=tuple(table.names),
        state_features=tuple(table.state_names),
        actions=ACTION_NAMES,
        limits=Limits(**dict(table.limits)),  # type: ignore[arg-type]
        lam=settings.lam,
        threshold=settings.threshold,
        costs={action: float(table.costs.get(action, 0.0)) for action in ACTION_NAMES},
        encoder_name=table.encoder_name,
        encoder_fingerprint=table.encoder_fingerprint,
        dataset_name=table.dataset_name,
        dataset_fingerprint=table.fingerprint,
        target=settings.target,
        learner=settings.learner,
        seed=settings.seed,
        metrics=metrics,
        versions={"python": platform.python_version(), **{name: version(name) for name in libraries}},
    )


def _refuse_nan(what: str, numbers: NDArray[Any], names: Sequence[str], labels: pd.DataFrame) -> None:
    import numpy as np

    if np.isfinite(numbers).all():
        return
    row, column = np.argwhere(~np.isfinite(numbers))[0]
    raise InputError(
        f"{names[column]!r} is {numbers[row, column]} for question {labels['question_id'].iloc[row]!r} "
        f"(state {labels['state'].iloc[row]})",
        where=what,
        expected="finite numbers",
        remedy="explore that question again, or leave the column out",
    )
