"""The exported controller: a folder of plain files that says what it is, and is believed only when it fits.

bundle.json holds the manifest, where each model lies and the checksums; the models are ONNX or
LightGBM text; golden.json holds rows with the outputs they must give. Nothing is ever unpickled.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..evidence.actions import ACTION_NAMES
from ..evidence.state import Limits
from ..files import canonical_json, read_json, refuse_occupied
from .golden import check_golden
from .manifest import Manifest
from .predictors import SUFFIXES, ConstantPredictor, ModelFile, Predictor, open_predictor

if TYPE_CHECKING:
    from ..evidence.environment import Environment
    from ..evidence.index import EvidenceIndex
    from ..features.extract import FeatureExtractor
    from .policy import DecisionPolicy

__all__ = ["Bundle", "copy_bundle", "load_bundle", "save_bundle"]

_ROLES = ("value", "continuation")
_MANIFEST = "bundle.json"
_GOLDEN = "golden.json"


@dataclass(frozen=True)
class Bundle:
    """A loaded and verified controller."""

    manifest: Manifest
    value: Predictor
    continuation: Predictor
    path: Path

    @property
    def limits(self) -> Limits:
        """The caps under which the trajectories were made."""
        return self.manifest.limits

    @property
    def constant_continuation(self) -> float | None:
        """The continuation model's one answer, where it was trained on labels that are all equal."""
        return self.continuation.value if isinstance(self.continuation, ConstantPredictor) else None

    def check_index(self, index: EvidenceIndex) -> None:
        """Make sure that an index has the vectors that the features were computed from.

        Raises:
            InputError: the index was made by another encoder.
        """
        if index.encoder.fingerprint != self.manifest.encoder_fingerprint:
            raise InputError(
                f"the controller was trained over encoder {self.manifest.encoder_name!r} "
                f"({self.manifest.encoder_fingerprint[:12]}), the index was made by {index.encoder.name!r} "
                f"({index.encoder.fingerprint[:12]})",
                where=str(self.path),
                expected="the same encoder with the same prompts and precision",
                remedy="build the index with that encoder, or train over this one",
            )

    def policy(
        self, environment: Environment, *, threshold: float | None = None, lam: float | None = None
    ) -> DecisionPolicy:
        """Return the decision policy in an environment; threshold and λ may differ from the exported ones.

        Raises:
            InputError: the index was made by another encoder, or features come in another order.
        """
        from .policy import DecisionPolicy

        self.check_index(environment.index)
        return DecisionPolicy(
            self.value,
            self.continuation,
            self._extractor(environment, self.manifest.features),
            self._extractor(environment, self.manifest.state_features),
            threshold=self.manifest.threshold if threshold is None else threshold,
            lam=self.manifest.lam if lam is None else lam,
            costs=self.manifest.costs,
        )

    def _extractor(self, environment: Environment, names: tuple[str, ...]) -> FeatureExtractor:
        from ..features.extract import FeatureExtractor

        extractor = FeatureExtractor(environment.lenses, environment.limits, names)
        if extractor.names != names:
            raise InputError(
                "this version computes the features in another order",
                where=str(self.path / _MANIFEST),
                expected=", ".join(extractor.names),
                remedy="use the version that exported the bundle, or train again",
            )
        return extractor


def save_bundle(
    folder: Path,
    manifest: Manifest,
    models: Mapping[str, ModelFile],
    golden: Mapping[str, Any],
    *,
    overwrite: bool = False,
) -> Path:
    """Write a bundle; `folder` appears complete or not at all. Equal arguments give equal bytes.

    Raises:
        InputError: the folder holds something and `overwrite` is false.
    """
    refuse_occupied(folder, overwrite=overwrite)
    files: dict[str, bytes] = {_GOLDEN: _compact_json(golden)}
    entries: dict[str, dict[str, Any]] = {}
    for role in _ROLES:
        model = models[role]
        if model.kind == "constant":
            entries[role] = {"kind": model.kind, "value": model.value}
            continue
        name = role + SUFFIXES[model.kind]
        files[name] = model.data
        entries[role] = {"kind": model.kind, "file": name}
    described = {
        **manifest.as_dict(),
        "models": entries,
        "checksums": {n: _sha256(d) for n, d in files.items()},
    }
    files[_MANIFEST] = canonical_json(described).encode()
    _replace_folder(folder, files)
    return folder


def copy_bundle(source: Path, target: Path, *, overwrite: bool = False) -> None:
    """Copy a bundle's own files and nothing else; `target` appears complete or not at all.

    Raises:
        InputError: no bundle, or the target holds something and `overwrite` is false.
    """
    refuse_occupied(target, overwrite=overwrite)
    checksums = _checksums(_described(source), source)
    files = {name: _read(source, name, checksum) for name, checksum in checksums.items()}
    _replace_folder(target, {**files, _MANIFEST: (source / _MANIFEST).read_bytes()})


