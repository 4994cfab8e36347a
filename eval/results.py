"""What a comparison leaves behind: one row per question and controller, and the summary of the rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..files import atomic_path, read_json, write_json
from .metrics import METRIC_NAMES, Scored, score
from .statistics import Difference, Estimate, Resampling

__all__ = ["ControllerResult", "Results", "Row", "read_rows", "summarise", "write_rows"]

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Row:
    """One question under one controller, scored: a row of per_question.parquet."""

    question_id: str
    kind: str
    hops: int
    controller: str
    values: Mapping[str, float]
    """Every metric by name; NaN where it is not defined."""
    stop_reason: str
    prediction: str
    evidence: tuple[str, ...]
    actions: tuple[str, ...]
    failure: str

    @classmethod
    def of(cls, controller: str, scored: Scored) -> Row:
        """Score a question and keep what explains the score."""
        question = scored.question
        return cls(
            question.id, question.kind, question.hops, controller, score(scored),
            scored.stop_reason, scored.prediction, scored.evidence, scored.actions, scored.failure,
        )  # fmt: skip


def _schema() -> Any:
    """Return the fixed schema: a shard of nulls must not change a column's type."""
    import pyarrow as pa

    strings = pa.list_(pa.string())
    return pa.schema(
        [("question_id", pa.string()), ("kind", pa.string()), ("hops", pa.int32()), ("controller", pa.string())]
        + [(name, pa.float64()) for name in METRIC_NAMES]
        + [("stop_reason", pa.string()), ("prediction", pa.string())]
        + [("evidence", strings), ("actions", strings), ("failure", pa.string())]
    )


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Write rows as Parquet, atomically; the same rows give the same bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    records = [
        {
            "question_id": row.question_id, "kind": row.kind, "hops": row.hops, "controller": row.controller,
            **row.values,
            "stop_reason": row.stop_reason, "prediction": row.prediction,
            "evidence": list(row.evidence), "actions": list(row.actions), "failure": row.failure,
        }
        for row in rows
    ]  # fmt: skip
    with atomic_path(path) as scratch:
        pq.write_table(pa.Table.from_pylist(records, schema=_schema()), scratch, compression="zstd")


def read_rows(path: Path) -> list[Row]:
    """Read rows that `write_rows` wrote.

    Raises:
        InputError: the file is missing, damaged, or of another schema.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(
            f"cannot be read as Parquet ({error})",
            where=str(path),
            remedy="delete it and run the comparison again: only its questions are asked again",
        ) from None
    if not table.schema.equals(_schema()):
        raise InputError("has other columns than this version writes", where=str(path))
    return [
        Row(
            record["question_id"], record["kind"], record["hops"], record["controller"],
            {name: record[name] for name in METRIC_NAMES},
            record["stop_reason"], record["prediction"],
            tuple(record["evidence"]), tuple(record["actions"]), record["failure"],
        )
        for record in table.to_pylist()
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ControllerResult:
    """One controller's means, and its differences to the base, by metric."""

    metrics: Mapping[str, Estimate]
    versus_base: Mapping[str, Difference]
    failures: int = 0
    uses_gold: bool = False
    """Whether it saw the gold: an upper bound, no method."""


@dataclass(frozen=True)
class Results:
    """A comparison's summary, and what it was made from."""

    dataset: str
    questions: int
    base: str
    controllers: Mapping[str, ControllerResult]
    settings: Mapping[str, Any] = field(default_factory=dict)
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What a reader must know before trusting the numbers, one sentence each."""

    def write(self, path: Path) -> None:
        """Write results.json, numbers rounded to six digits, undefined ones as null."""
        write_json(
            path,
            {
                "dataset": self.dataset,
                "questions": self.questions,
                "base": self.base,
                "controllers": {name: _as_json(result) for name, result in self.controllers.items()},
                "order": list(self.controllers),
                "failures": {name: result.failures for name, result in self.controllers.items()},
                "uses_gold": [name for name, result in self.controllers.items() if result.uses_gold],
                "settings": dict(self.settings),
                "fingerprints": dict(self.fingerprints),
                "notes": list(self.notes),
            },
        )

    @classmethod
    def load(cls, path: Path) -> Results:
        """Read results.json.

        Raises:
            InputError: the file is missing or is no results.json.
        """
        stored = read_json(path)
        try:
            controllers = {
                name: _from_json(
                    stored["controllers"][name], stored["failures"][name], name in stored["uses_gold"]
                )
                for name in stored["order"]
            }
            return cls(
                stored["dataset"], stored["questions"], stored["base"], controllers,
                stored["settings"], stored["fingerprints"], tuple(stored["notes"]),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"is no results.json of this version ({error} is missing or wrong)", where=str(path)
            ) from None


def _rounded(value: float) -> float | None:
    return round(value, _DIGITS) + 0.0 if math.isfinite(value) else None


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _interval(stored: Sequence[float | None]) -> tuple[float, float]:
    low, high = stored
    return _number(low), _number(high)


def _as_json(result: ControllerResult) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: {"mean": _rounded(it.mean), "ci": [_rounded(it.low), _rounded(it.high)], "n": it.n}
        for name, it in result.metrics.items()
    }
    found["versus_base"] = {
        name: {
            "difference": _rounded(it.difference), "ci": [_rounded(it.low), _rounded(it.high)],
            "p": _rounded(it.p), "n": it.n,
        }
        for name, it in result.versus_base.items()
    }  # fmt: skip
    return found


def _from_json(stored: Mapping[str, Any], failures: int, uses_gold: bool) -> ControllerResult:
    metrics = {
        name: Estimate(_number(it["mean"]), *_interval(it["ci"]), it["n"])
        for name, it in stored.items()
        if name != "versus_base"
    }
    versus_base = {
        name: Difference(_number(it["difference"]), *_interval(it["ci"]), _number(it["p"]), it["n"])
        for name, it in stored["versus_base"].items()
    }
    return ControllerResult(metrics, versus_base, failures, uses_gold)


def summarise(
    rows: Mapping[str, Sequence[Row]], base: str, resampling: Resampling, uses_gold: frozenset[str]
) -> dict[str, ControllerResult]:
    """Summarise each controller's rows; all lists hold the same questions in the same order."""
    import numpy as np

    columns = {
        name: np.array([[row.values[metric] for metric in METRIC_NAMES] for row in found], dtype=np.float64)
        for name, found in rows.items()
    }
    table = np.concatenate(list(columns.values()), axis=1)
    paired = np.concatenate([columns[base]] * len(columns), axis=1)
    estimates, differences = resampling.estimate(table), resampling.compare(table, paired)
    width = len(METRIC_NAMES)
    return {
        name: ControllerResult(
            dict(zip(METRIC_NAMES, estimates[place * width :][:width], strict=True)),
            dict(zip(METRIC_NAMES, differences[place * width :][:width], strict=True)),
            failures=sum(bool(row.failure) for row in found),
            uses_gold=name in uses_gold,
        )
        for place, (name, found) in enumerate(rows.items())
    }
