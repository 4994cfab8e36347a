"""The whole story on the fictional world, step by step, with the command that each step stands for."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..evidence.environment import Environment
from ..evidence.extractive import Extractive
from ..evidence.index import EvidenceIndex
from ..evidence.lens import Lenses
from ..evidence.state import Limits
from ..evidence.vectors import Encoder
from ..files import claim_folder, write_json
from ..models.runner import PolicyRunner
from ..progress import note, progress
from ..questions.converting import convert
from ..questions.fictional import fictional_world
from ..questions.question import Dataset, Question
from ..training.exporting import train
from ..training.fitting import FitSettings
from ..training.table import training_table
from ..trajectories.exploring import ExploreSettings, explore
from .comparing import compare
from .results import Results, read_rows
from .table import show

if TYPE_CHECKING:
    from ..training.fitting import TrainingTable

__all__ = ["LEARNED", "UNTRAINED", "Learned", "quickstart"]

UNTRAINED = ("fixed_k", "uniform_valid", "rule", "oracle")
"""Controllers that need no training; the oracle is shown the gold, as an upper bound."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A controller to train."""

    name: str
    learner: str
    target: str


LEARNED = (Learned("dynakrag", "forest", "one_step"), Learned("lookahead", "lightgbm", "lookahead"))
"""The paper's controller, and one that looks ahead."""


def quickstart(
    out: Path, encoder: Encoder, limits: Limits, *, questions: int = 400, overwrite: bool = False
) -> Results:
    """Make a world, index it, explore it, train two controllers, compare six, and follow one question.

    All that is made is written to `out`, to be looked at or used again by the commands shown.

    Raises:
        InputError: the folder holds something and `overwrite` is false.
    """
    claim_folder(out, overwrite=overwrite)
    write_json(out / "quickstart.json", {"questions": questions})
    training, held_out = _questions(out, questions)
    environment = _indexed(out, training, encoder, limits)
    table = _explored(out, training, environment)
    for one in LEARNED:
        command = f"hopilot train --trajectories {_at(out, 'trajectories')} --learner {one.learner}"
        with _step(f"{command} --target {one.target} --out {_at(out, one.name)}"):
            train(table, FitSettings(learner=one.learner, target=one.target), out / one.name)
    results = _compared(out, held_out, environment)
    _followed(out, held_out, environment)
    return results


def _questions(out: Path, many: int) -> tuple[Dataset, Dataset]:
    with _step(f"a fictional world of articles, and questions about it, in {_at(out, 'questions')}"):
        world = fictional_world(questions=many)
        splits = world.dataset("train"), world.dataset("dev")
        for name, split in zip(("train", "dev"), splits, strict=True):
            convert(split, out / "questions" / f"{name}.jsonl.gz")
    return splits


def _indexed(out: Path, training: Dataset, encoder: Encoder, limits: Limits) -> Environment:
    with _step(f"hopilot index {_questions_at(out, 'train')} --out {_at(out, 'index')}"):
        corpus = training.corpus()  # both splits ask about the whole world
        with progress("encoding passages", len(corpus)) as tick:
            index = EvidenceIndex.build(corpus, encoder, tick=tick)
        index.save(out / "index")
    lenses = Lenses(index)
    return Environment(index, Extractive(index, lenses), limits, lenses=lenses)


def _explored(out: Path, training: Dataset, environment: Environment) -> TrainingTable:
    command = f"hopilot explore --dataset {_questions_at(out, 'train')} --index {_at(out, 'index')}"
    with _step(f"{command} --out {_at(out, 'trajectories')}"):
        explore(training, lambda: environment, ExploreSettings(), out / "trajectories")
        return training_table([out / "trajectories"], lambda fingerprint: environment.index)


def _compared(out: Path, held_out: Dataset, environment: Environment) -> Results:
    bundles = {one.name: out / one.name / "bundle" for one in LEARNED}
    named = " ".join(f"--bundle {name}={shlex.quote(str(path))}" for name, path in bundles.items())
    command = f"hopilot compare --dataset {_questions_at(out, 'dev')} --index {_at(out, 'index')}"
    with _step(f"{command} --controllers {','.join(UNTRAINED)} {named} --out {_at(out, 'comparison')}"):
        results = compare(held_out, environment, UNTRAINED, bundles, out=out / "comparison")
    show(results)
    return results


def _followed(out: Path, held_out: Dataset, environment: Environment) -> None:
    """Show how the last controller went about one question."""
    question = _telling(out, held_out)
    bundle = out / LEARNED[-1].name / "bundle"
    told = f"--bundle {shlex.quote(str(bundle))} --index {_at(out, 'index')}"
    with _step(f"hopilot ask {shlex.quote(question.text)} {told}"):
        runner = PolicyRunner.from_bundle(bundle, environment.index, environment.language_model)
        reply = runner.run(question.text)
    print(reply.render())
    print(f"answer: {reply.answer or 'none'} (expected: {question.answers[0]})")


def _telling(out: Path, held_out: Dataset) -> Question:
    """Return the question whose answer the last controller owes most clearly to the evidence it found."""
    rows = read_rows(out / "comparison" / "per_question.parquet")
    missed = {row.question_id for row in rows if row.controller == "fixed_k" and not row.values["full_support"]}
    gained = {
        row.question_id: row.values["full_support"] + row.values["answer_f1"]
        for row in rows
        if row.controller == LEARNED[-1].name and row.question_id in missed
    }
    return max(held_out.questions, key=lambda question: gained.get(question.id, 0.0))


@contextmanager
def _step(command: str) -> Iterator[None]:
    """Say what is being done, as a command where there is one, and how long it took."""
    note(f"→ {command}")
    began = time.monotonic()
    yield
    note(f"  {time.monotonic() - began:.0f} s")


def _at(out: Path, name: str) -> str:
    return shlex.quote(str(out / name))


def _questions_at(out: Path, split: str) -> str:
    return _at(out, f"questions/{split}.jsonl.gz")
