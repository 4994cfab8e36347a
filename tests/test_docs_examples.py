"""The Python of the documentation runs as it stands."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hopilot.evidence.environment import Environment
from hopilot.evidence.extractive import Extractive
from hopilot.evidence.index import EvidenceIndex
from hopilot.evidence.lens import Lenses
from hopilot.evidence.state import Limits
from hopilot.training.exporting import export, train
from hopilot.training.fitting import FitSettings
from hopilot.training.table import training_table
from hopilot.trajectories.exploring import ExploreSettings, explore
from tiny_world import tiny_dataset

ROOT = Path(__file__).resolve().parents[1]
RUN = ("README.md", "docs/extending.md")


def program(page: str) -> str:
    """Return the Python of a page from top to bottom as one program."""
    return "\n".join(re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL))


@pytest.fixture
def trained(tmp_path, monkeypatch, minilm):
    """Stand in a folder with the `index` and the `bundle` that the README opens."""
    monkeypatch.chdir(tmp_path)
    dataset = tiny_dataset()
    index = EvidenceIndex.build(dataset.corpus(), minilm)
    index.save(Path("index"))
    lenses = Lenses(index)
    limits = Limits(max_steps=2, passages_per_retrieval=2)
    world = Environment(index, Extractive(index, lenses), limits, lenses=lenses)
    explore(dataset, lambda: world, ExploreSettings(), Path("trajectories"))
    table = training_table([Path("trajectories")], lambda fingerprint: index)
    how = FitSettings(learner="lightgbm", target="lookahead", trees=5, min_leaf=2)
    train(table, how, Path("lookahead"), tracked=False)
    export("lookahead", Path("bundle"))


def test_the_python_of_the_readme_answers(trained, capsys):
    names = {}
    exec(compile(program("README.md"), "README.md", "exec"), names)
    assert names["reply"].evidence
    assert names["reply"].trace[0].action == "retrieve_more"
    assert len(names["replies"]) == 2
    assert "retrieve_more" in capsys.readouterr().out


def test_the_page_on_extending_is_a_program_that_runs(tmp_path, monkeypatch):
    """In a process of its own, since it adds to the registries."""
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    script = tmp_path / "extending.py"
    script.write_text(program("docs/extending.md"), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, script.name], check=False, cwd=tmp_path, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    for folder in ("discounted", "extra_trees"):
        assert (tmp_path / folder / "bundle" / "bundle.json").is_file()
    assert (tmp_path / "comparison" / "results.json").is_file()


def test_no_other_page_has_python_that_is_never_run():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    with_python = {str(page.relative_to(ROOT)) for page in pages if program(str(page.relative_to(ROOT)))}
    assert with_python == set(RUN)
