"""Comparing controllers on one dataset, over one index, with one language model, under one set of limits.

The folder of a comparison: `manifest.json` (what it was asked for), `parts/CONTROLLER/NNNNN.parquet` (each
written when its questions end, so that a killed run goes on where it was), `per_question.parquet` and
`results.json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, RunError
from ..evidence.environment import Environment
from ..files import canonical_json, claim_folder, fingerprint, read_json, sha256_of, write_json
from ..models.bundle import load_bundle
from ..progress import progress
from ..questions.question import Dataset, Question
from ..settings import ComparisonSettings
from .answers import ANSWER_RULES
from .attempting import Attempts
from .controllers.base import Context, Controller
from .controllers.registry import find_controller
from .results import Results, Row, read_rows, summarise, write_rows
from .statistics import Resampling

__all__ = ["FAILURES_ALLOWED", "compare"]

FAILURES_ALLOWED = 0.05
"""Share of a controller's questions that may fail before the comparison counts as failed."""

_SCHEMA = 1


@dataclass(frozen=True)
class _Comparison:
    """A comparison that has been checked and can be carried out."""

    dataset: Dataset
    environment: Environment
    controllers: tuple[Controller, ...]
    base: str
    bundles: Mapping[str, Path]
    out: Path
    resampling: Resampling
    chunk_questions: int
    notes: tuple[str, ...]

    @property
    def settings(self) -> dict[str, Any]:
        """What was asked for, as plain values."""
        return {
            "controllers": [controller.name for controller in self.controllers],
            "base": self.base,
            "language_model": self.environment.language_model.name,
            "limits": asdict(self.environment.limits),
            "seed": self.resampling.seed,
            "bootstrap_samples": self.resampling.samples,
            "chunk_questions": self.chunk_questions,
        }

    @property
    def fingerprints(self) -> dict[str, str]:
        """What it was asked of."""
        bundles = {f"bundle {name}": sha256_of(path / "bundle.json") for name, path in self.bundles.items()}
        return {
            "dataset": self.dataset.fingerprint,
            "index": self.environment.index.fingerprint,
            **bundles,
        }


def compare(
    dataset: Dataset,
    environment: Environment,
    controllers: Sequence[str],
    bundles: Mapping[str, Path] | None = None,
    settings: ComparisonSettings | None = None,
    out: Path = Path("comparison"),
    *,
    chunk_questions: int = 64,
    overwrite: bool = False,
) -> Results:
    """Run each controller over all questions, write the comparison into `out`, and return its summary.

    Each bundle is a learned controller of its name, added to `controllers`; `ungated:NAME` and
    `uniform_gated:NAME` are its ablations. A folder that holds the same comparison is gone on with, and its
    failed questions are asked again; `overwrite` starts afresh.

    Raises:
        InputError: an unlabelled dataset, an unknown controller, an index of other passages, a folder that
            holds something else.
        RunError: more than `FAILURES_ALLOWED` of a controller's questions failed; all is written all the same.
    """
    if not dataset.questions:
        raise InputError("no questions to compare on", where=dataset.source)
    dataset.require_labels("comparing controllers")
    settings, bundles = settings or ComparisonSettings(), dict(bundles or {})
    found = tuple(find_controller(name, bundles) for name in dict.fromkeys((*controllers, *bundles)))
    asked = _Comparison(
        dataset,
        environment,
        found,
        _base_of(settings.base, [controller.name for controller in found]),
        bundles,
        out,
        Resampling(len(dataset.questions), settings.bootstrap_samples, settings.seed),
        max(1, chunk_questions),
        (*_lacking_support(dataset, environment), *_other_limits(bundles, environment)),
    )
    context = Context(environment, settings.seed, bundles)
    attempts = [Attempts.of(controller, context, ANSWER_RULES[dataset.name]) for controller in found]
    _claim(asked, overwrite=overwrite)
    rows = {one.controller.name: _run(asked, one) for one in attempts}
    results = _assemble(asked, rows)
    _refuse_failures(results, rows)
    return results


def _base_of(wanted: str | None, names: Sequence[str]) -> str:
    """Return the base: the one asked for, else `fixed_k`, else the first."""
    if not names:
        raise InputError("no controller to run", where="controllers", expected="at least one name")
    base = wanted or ("fixed_k" if "fixed_k" in names else names[0])
    if base not in names:
        raise InputError(f"the base {base!r} is not compared", where="base", expected=", ".join(names))
    return base


