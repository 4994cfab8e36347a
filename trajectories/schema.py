"""The tables of a trajectory run, with fixed schemas, and the way from a state to a row and back.

Run-time facts (`states`, `transitions`) and what gold support says of them (`labels`) lie in files
of their own, tied by (question_id, state, action, candidate).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..evidence.index import EvidenceIndex
from ..evidence.state import Bridge, Held, Hit, State, Step, Usage, Verdict

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["TABLES", "schema_of", "state_from_row", "state_to_row"]

TABLES = ("states", "transitions", "labels")
"""`states`: one row a state that was expanded; `transitions` and `labels`: one row an action taken."""

_TYPES = {"int": "int32", "float": "float64", "bool": "bool_", "str": "string"}


def schema_of(table: str) -> pa.Schema:
    """Return the fixed schema of one of `TABLES`."""
    import pyarrow as pa

    key = [("question_id", pa.string()), ("state", pa.int32())]
    action = [("action", pa.string()), ("candidate", pa.int32())]
    if table == "states":
        return pa.schema(key + _state_columns())
    if table == "transitions":
        return pa.schema(
            [
                *key,
                *action,
                ("candidate_name", pa.string()),
                ("query", pa.string()),
                ("next_state", pa.int32()),  # -1 where the next state was not expanded
                ("added_rows", pa.list_(pa.int32())),
                ("note", pa.string()),
                ("retrieval_calls", pa.int32()),
                ("model_calls", pa.int32()),
                ("prompt_tokens", pa.int32()),
                ("completion_tokens", pa.int32()),
            ]
        )
    shares = ("recall_before", "recall_after", "best_before", "best_after")
    flags = ("full_before", "full_after")
    return pa.schema(
        [*key, *action] + [(name, pa.float64()) for name in shares] + [(name, pa.bool_()) for name in flags]
    )


def _state_columns() -> list[tuple[str, pa.DataType]]:
    import pyarrow as pa

    return [
        ("question", pa.string()),
        ("stop_reason", pa.string()),
        ("evidence_rows", pa.list_(pa.int32())),
        ("evidence_scores", pa.list_(pa.float64())),
        ("evidence_ranks", pa.list_(pa.int32())),
        ("evidence_actions", pa.list_(pa.string())),
        ("ranking_rows", pa.list_(pa.int32())),
        ("ranking_scores", pa.list_(pa.float64())),
        ("cursor", pa.int32()),
        ("queries", pa.list_(pa.string())),
        ("active_query", pa.string()),
        ("history", pa.list_(_struct(Step))),
        ("gaps", pa.list_(pa.string())),
        ("verdict", _verdict()),
        ("bridges", pa.list_(_struct(Bridge))),
        ("checked_at", pa.int32()),
        ("rewritten_at", pa.int32()),
        ("usage", _struct(Usage)),
    ]  # fmt: skip


def _struct(declared: type) -> pa.DataType:
    """Return the Arrow type of a dataclass of plain fields."""
    import pyarrow as pa

    return pa.struct([(f.name, getattr(pa, _TYPES[str(f.type)])()) for f in fields(declared)])


def _verdict() -> pa.DataType:
    import pyarrow as pa

    return pa.struct(
        [("sufficient", pa.bool_()), ("confidence", pa.float64()), ("missing", pa.list_(pa.string()))]
    )


def _plain(value: Any) -> dict[str, Any]:
    return {f.name: getattr(value, f.name) for f in fields(value)}


def state_to_row(question_id: str, number: int, state: State) -> dict[str, Any]:
    """Return a state as a row of the `states` table."""
    verdict = state.verdict
    return {
        "question_id": question_id,
        "state": number,
        "question": state.question,
        "stop_reason": state.stop_reason,
        "evidence_rows": [held.row for held in state.evidence],
        "evidence_scores": [held.score for held in state.evidence],
        "evidence_ranks": [held.rank for held in state.evidence],
        "evidence_actions": [held.action for held in state.evidence],
        "ranking_rows": [hit.row for hit in state.ranking],
        "ranking_scores": [hit.score for hit in state.ranking],
        "cursor": state.cursor,
        "queries": list(state.queries),
        "active_query": state.active_query,
        "history": [_plain(step) for step in state.history],
        "gaps": list(state.gaps),
        "verdict": None if verdict is None else {**_plain(verdict), "missing": list(verdict.missing)},
        "bridges": [_plain(bridge) for bridge in state.bridges],
        "checked_at": state.checked_at,
        "rewritten_at": state.rewritten_at,
        "usage": _plain(state.usage),
    }


def state_from_row(row: Mapping[str, Any], index: EvidenceIndex) -> State:
    """Return the state that a row of the `states` table holds; `index` gives the passages."""
    columns = ("evidence_rows", "evidence_scores", "evidence_ranks", "evidence_actions")
    return State(
        question=row["question"],
        stop_reason=row["stop_reason"],
        evidence=tuple(
            Held(index.passage(at), at, score, rank, action)
            for at, score, rank, action in zip(*(row[name] for name in columns), strict=True)
        ),
        ranking=tuple(Hit(*hit) for hit in zip(row["ranking_rows"], row["ranking_scores"], strict=True)),
        cursor=row["cursor"],
        queries=tuple(row["queries"]),
        active_query=row["active_query"],
        history=tuple(Step(**step) for step in row["history"]),
        gaps=tuple(row["gaps"]),
        verdict=_verdict_from(row["verdict"]),
        bridges=tuple(Bridge(**bridge) for bridge in row["bridges"]),
        checked_at=row["checked_at"],
        rewritten_at=row["rewritten_at"],
        usage=Usage(**row["usage"]),
    )


def _verdict_from(found: Mapping[str, Any] | None) -> Verdict | None:
    return Verdict(found["sufficient"], found["confidence"], tuple(found["missing"])) if found else None
