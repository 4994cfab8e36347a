"""What a bundle says of itself: bundle.json as a frozen dataclass."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ..errors import InputError
from ..evidence.state import Limits

__all__ = ["SCHEMA_VERSION", "Manifest", "names_hash"]

SCHEMA_VERSION = 1


def names_hash(names: Sequence[str]) -> str:
    """Return the SHA-256 of the names in order, joined by newlines."""
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


@dataclass(frozen=True)
class Manifest:
    """Everything that the two models of a bundle depend on, and how good they were."""

    features: tuple[str, ...]
    """Columns of the action-value model, in order."""
    state_features: tuple[str, ...]
    """Columns of the continuation model, in order."""
    actions: tuple[str, ...]
    """Names of the actions in declaration order."""
    limits: Limits
    lam: float
    """λ: how much of an action's value one unit of cost outweighs."""
    threshold: float
    """`stop_answer` is allowed where P(going on helps) is below it."""
    costs: Mapping[str, float]
    """Cost of each action, in the unit that λ multiplies."""
    encoder_name: str
    encoder_fingerprint: str
    dataset_name: str
    dataset_fingerprint: str
    """Fingerprint of the training data."""
    target: str
    learner: str
    seed: int
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    """On the validation questions; None where undefined."""
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of both models, each once, those of the action-value model first."""
        return tuple(dict.fromkeys(self.features + self.state_features))

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "features": {"names": list(self.features), "sha256": names_hash(self.features)},
            "state_features": {"names": list(self.state_features), "sha256": names_hash(self.state_features)},
            "actions": list(self.actions),
            "limits": asdict(self.limits),
            "lambda": self.lam,
            "threshold": self.threshold,
            "costs": dict(self.costs),
            "encoder": {"name": self.encoder_name, "fingerprint": self.encoder_fingerprint},
            "dataset": {"name": self.dataset_name, "fingerprint": self.dataset_fingerprint},
            "target": self.target,
            "learner": self.learner,
            "seed": self.seed,
            "metrics": dict(self.metrics),
            "versions": dict(self.versions),
        }

    @classmethod
    def from_dict(cls, value: Any, *, where: str) -> Manifest:
        """Read the JSON form.

        Raises:
            InputError: another schema, a missing field, a wrong type, or names that do not fit their hash.
        """
        if not isinstance(value, dict):
            raise InputError("is not an object", where=where, expected="a JSON object")
        if value.get("schema_version") != SCHEMA_VERSION:
            raise InputError(
                f"bundle schema {value.get('schema_version')!r}",
                where=where,
                expected=str(SCHEMA_VERSION),
                remedy="export the controller again with this version",
            )
        read = _Reader(value, where)
        return cls(
            features=read.names("features"),
            state_features=read.names("state_features"),
            actions=read("actions", _texts),
            limits=read("limits", _limits),
            lam=read("lambda", _number),
            threshold=read("threshold", _number),
            costs=read("costs", lambda found: {_text(name): _number(cost) for name, cost in found.items()}),
            encoder_name=read("encoder", lambda found: _text(found["name"])),
            encoder_fingerprint=read("encoder", lambda found: _text(found["fingerprint"])),
            dataset_name=read("dataset", lambda found: _text(found["name"])),
            dataset_fingerprint=read("dataset", lambda found: _text(found["fingerprint"])),
            target=read("target", _text),
            learner=read("learner", _text),
            seed=read("seed", int),
            metrics=read("metrics", dict),
            versions=read("versions", dict),
        )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads fields of bundle.json and names the one that is wrong."""

    value: dict[str, Any]
    where: str

    def __call__(self, name: str, convert: Callable[[Any], Any]) -> Any:
        if name not in self.value:
            raise InputError(f"field {name!r} is missing", where=self.where)
        try:
            return convert(self.value[name])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"field {name!r} cannot be read ({error!r})", where=self.where) from None

    def names(self, name: str) -> tuple[str, ...]:
        """Read a list of names and compare it with its hash."""
        found: tuple[str, ...] = self(name, lambda field: _texts(field["names"]))
        if self(name, lambda field: _text(field["sha256"])) != names_hash(found):
            raise InputError(
                f"the names in {name!r} do not fit their hash",
                where=self.where,
                expected="the names in the order in which the model was trained",
                remedy="restore the bundle from where it was exported",
            )
        return found


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is not a list")
    return tuple(_text(item) for item in value)


def _number(value: Any) -> float:
    number = float(value)
    if isinstance(value, str) or not math.isfinite(number):
        raise TypeError(f"{value!r} is not a finite number")
    return number


def _limits(value: Any) -> Limits:
    known = {one.name for one in fields(Limits)}
    if set(value) != known:
        raise ValueError(f"limits {sorted(set(value) ^ known)} are unknown or missing")
    for name, cap in value.items():
        if not (isinstance(cap, int) or (cap is None and name == "max_retrievals")):
            raise TypeError(f"{name} is {cap!r}, not a whole number")
    return Limits(**value)
