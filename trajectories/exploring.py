"""The trajectory generator: explores questions shard by shard, labels what it met, and writes it down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from ..errors import InputError
from ..evidence.environment import Environment
from ..evidence.state import State
from ..progress import progress
from ..questions.question import Dataset, Question
from .explorers import EXPLORERS
from .labels import label_tree
from .run import TrajectoryRun
from .schema import state_to_row
from .tree import Edge, Node, Tree

__all__ = ["ExploreSettings", "explore", "explore_shard"]

_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class ExploreSettings:
    """How questions are explored."""

    explorer: str = "exhaustive"
    rollouts: int = 4
    """States of one question that the sampled explorer looks into at each level."""
    seed: int = 13
    shard_questions: int = 32
    """Questions in a shard: what a crash can cost, and what memory holds at once."""
    jobs: int = 1
    """Processes or threads that explore shards side by side."""
    backend: str = "loky"
    """The joblib backend of those: loky, threading or dask."""


def explore(
    dataset: Dataset,
    open_environment: Callable[[], Environment],
    settings: ExploreSettings,
    out: Path,
    *,
    overwrite: bool = False,
) -> TrajectoryRun:
    """Explore every question of a labelled data set and write a trajectory run.

    A run that was interrupted is resumed when the same call is made again: only missing shards are
    explored, and the result equals an uninterrupted run byte for byte.

    Raises:
        InputError: unlabelled questions, an unknown explorer, questions whose gold the index lacks
            altogether, or a folder with other settings.
    """
    if settings.explorer not in EXPLORERS:
        raise InputError(
            f"unknown explorer {settings.explorer!r}", where="--explorer", expected=", ".join(EXPLORERS)
        )
    dataset.require_labels("exploring")
    environment = open_environment()
    _check_support(dataset, environment)
    shards = _sharded(dataset.questions, settings.shard_questions)
    run = TrajectoryRun.open(out, _manifest(dataset, environment, settings, len(shards)), overwrite=overwrite)
    index = environment.index.folder
    local = {"index": str(index.resolve()) if index else ""}
    run.write_local(local)
    began = time.perf_counter()
    done = run.done()
    todo = [number for number in range(len(shards)) if number not in done]
    finished = sum(len(shards[number]) for number in done)
    with progress("exploring", len(dataset.questions), done=finished) as tick:
        for number in _explored(run, shards, todo, environment, open_environment, settings):
            tick(len(shards[number]))
    asked = len(dataset.questions) - finished
    run.write_local({**local, "explored": asked, "seconds": round(time.perf_counter() - began, 3)})
    return run


def explore_shard(
    run: TrajectoryRun,
    number: int,
    questions: Sequence[Question],
    environment: Environment,
    settings: ExploreSettings,
) -> int:
    """Explore one shard, write it, and return its number."""
    explorer = EXPLORERS[settings.explorer]
    trees = explorer.explore(
        environment, [question.text for question in questions], settings.rollouts, settings.seed
    )
    rows: dict[str, list[dict[str, Any]]] = {"states": [], "transitions": [], "labels": []}
    for question, tree in zip(questions, trees, strict=True):
        for table, found in _rows(question, tree).items():
            rows[table].extend(found)
    run.write_shard(
        number,
        rows,
        {
            "questions": [question.id for question in questions],
            "transitions": len(rows["transitions"]),
        },
    )
    return number


def _explored(
    run: TrajectoryRun,
    shards: Sequence[Sequence[Question]],
    todo: Sequence[int],
    environment: Environment,
    open_environment: Callable[[], Environment],
    settings: ExploreSettings,
) -> Iterator[int]:
    """Explore the missing shards, in this process or in several; yield their numbers as they end."""
    if settings.jobs == 1:
        for number in todo:
            yield explore_shard(run, number, shards[number], environment, settings)
        return
    from joblib import Parallel, delayed

    call = uuid4().hex
    work = (
        delayed(_explore_elsewhere)(call, run, number, shards[number], open_environment, settings)
        for number in todo
    )
    parallel = Parallel(n_jobs=settings.jobs, backend=settings.backend, return_as="generator_unordered")
    yield from parallel(work)


class _Worker(threading.local):
    """What one worker, a process or a thread, keeps open between shards of one call."""

    call = ""
    environment: Environment


_worker = _Worker()


def _explore_elsewhere(
    call: str,
    run: TrajectoryRun,
    number: int,
    questions: Sequence[Question],
    open_environment: Callable[[], Environment],
    settings: ExploreSettings,
) -> int:
    """Explore a shard in a worker, which opens its environment once a call: the next call's may differ."""
    if _worker.call != call:
        _worker.environment = open_environment()
        _worker.call = call
    return explore_shard(run, number, questions, _worker.environment, settings)