def _lacking_support(dataset: Dataset, environment: Environment) -> tuple[str, ...]:
    """Note how many gold passages the index lacks; they count as not found.

    Raises:
        InputError: it lacks all of them, so it is the index of something else.
    """
    held = environment.index.corpus.position
    lacking = [question for question in dataset.questions if any(gold not in held for gold in question.support)]
    if not lacking:
        return ()
    if not any(gold in held for question in dataset.questions for gold in question.support):
        raise InputError(
            f"the index holds no gold passage of any of the {len(lacking)} questions (first: {lacking[0].id})",
            where=dataset.source,
            expected="an index over the passages of this dataset",
            remedy="build it: hopilot index FILE... --out DIR",
        )
    count = f"{len(lacking)} of {len(dataset.questions)} questions"
    return (f"The index lacks gold passages of {count} (first: {lacking[0].id}); they count as not found.",)


def _other_limits(bundles: Mapping[str, Path], environment: Environment) -> Iterator[str]:
    """Note which bundles were trained under other caps than those of the comparison."""
    here = asdict(environment.limits)
    for name, path in bundles.items():
        there = asdict(load_bundle(path).limits)
        other = [f"{cap} {there[cap]} instead of {here[cap]}" for cap in here if there[cap] != here[cap]]
        if other:
            yield f"{name} was trained under other limits: {', '.join(other)}."


def _claim(asked: _Comparison, *, overwrite: bool) -> None:
    """Take the folder, or go on with the same comparison in it.

    Raises:
        InputError: the folder holds a comparison of other settings, or something else.
    """
    wanted = {"schema": _SCHEMA, "settings": asked.settings, "fingerprints": asked.fingerprints}
    manifest = asked.out / "manifest.json"
    if overwrite or not manifest.is_file():
        claim_folder(asked.out, overwrite=overwrite)
        write_json(manifest, wanted)
        return
    stored = read_json(manifest)
    if canonical_json(stored) != canonical_json(wanted):
        raise InputError(
            f"the folder holds a comparison of other settings ({', '.join(_differing(stored, wanted))} differ)",
            where=str(asked.out),
            remedy="choose another --out, or pass --overwrite to replace it",
        )


def _differing(stored: Any, wanted: Mapping[str, Any]) -> list[str]:
    """Name the settings in which two manifests differ."""
    names = []
    for part in wanted:
        old, new = stored.get(part) if isinstance(stored, dict) else None, wanted[part]
        if isinstance(old, dict) and isinstance(new, dict):
            names += [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
        elif old != new:
            names.append(part)
    return names or ["manifest.json"]


def _run(asked: _Comparison, attempts: Attempts) -> list[Row]:
    """Run one controller over all questions, chunk by chunk, keeping the chunks already done."""
    questions, width = asked.dataset.questions, asked.chunk_questions
    name = attempts.controller.name
    rows: list[Row] = []
    with progress(name, len(questions)) as tick:
        for number, start in enumerate(range(0, len(questions), width)):
            chunk = questions[start : start + width]
            part = asked.out / "parts" / name.replace(":", "@") / f"{number:05d}.parquet"
            rows += _finished(part, chunk) or _asked_now(part, attempts, chunk)
            tick(len(chunk))
    return rows


def _finished(part: Path, chunk: Sequence[Question]) -> list[Row]:
    """Return a chunk's rows where they are on disk, whole, and without a failure; else none."""
    if not part.is_file():
        return []
    rows = read_rows(part)
    whole = [row.question_id for row in rows] == [question.id for question in chunk]
    return rows if whole and not any(row.failure for row in rows) else []


def _asked_now(part: Path, attempts: Attempts, chunk: Sequence[Question]) -> list[Row]:
    rows = [Row.of(attempts.controller.name, scored) for scored in attempts.ask(chunk)]
    write_rows(part, rows)
    return rows


def _assemble(asked: _Comparison, rows: Mapping[str, Sequence[Row]]) -> Results:
    gold = frozenset(controller.name for controller in asked.controllers if controller.uses_gold)
    settings = asked.settings
    prints = {**asked.fingerprints, "settings": fingerprint([canonical_json(settings)])}
    results = Results(
        asked.dataset.name,
        len(asked.dataset.questions),
        asked.base,
        summarise(rows, asked.base, asked.resampling, gold),
        settings,
        prints,
        asked.notes,
    )
    write_rows(asked.out / "per_question.parquet", [row for found in rows.values() for row in found])
    results.write(asked.out / "results.json")
    return results


def _refuse_failures(results: Results, rows: Mapping[str, Sequence[Row]]) -> None:
    for name, found in rows.items():
        failed = [row for row in found if row.failure]
        if len(failed) > FAILURES_ALLOWED * results.questions:
            raise RunError(
                f"{len(failed)} of {results.questions} questions failed under {name} "
                f"(first: {failed[0].question_id}, {failed[0].failure}); the results are written, and the same "
                "command asks the failed questions again"
            )
