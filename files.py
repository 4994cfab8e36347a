"""Writing files so that nothing is ever half-written, and naming contents by fingerprint."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .errors import InputError

__all__ = [
    "atomic_path",
    "canonical_json",
    "claim_folder",
    "fingerprint",
    "read_json",
    "refuse_occupied",
    "sha256_of",
    "write_json",
]


def canonical_json(value: Any) -> str:
    """Return `value` as JSON with sorted keys, so that equal values give equal bytes."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def fingerprint(parts: Iterable[str]) -> str:
    """Return a 32-digit hex digest of the parts; their boundaries count."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's bytes in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def atomic_path(target: Path) -> Iterator[Path]:
    """Yield a temporary path beside `target` that replaces it only when the block succeeds."""
    if target.exists() and not target.is_file():
        raise InputError("is no ordinary file and is not replaced", where=str(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    os.close(handle)
    scratch = Path(name)
    try:
        yield scratch
        scratch.chmod(0o644)
        scratch.replace(target)
    finally:
        scratch.unlink(missing_ok=True)


def write_json(target: Path, value: Mapping[str, Any]) -> None:
    """Write `value` atomically as canonical JSON."""
    with atomic_path(target) as scratch:
        scratch.write_text(canonical_json(value), encoding="utf-8")


def read_json(path: Path) -> Any:
    """Read a JSON file; a broken one is named with its line.

    Raises:
        InputError: the file is missing or is not JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("no such file", where=str(path)) from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        line = getattr(error, "lineno", 1)
        raise InputError(f"not valid JSON ({error})", where=f"{path}:{line}") from None


_OURS = ("manifest.json", "bundle.json", "metrics.json", "results.json", "quickstart.json", "corpus.parquet")
"""Files of which one stands in every folder that a command wrote, even where it was interrupted."""

_PARTS = frozenset(
    """corpus.parquet vectors.npy states transitions labels progress local.json bundle importances.csv mlflow.db
    mlruns mlartifacts parts per_question.parquet report.html golden.json value.onnx value.txt continuation.onnx
    continuation.txt questions index trajectories dynakrag lookahead comparison""".split()
)
"""What else such a folder may hold at its top."""


def _foreign(folder: Path) -> bool:
    """Whether a folder holds anything that no command writes, or nothing that tells it is ours."""
    names = {path.name for path in folder.iterdir()}
    strange = {name for name in names - _PARTS - set(_OURS) if not name.endswith(".part")}
    return bool(strange) or not names.intersection(_OURS)


def refuse_occupied(folder: Path, *, overwrite: bool) -> None:
    """Make sure that a result may be written into a folder; only folders of ours are ever replaced.

    Raises:
        InputError: the folder holds something and `overwrite` is false, it holds something that is
            none of ours, or it is a file.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("is a file, not a folder", where=str(folder), remedy="choose another --out")
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not overwrite:
        raise InputError(
            "the output folder is not empty",
            where=str(folder),
            remedy="choose another --out, or pass --overwrite to replace it",
        )
    if folder.is_symlink() or _foreign(folder):
        raise InputError(
            "holds something that Hopilot did not write, and is not replaced",
            where=str(folder),
            expected="an earlier result",
            remedy="choose another --out, or empty the folder yourself",
        )


def claim_folder(folder: Path, *, overwrite: bool) -> Path:
    """Return an empty folder to write a result into.

    Raises:
        InputError: see `refuse_occupied`.
    """
    refuse_occupied(folder, overwrite=overwrite)
    for entry in folder.iterdir() if folder.exists() else ():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    return folder
