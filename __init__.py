"""Hopilot: learned evidence controllers for multi-hop retrieval-augmented generation.

The names below are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import HopilotError, InputError, RunError
    from .eval.comparing import compare
    from .evidence.encoder import open_encoder
    from .evidence.environment import Environment
    from .evidence.extractive import Extractive
    from .evidence.index import EvidenceIndex
    from .evidence.passages import Corpus, Passage
    from .evidence.state import Limits
    from .models.bundle import load_bundle
    from .models.runner import PolicyRunner
    from .questions.loading import load_dataset
    from .questions.question import Dataset, Question
    from .settings import Settings, load_settings
    from .training.exporting import train
    from .training.fitting import FitSettings
    from .training.table import read_table
    from .trajectories.exploring import ExploreSettings, explore

__all__ = [
    "Corpus",
    "Dataset",
    "Environment",
    "EvidenceIndex",
    "ExploreSettings",
    "Extractive",
    "FitSettings",
    "HopilotError",
    "InputError",
    "Limits",
    "Passage",
    "PolicyRunner",
    "Question",
    "RunError",
    "Settings",
    "__version__",
    "compare",
    "explore",
    "load_bundle",
    "load_dataset",
    "load_settings",
    "open_encoder",
    "read_table",
    "train",
]

_HOMES = {
    "errors": ("HopilotError", "InputError", "RunError"),
    "eval.comparing": ("compare",),
    "evidence.encoder": ("open_encoder",),
    "evidence.environment": ("Environment",),
    "evidence.extractive": ("Extractive",),
    "evidence.index": ("EvidenceIndex",),
    "evidence.passages": ("Corpus", "Passage"),
    "evidence.state": ("Limits",),
    "models.bundle": ("load_bundle",),
    "models.runner": ("PolicyRunner",),
    "questions.loading": ("load_dataset",),
    "questions.question": ("Dataset", "Question"),
    "settings": ("Settings", "load_settings"),
    "training.exporting": ("train",),
    "training.fitting": ("FitSettings",),
    "training.table": ("read_table",),
    "trajectories.exploring": ("ExploreSettings", "explore"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("hopilot")
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