def _rows(question: Question, tree: Tree) -> dict[str, list[dict[str, Any]]]:
    labels = label_tree(question, tree)
    rows: dict[str, list[dict[str, Any]]] = {"states": [], "transitions": [], "labels": []}
    for node in tree.expanded:
        rows["states"].append(state_to_row(question.id, node.number, node.state))
        for place, edge in enumerate(node.edges):
            key = {
                "question_id": question.id,
                "state": node.number,
                "action": edge.action.kind,
                "candidate": edge.action.candidate,
            }
            rows["transitions"].append({**key, **_facts(node, edge)})
            rows["labels"].append({**key, **asdict(labels[node.number, place])})
    return rows


def _facts(node: Node, edge: Edge) -> dict[str, Any]:
    before, after = node.state, edge.child.state
    taken = after.history[-1] if after.steps > before.steps else None
    spent, had = after.usage, before.usage
    return {
        "candidate_name": taken.candidate if taken else "",
        "query": taken.query if taken else "",
        "next_state": edge.child.number,
        "added_rows": _added(before, after),
        "note": taken.note if taken else after.stop_reason,
        "retrieval_calls": spent.retrieval_calls - had.retrieval_calls,
        "model_calls": spent.model_calls - had.model_calls,
        "prompt_tokens": spent.prompt_tokens - had.prompt_tokens,
        "completion_tokens": spent.completion_tokens - had.completion_tokens,
    }


def _added(before: State, after: State) -> list[int]:
    return [held.row for held in after.evidence[len(before.evidence) :]]


def _sharded(questions: Sequence[Question], size: int) -> list[Sequence[Question]]:
    if size < 1:
        raise InputError(f"shards of {size} questions", where="shard_questions", expected="1 or more")
    return [questions[start : start + size] for start in range(0, len(questions), size)]


def _check_support(dataset: Dataset, environment: Environment) -> None:
    known = environment.index.corpus.position
    lacking = [q.id for q in dataset.questions if q.support and not any(found in known for found in q.support)]
    if lacking:
        raise InputError(
            f"the index holds no supporting passage of {len(lacking)} questions (first: {lacking[0]})",
            where=dataset.source,
            expected="an index over the passages of this data set",
            remedy="build one: hopilot index FILE... --out DIR",
        )


def _manifest(
    dataset: Dataset, environment: Environment, settings: ExploreSettings, shards: int
) -> dict[str, Any]:
    from importlib.metadata import version

    names = ("hopilot", "faiss-cpu", "numpy", "pyarrow", "sentence-transformers", "torch")
    return {
        "schema": _SCHEMA,
        "dataset": dataset.name,
        "dataset_fingerprint": dataset.fingerprint,
        "questions": len(dataset.questions),
        "index_fingerprint": environment.index.fingerprint,
        "encoder": environment.index.encoder.name,
        "encoder_fingerprint": environment.index.encoder.fingerprint,
        "language_model": environment.language_model.name,
        "limits": asdict(environment.limits),
        "explorer": settings.explorer,
        "rollouts": settings.rollouts,
        "seed": settings.seed,
        "shard_questions": settings.shard_questions,
        "shards": shards,
        "versions": {name: version(name) for name in names},
    }
