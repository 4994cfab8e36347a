"""A deployed controller decides the same whatever the gold labels say, or when there are none."""

import ast
import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import hopilot
import pytest
from hopilot.evidence.state import State
from hopilot.features.extract import FeatureExtractor
from hopilot.models.bundle import load_bundle, save_bundle
from hopilot.models.runner import PolicyRunner
from hopilot.questions.converting import convert
from hopilot.questions.loading import load_dataset
from hopilot.questions.question import Dataset
from hopilot.training.fitting import FitSettings, fit
from hopilot.training.table import training_table
from hopilot.trajectories.exploring import ExploreSettings, explore
from tiny_world import TINY_LIMITS, Scripted, WordVectors, build_index, open_world, tiny_dataset

ROOT = Path(hopilot.__file__).parent
RUN_TIME = ("evidence", "features", "models")
KNOWS_GOLD = ("questions", "trajectories", "training", "eval")


def blanked(dataset: Dataset) -> Dataset:
    return replace(dataset, questions=tuple(replace(one, answers=(), support=()) for one in dataset.questions))


def swapped(dataset: Dataset) -> Dataset:
    """Give every question the gold of the next one, in reverse, under another type."""
    following = (*dataset.questions[1:], dataset.questions[0])
    changed = [
        replace(one, answers=two.answers, support=two.support[::-1], kind="comparison", hops=4)
        for one, two in zip(dataset.questions, following, strict=True)
    ]
    return replace(dataset, questions=tuple(changed))


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    opening = partial(open_world, folder / "cache")
    explore(tiny_dataset(), opening, ExploreSettings(), folder / "run")
    table = training_table([folder / "run"], lambda fingerprint: build_index(folder / "cache"))
    fitted = fit(table, FitSettings(learner="lightgbm", target="lookahead", trees=30, min_leaf=3))
    return save_bundle(folder / "bundle", fitted.manifest, fitted.models, fitted.golden)


def decisions(bundle: Path, dataset: Dataset, cache: Path) -> tuple[str, bytes, set[str]]:
    """Return all that a runner says, the features of all states it met, and the actions it took."""
    from hopilot.evidence.environment import Environment
    from hopilot.evidence.extractive import Extractive
    from hopilot.evidence.index import EvidenceIndex
    from hopilot.evidence.lens import Lenses

    index = EvidenceIndex.build(dataset.corpus(), WordVectors(), cache=cache)
    lenses = Lenses(index)
    environment = Environment(index, Extractive(index, lenses), load_bundle(bundle).limits, lenses=lenses)
    policy = load_bundle(bundle).policy(environment)
    extractor, met = FeatureExtractor(lenses, environment.limits), []

    def watched(states, valids):
        met.extend(extractor.rows(state, valid).tobytes() for state, valid in zip(states, valids, strict=True))
        return policy(states, valids)

    answers = PolicyRunner(environment, watched).run_many([question.text for question in dataset.questions])
    said = [{**answer.as_dict(), "seconds": 0} for answer in answers]
    taken = {step.action for answer in answers for step in answer.state.history}
    return json.dumps(said), b"".join(met), taken


@pytest.mark.parametrize("change", [blanked, swapped])
def test_features_decisions_and_answers_do_not_change_with_the_gold(bundle, tmp_path, change):
    """The data set goes through a file, as a user's would."""
    found = {}
    for name, dataset in (("gold", tiny_dataset()), ("changed", change(tiny_dataset()))):
        path = convert(dataset, tmp_path / f"{name}.jsonl")
        found[name] = decisions(bundle, load_dataset(path), tmp_path / name)
    assert (tmp_path / "gold.jsonl").read_bytes() != (tmp_path / "changed.jsonl").read_bytes()
    assert found["gold"] == found["changed"]
    assert len(found["gold"][2]) >= 2  # the controller does decide something


def test_the_bundle_needs_no_gold_to_be_opened(bundle, tmp_path):
    dataset = blanked(tiny_dataset())
    index = build_index(tmp_path, dataset.corpus().passages)
    answer = PolicyRunner.from_bundle(bundle, index, Scripted()).run(dataset.questions[0].text)
    assert answer.stop_reason
    assert answer.state.steps <= TINY_LIMITS.max_steps


def test_a_state_has_no_place_for_gold():
    names = " ".join(State.__dataclass_fields__)
    assert [word for word in ("gold", "support", "answer", "label", "recall") if word in names] == []


def imported(path: Path) -> set[str]:
    """Return the rooms of hopilot that a file imports anywhere, also inside functions or for types alone."""
    inside = path.relative_to(ROOT).with_suffix("").parts
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            parts = [alias.name.split(".") for alias in node.names]
            found |= {one[1] for one in parts if one[0] == "hopilot" and len(one) > 1}
        elif isinstance(node, ast.ImportFrom):
            base = inside[: len(inside) - node.level] if node.level else ()
            module = (*base, *(node.module or "").split(".")) if node.module else base
            if not node.level:
                if module[0] != "hopilot":
                    continue
                module = module[1:]
            found |= {module[0]} if module else {alias.name for alias in node.names}
    return found


@pytest.mark.parametrize(
    "path", sorted(p for r in RUN_TIME for p in (ROOT / r).rglob("*.py")), ids=lambda p: p.name
)
def test_the_run_time_half_imports_nothing_that_knows_gold(path):
    assert imported(path) & set(KNOWS_GOLD) == set()


def test_the_import_check_sees_what_it_should():
    """A check that finds nothing anywhere would pass too."""
    assert {"evidence", "features", "trajectories"} <= imported(ROOT / "training" / "table.py")
    assert {"questions", "evidence"} <= imported(ROOT / "trajectories" / "exploring.py")
    assert "training" in imported(ROOT / "cli.py")


@pytest.mark.parametrize("room", RUN_TIME)
def test_importing_the_run_time_half_loads_nothing_that_knows_gold(room):
    import subprocess
    import sys

    modules = [f"hopilot.{room}.{path.stem}" for path in (ROOT / room).glob("*.py") if path.stem != "__init__"]
    code = f"import {', '.join(modules)}, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert f"hopilot.{room}" in loaded
    assert [name for name in loaded if name.startswith(tuple(f"hopilot.{room}" for room in KNOWS_GOLD))] == []
