"""What is installed here, what is missing, and whether the parts that break most often work."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module, metadata
from time import perf_counter
from urllib.parse import urlsplit

from .opening import open_encoder_of
from .settings import EncoderSettings, Settings

__all__ = ["Finding", "examine"]

# Modules with compiled parts, which a system may fail to load although they are installed.
_COMPILED = ("faiss", "lightgbm", "onnxruntime", "pyarrow")
_EXTRA = re.compile(r"extra == ['\"]([\w-]+)['\"]")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    name: str
    found: str
    fault: bool = False
    """Whether something required is missing or broken."""

    def __str__(self) -> str:
        return f"{self.name:<24}{'FAULT: ' if self.fault else ''}{self.found}"


def examine(settings: Settings) -> Iterator[Finding]:
    """Yield what is found about libraries, encoder, MLflow's store and optional extras, in that order."""
    yield Finding("hopilot", f"{metadata.version('hopilot')} on Python {platform.python_version()}")
    yield Finding("cores", str(_cores()))
    required, extras = _requirements()
    for name in required:
        version = _version(name)
        yield Finding(name, version or "missing (pip install hopilot again)", fault=not version)
    for module in _COMPILED:
        trouble = _import_trouble(module)
        if trouble:
            yield Finding(f"import {module}", trouble, fault=True)
    yield _try_encoder(settings.encoder)
    yield Finding("MLflow store", _mlflow_store())
    for extra, names in extras.items():
        missing = [name for name in names if not _version(name)]
        remedy = f'optional, lacks {", ".join(missing)} (pip install "hopilot[{extra}]")'
        yield Finding(f"extra {extra}", remedy if missing else "installed")


def _cores() -> int:
    """Return the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _requirements() -> tuple[list[str], dict[str, list[str]]]:
    """Return the names that the installed package requires, and those of each extra."""
    required: list[str] = []
    extras: dict[str, list[str]] = {}
    for line in metadata.requires("hopilot") or []:
        name = re.split(r"[^\w.-]", line, maxsplit=1)[0]
        extra = _EXTRA.search(line)
        (extras.setdefault(extra[1], []) if extra else required).append(name)
    return required, extras


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _import_trouble(module: str) -> str:
    try:
        import_module(module)
    except (ImportError, OSError) as error:
        return str(error).partition("\n")[0] or type(error).__name__
    return ""


def _try_encoder(settings: EncoderSettings) -> Finding:
    name, start = f"encoder {settings.name}", perf_counter()
    try:
        vectors = open_encoder_of(settings).encode(["Does the encoder work?"])
    except Exception as error:  # whatever it is, the doctor reports it
        return Finding(name, str(error).partition("\n")[0] or type(error).__name__, fault=True)
    return Finding(name, f"{vectors.shape[1]} dimensions, loads in {perf_counter() - start:.1f} s")


def _mlflow_store() -> str:
    """Return where runs are tracked, without any credentials in the address."""
    address = os.environ.get("MLFLOW_TRACKING_URI", "")
    if not address:
        return "mlflow.db in each training folder (MLFLOW_TRACKING_URI is not set)"
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
