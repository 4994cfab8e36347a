"""Tracking in MLflow: a service to the work, never a condition of it.

The default store is a SQLite file in the output folder; MLFLOW_TRACKING_URI names another. When the
store does not answer, one line says so and the results on disk are complete without it.
"""

from __future__ import annotations

import logging
import os
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .fitting import FittedController

__all__ = ["EXPERIMENT", "metric_name", "open_store", "patient", "scrubbed", "scrubbed_text", "track"]

EXPERIMENT = "hopilot"

_log = logging.getLogger(__name__)
_SECRET_NAME = re.compile(
    r"(^|[^a-z])(api[_-]?key|key|token|secret|passwo?r?d|passwd|authorization|credentials?|cookie)$",
    re.IGNORECASE,
)
_SECRET_TEXT = re.compile(
    r"\b(?:sk|pk|hf|ghp|gho|glpat|xox[abp])[-_][A-Za-z0-9_\-]{8,}|(?<=[Bb]earer )\S+|(?<=://)[^/@\s]+(?=@)"
)
_HIDDEN = "[hidden]"
# Set while tracking, unless the user set them: answer soon or not at all, and tell nobody.
_PATIENCE = {
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "10",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "GIT_PYTHON_REFRESH": "quiet",
}


def track(
    fitted: FittedController,
    out: Path,
    *,
    parameters: Mapping[str, Any] | None = None,
    tags: Mapping[str, str] | None = None,
) -> str | None:
    """Log a training run, whose bundle lies in `out`/bundle; return its MLflow run id.

    None says that tracking failed; one warning line says why.
    """
    try:
        with patient():
            return _track(fitted, out, dict(parameters or {}), dict(tags or {}))
    except Exception as error:  # whatever it is, the results are safe on disk
        reason = (str(error).splitlines() or [""])[0][:200]
        _log.warning("not tracked in MLflow (%s: %s)", type(error).__name__, scrubbed_text(reason))
        return None


def open_store(out: Path) -> str:
    """Create the store and the experiment once, and return the experiment's id.

    Call it before processes start that track on their own: several that create one SQLite store at
    the same time destroy each other's tables.
    """
    import mlflow

    uri = os.environ.get("MLFLOW_TRACKING_URI")
    artifacts: str | None = None
    if not uri:
        out.mkdir(parents=True, exist_ok=True)
        uri = f"sqlite:///{(out / 'mlflow.db').resolve()}"
        artifacts = (out / "mlartifacts").resolve().as_uri()
    mlflow.set_tracking_uri(uri)
    found = mlflow.get_experiment_by_name(EXPERIMENT)
    if found is not None:
        return str(found.experiment_id)
    return str(mlflow.create_experiment(EXPERIMENT, artifact_location=artifacts))


def metric_name(name: str) -> str:
    """Return a name that MLflow accepts: recall@5 becomes recall_at_5."""
    return re.sub(r"[^\w\-./ :]", "_", name.replace("@", "_at_"))


def scrubbed_text(text: str) -> str:
    """Return a text without what looks like a secret, or is the value of a secret in the environment."""
    for name, value in os.environ.items():
        if len(value) >= 8 and _SECRET_NAME.search(name):
            text = text.replace(value, _HIDDEN)
    return _SECRET_TEXT.sub(_HIDDEN, text)


def scrubbed(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters with secrets hidden, by name and by look; counts of tokens are no secrets."""
    found: dict[str, Any] = {}
    for name, value in parameters.items():
        if isinstance(value, Mapping):
            found[name] = scrubbed(value)
        elif _SECRET_NAME.search(name) and value:
            found[name] = _HIDDEN
        else:
            found[name] = scrubbed_text(value) if isinstance(value, str) else value
    return found


@contextmanager
def patient() -> Iterator[None]:
    """Bound how long MLflow may wait, silence it, and leave the name of its store as it was."""
    added = [name for name in _PATIENCE if name not in os.environ]
    os.environ.update({name: _PATIENCE[name] for name in added})
    store = os.environ.get("MLFLOW_TRACKING_URI")
    try:
        import mlflow  # before its loggers are quietened, since it sets them up

        try:
            with _quiet("mlflow", "alembic", "urllib3"):
                yield
        finally:
            mlflow.set_tracking_uri(store)  # it writes what is set to the environment, for children
    finally:
        for name in added:
            os.environ.pop(name, None)


@contextmanager
def _quiet(*names: str) -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _track(fitted: FittedController, out: Path, parameters: dict[str, Any], tags: dict[str, str]) -> str:
    import mlflow

    manifest = fitted.manifest
    experiment = open_store(out)
    settings = {**asdict(fitted.settings), **{f"size.{name}": size for name, size in fitted.sizes.items()}}
    name = f"{manifest.learner}-{manifest.target}"
    inside = mlflow.active_run() is not None
    with mlflow.start_run(experiment_id=experiment, run_name=name, nested=inside) as run:
        mlflow.log_params({metric_name(n): v for n, v in scrubbed({**settings, **parameters}).items()})
        mlflow.set_tags(
            scrubbed(
                {
                    "dataset": manifest.dataset_name,
                    "data_fingerprint": manifest.dataset_fingerprint,
                    "encoder": manifest.encoder_name,
                    "encoder_fingerprint": manifest.encoder_fingerprint,
                    **tags,
                }
            )
        )
        mlflow.log_metrics({metric_name(n): v for n, v in fitted.metrics.items() if v is not None})
        mlflow.log_dict(_shares(fitted), "importances.json")
        mlflow.log_artifact(str(out / "importances.csv"))
        mlflow.log_artifacts(str(out / "bundle"), "bundle")
        _log_model(fitted, out / "bundle")
        return str(run.info.run_id)


def _shares(fitted: FittedController) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for one in fitted.importances:
        found.setdefault(one.model, {})[one.feature] = one.share
    return found


def _log_model(fitted: FittedController, bundle: Path) -> None:
    """Log the bundle as a pyfunc model: its code is a source file and its state the bundle, no pickle."""
    import mlflow
    import pandas as pd
    from mlflow.models import ModelSignature
    from mlflow.types import ColSpec, Schema

    columns = fitted.manifest.columns
    example = pd.DataFrame([_example(fitted)], columns=list(columns))
    versions = fitted.manifest.versions
    needed = [name for name in ("numpy", "onnxruntime", "lightgbm") if name in versions]
    mlflow.pyfunc.log_model(
        name="controller",
        python_model=str(Path(__file__).with_name("served_model.py")),
        artifacts={"bundle": str(bundle)},
        signature=ModelSignature(
            # Doubles throughout: an integer column would refuse 1.0.
            inputs=Schema([ColSpec("double", name) for name in columns]),
            outputs=Schema([ColSpec("double", "value"), ColSpec("double", "continuation")]),
        ),
        input_example=example,
        pip_requirements=[f"{name}=={versions[name]}" for name in needed],
    )


def _example(fitted: FittedController) -> list[float]:
    """Return the first golden row of each model, joined by column."""
    manifest, golden = fitted.manifest, fitted.golden
    row = dict(zip(manifest.state_features, golden["continuation"]["rows"][0], strict=True))
    row.update(zip(manifest.features, golden["value"]["rows"][0], strict=True))
    return [row[name] for name in manifest.columns]