def load_bundle(folder: Path, *, known_features: Collection[str] | None = None) -> Bundle:
    """Open a bundle and verify all that it says: schema, checksums, names, actions and golden rows.

    `known_features` are the names that can be computed; the default is the features registry.

    Raises:
        InputError: the bundle is missing, damaged, or made for other features or actions.
    """
    described = _described(folder)
    where = str(folder / _MANIFEST)
    manifest = Manifest.from_dict(described, where=where)
    contents = {name: _read(folder, name, checksum) for name, checksum in _checksums(described, folder).items()}
    _check_names(manifest, known_features, where)
    predictors = {role: open_predictor(_model(described, role, contents, where)) for role in _ROLES}
    golden = _golden(contents[_GOLDEN], str(folder / _GOLDEN))
    for role, width in (("value", len(manifest.features)), ("continuation", len(manifest.state_features))):
        check_golden(predictors[role], golden.get(role), width=width, where=f"{folder / _GOLDEN}: {role}")
    return Bundle(manifest, predictors["value"], predictors["continuation"], folder)


def _golden(data: bytes, where: str) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except ValueError as error:
        raise InputError(f"not valid JSON ({error})", where=where) from None
    if not isinstance(found, dict):
        raise InputError("is not an object", where=where, expected="a JSON object")
    return found


def _described(folder: Path) -> dict[str, Any]:
    if not (folder / _MANIFEST).is_file():
        raise InputError(
            f"holds no bundle ({_MANIFEST} is missing)",
            where=str(folder),
            remedy="name the folder that `hopilot train` or `hopilot export` wrote",
        )
    described = read_json(folder / _MANIFEST)
    if not isinstance(described, dict):
        raise InputError("is not an object", where=str(folder / _MANIFEST), expected="a JSON object")
    return described


def _checksums(described: dict[str, Any], folder: Path) -> dict[str, str]:
    """Return the checksum of each file; a name that could lead out of the folder is refused."""
    where = str(folder / _MANIFEST)
    found = described.get("checksums")
    if not isinstance(found, dict) or _GOLDEN not in found:
        raise InputError("field 'checksums' is missing or incomplete", where=where)
    allowed = {_GOLDEN, *(role + suffix for role in _ROLES for suffix in SUFFIXES.values() if suffix)}
    for name in found:
        if name not in allowed:
            raise InputError(
                f"file name {name!r} does not belong in a bundle",
                where=where,
                expected=", ".join(sorted(allowed)),
            )
    return found


def _read(folder: Path, name: str, checksum: str) -> bytes:
    path = folder / name
    remedy = "restore the bundle from where it was exported, or export it again"
    if path.is_symlink() or not path.is_file():
        raise InputError("is missing, or is no plain file", where=str(path), remedy=remedy)
    data = path.read_bytes()
    if _sha256(data) != checksum:
        raise InputError("is damaged or was changed (its checksum differs)", where=str(path), remedy=remedy)
    return data


def _model(described: dict[str, Any], role: str, contents: Mapping[str, bytes], where: str) -> ModelFile:
    entry = described.get("models", {}).get(role)
    if not isinstance(entry, dict):
        raise InputError(f"model {role!r} is missing", where=where)
    kind = entry.get("kind")
    if kind == "constant" and isinstance(entry.get("value"), (int, float)):
        return ModelFile("constant", value=float(entry["value"]))
    name = role + SUFFIXES.get(kind, "") if isinstance(kind, str) else ""
    if kind == "constant" or entry.get("file") != name or name not in contents:
        raise InputError(
            f"model {role!r} is of kind {kind!r} in file {entry.get('file')!r}",
            where=where,
            expected="onnx or lightgbm with a file that has a checksum, or a constant with its value",
        )
    return ModelFile(str(kind), contents[name])


def _check_names(manifest: Manifest, known_features: Collection[str] | None, where: str) -> None:
    if known_features is None:
        from ..features.registry import registered

        known_features = registered()
    unknown = [n for n in manifest.columns if n not in known_features]
    if unknown:
        raise InputError(
            f"unknown features: {', '.join(unknown)}",
            where=where,
            expected="features that this version can compute",
            remedy="use the version that exported the bundle, or train again",
        )
    if manifest.actions != ACTION_NAMES:
        raise InputError(
            f"the controller chooses among other actions: {', '.join(manifest.actions)}",
            where=where,
            expected=", ".join(ACTION_NAMES),
            remedy="use the version that exported the bundle, or train again",
        )


def _replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}.", suffix=".part"))
    old = scratch.with_suffix(".old")
    try:
        scratch.chmod(0o755)
        for name, data in files.items():
            (scratch / name).write_bytes(data)
        if folder.exists():
            folder.rename(old)
        scratch.rename(folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        if old.exists() and not folder.exists():
            old.rename(folder)  # the new one could not take its place
        shutil.rmtree(old, ignore_errors=True)


def _compact_json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, sort_keys=True, allow_nan=False, separators=(",", ":")) + "\n").encode()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
