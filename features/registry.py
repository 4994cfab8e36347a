"""The declared features: each is one function with a name, a group, a doc line, a dtype and a unit.

A feature reads run-time facts and nothing else. Three levels keep work from being repeated: a
`question` feature is found once a question, a `state` feature once a state, an `action` feature once
a valid action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..errors import InputError

__all__ = ["GROUPS", "LEVELS", "Feature", "declare", "feature", "registered", "select"]

GROUPS: dict[str, str] = {
    "question": "length and shape of the question",
    "evidence": "how much evidence is held, and of what kind",
    "frontier": "where the initial ranking stands and what it would bring next",
    "scores": "statistics of retrieval scores",
    "overlap": "question terms and entities met by the evidence",
    "bridge": "bridge candidates and how promising they are",
    "probe": "the last sufficiency verdict and the recorded gaps",
    "history": "steps taken and what they brought",
    "action": "which action, about which candidate, and what it is expected to bring",
    "cost": "what an action is expected to cost",
}
LEVELS = ("question", "state", "action")


@dataclass(frozen=True, slots=True)
class Feature:
    """One declared feature; `compute` takes the view of its level and returns a number."""

    name: str
    group: str
    doc: str
    unit: str
    level: str
    compute: Callable[[Any], float]
    dtype: str = "float32"


_REGISTRY: dict[str, Feature] = {}


def declare(found: Feature) -> None:
    """Add a feature.

    Raises:
        ValueError: unknown group or level, or a name already taken.
    """
    if found.group not in GROUPS or found.level not in LEVELS:
        raise ValueError(f"feature {found.name!r}: unknown group {found.group!r} or level {found.level!r}")
    if found.name in _REGISTRY:
        raise ValueError(f"feature {found.name!r} is declared twice")
    _REGISTRY[found.name] = found


def feature(
    group: str, *, unit: str = "count", level: str = "state"
) -> Callable[[Callable[[Any], float]], Callable[[Any], float]]:
    """Declare the decorated function as a feature: its name and first doc line are the feature's."""

    def add(compute: Callable[[Any], float]) -> Callable[[Any], float]:
        doc = (compute.__doc__ or "").strip().splitlines()[0]
        declare(Feature(compute.__name__, group, doc, unit, level, compute))
        return compute

    return add


def registered() -> dict[str, Feature]:
    """Return all features by name: question level first, then state, then action, each as declared."""
    from . import of_actions, of_evidence, of_history, of_questions, of_retrieval  # noqa: F401

    return {name: found for level in LEVELS for name, found in _REGISTRY.items() if found.level == level}


def select(
    names: Iterable[str] | None = None, *, groups: Iterable[str] | None = None, without: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return feature names in registry order, by name, by group, or all; `without` drops groups or names.

    Raises:
        InputError: a name or group that is not declared.
    """
    known = registered()
    dropped = set(without)
    for asked, allowed in ((names or (), known), (groups or (), GROUPS), (dropped, {**known, **GROUPS})):
        unknown = sorted(set(asked) - set(allowed))
        if unknown:
            raise InputError(
                f"unknown {', '.join(unknown)}",
                where="features",
                expected=f"declared features or groups ({', '.join(GROUPS)})",
            )
    wanted = set(known) if names is None and groups is None else set(names or ())
    wanted |= {name for name, found in known.items() if found.group in set(groups or ())}
    return tuple(name for name, found in known.items() if name in wanted and not {name, found.group} & dropped)
