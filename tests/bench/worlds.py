"""The world that the benchmarks run in: real questions where they are named, else the fictional world.

Environment variables: HOPILOT_BENCH_DATASET (a question file with gold), HOPILOT_BENCH_QUESTIONS (300).
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hopilot.evidence.encoder import open_encoder
from hopilot.evidence.environment import Environment
from hopilot.evidence.extractive import Extractive
from hopilot.evidence.index import EvidenceIndex
from hopilot.evidence.lens import Lenses
from hopilot.questions.fictional import fictional_world
from hopilot.questions.loading import load_dataset
from hopilot.questions.question import Dataset

QUESTIONS = int(os.environ.get("HOPILOT_BENCH_QUESTIONS", "300"))


def bench_dataset() -> Dataset:
    """Return the questions that the benchmarks explore; their corpus is that of the whole file."""
    named = os.environ.get("HOPILOT_BENCH_DATASET")
    return load_dataset(Path(named)) if named else fictional_world(questions=500).dataset("train")


def bench_index(dataset: Dataset, cache: Path) -> EvidenceIndex:
    """Return an index over the data set's passages; vectors are cached in `cache`."""
    return EvidenceIndex.build(dataset.corpus(), open_encoder(), cache=cache)


def fresh_environment(index: EvidenceIndex) -> Environment:
    """Return an environment that has read nothing yet."""
    lenses = Lenses(index)
    return Environment(index, Extractive(index, lenses), lenses=lenses)


def scratch_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that goes when the benchmark ends."""
    return tempfile.TemporaryDirectory(prefix="hopilot-bench-")
