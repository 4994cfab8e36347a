"""Training runs on disk, and taking a controller out of one."""

from __future__ import annotations

import csv
import re
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..files import atomic_path, claim_folder, refuse_occupied, write_json
from ..models.bundle import Bundle, copy_bundle, load_bundle, save_bundle
from .fitting import FitSettings, FittedController, TrainingTable, fit
from .tracking import track

__all__ = ["export", "train"]

_URI = re.compile(r"[a-z][a-z0-9+.-]+:/")


def train(
    table: TrainingTable,
    settings: FitSettings,
    out: Path,
    *,
    overwrite: bool = False,
    tracked: bool = True,
    parameters: Mapping[str, Any] | None = None,
    tags: Mapping[str, str] | None = None,
) -> FittedController:
    """Fit a controller and write metrics.json, importances.csv and bundle/; then track the run.

    `parameters` and `tags` go to MLflow beside the fit's own; secrets in them are hidden.

    Raises:
        InputError: the table is unfit, or the folder holds something and `overwrite` is false.
    """
    refuse_occupied(out, overwrite=overwrite)  # before the work, not after it
    fitted = fit(table, settings)
    claim_folder(out, overwrite=overwrite)
    write_json(
        out / "metrics.json",
        {
            "metrics": dict(fitted.metrics),
            "sizes": dict(fitted.sizes),
            "settings": asdict(settings),
            "notes": list(fitted.notes),
        },
    )
    _write_importances(out / "importances.csv", fitted)
    save_bundle(out / "bundle", fitted.manifest, fitted.models, fitted.golden)  # last: with it the run is whole
    if tracked:
        track(fitted, out, parameters=parameters, tags=tags)
    return fitted


def export(run: str | Path, out: Path, *, overwrite: bool = False) -> Bundle:
    """Copy the bundle of a training run and verify it.

    `run` is the run's folder, a bundle, or an MLflow URI such as runs:/ID.

    Raises:
        InputError: no such run, no bundle in it, or a bundle that does not verify.
    """
    if not _URI.match(str(run)):
        return _export_folder(Path(run), out, overwrite)
    with tempfile.TemporaryDirectory() as scratch:
        return _export_folder(_download(str(run), Path(scratch)), out, overwrite)


def _export_folder(folder: Path, out: Path, overwrite: bool) -> Bundle:
    for place in (folder, folder / "bundle", folder / "artifacts" / "bundle"):
        if (place / "bundle.json").is_file():
            load_bundle(place)
            copy_bundle(place, out, overwrite=overwrite)
            return load_bundle(out)
    raise InputError(
        "holds no bundle",
        where=str(folder),
        expected="a folder that `hopilot train` wrote, or a bundle",
        remedy="name the --out of `hopilot train`, or runs:/ID with MLFLOW_TRACKING_URI set",
    )


def _download(uri: str, scratch: Path) -> Path:
    from .tracking import patient, scrubbed_text

    with patient():
        import mlflow

        remedy = "set MLFLOW_TRACKING_URI to the store, e.g. sqlite:///OUT/mlflow.db"
        if uri.startswith(("runs:/", "models:/")) and not mlflow.is_tracking_uri_set():
            raise InputError("no tracking store is named", where=uri, remedy=remedy)
        if re.fullmatch(r"runs:/[^/]+/?", uri):
            uri = f"{uri.rstrip('/')}/bundle"  # MLflow wants a path inside the run
        try:
            return Path(mlflow.artifacts.download_artifacts(artifact_uri=uri, dst_path=str(scratch)))
        except Exception as error:  # MLflow and its stores raise many classes of their own
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise InputError(
                f"cannot be downloaded ({scrubbed_text(reason)})",
                where=scrubbed_text(uri),
                expected="runs:/ID of a run in the tracking store",
                remedy=remedy,
            ) from error


def _write_importances(path: Path, fitted: FittedController) -> None:
    with atomic_path(path) as scratch, scratch.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("model", "feature", "share"))
        writer.writerows((one.model, one.feature, one.share) for one in fitted.importances)
