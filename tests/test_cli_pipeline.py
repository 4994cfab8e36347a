"""The verbs one after another on a few questions of the fictional world, as a user would call them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hopilot import cli
from hopilot.questions.converting import convert
from hopilot.questions.fictional import fictional_world
from hopilot.questions.question import Dataset


def few_questions() -> Dataset:
    """Return 20 questions whose passages are their gold and three others: little to encode."""
    dataset = fictional_world(questions=40).dataset("train")
    trimmed = []
    for question in dataset.questions[:20]:
        others = [passage for passage in question.passages if passage.id not in question.support]
        gold = [passage for passage in question.passages if passage.id in question.support]
        trimmed.append(replace(question, passages=(*gold, *others[:3])))
    return replace(dataset, questions=tuple(trimmed))


def run(*arguments: object) -> int:
    """Run the command line in this process and return its exit code."""
    with pytest.raises(SystemExit) as ended:
        cli.main([str(argument) for argument in arguments])
    return ended.value.code or 0


def over(folder: Path, verb: str, out: str, *more: object) -> tuple[object, ...]:
    """Return the arguments of a verb that takes questions and their index to an output, in two steps each."""
    named = ("--dataset", folder / "questions.jsonl", "--index", folder / "index", "--out", folder / out)
    return (verb, *named, "--max-steps", "2", *more)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder where everything up to a trained bundle has been made."""
    folder = tmp_path_factory.mktemp("pipeline")
    patch = pytest.MonkeyPatch()
    patch.setenv("HOPILOT_CACHE", str(folder / "cache"))
    patch.delenv("MLFLOW_TRACKING_URI", raising=False)
    convert(few_questions(), folder / "questions.jsonl")
    assert run("index", folder / "questions.jsonl", "--out", folder / "index") == 0
    assert run(*over(folder, "explore", "run")) == 0
    small = ("--trees", "5", "--set", "training.min_leaf=2")
    assert run("train", "--trajectories", folder / "run", "--out", folder / "model", *small) == 0
    yield folder
    patch.undo()


def test_compare_prints_a_table_and_writes_results(folder, capsys):
    bundle = f"mine={folder / 'model' / 'bundle'}"
    names = ("--controllers", "fixed_k, rule", "--bundle", bundle, "--limit", "4")
    assert run(*over(folder, "compare", "comparison", *names)) == 0
    out = capsys.readouterr().out
    assert [name for name in ("fixed_k (base)", "rule", "mine") if name not in out] == []
    results = json.loads((folder / "comparison" / "results.json").read_text(encoding="utf-8"))
    assert (results["base"], results["questions"]) == ("fixed_k", 4)
    assert sorted(results["controllers"]) == ["fixed_k", "mine", "rule"]


def test_a_complete_exploration_is_not_done_again(folder):
    def files() -> dict[Path, bytes]:
        found = [path for path in (folder / "run").rglob("*") if path.is_file() and path.name != "local.json"]
        return {path: path.read_bytes() for path in found}

    before = files()
    assert before
    assert run(*over(folder, "explore", "run")) == 0
    assert files() == before


def test_other_settings_for_the_same_exploration_are_refused(folder, capsys):
    assert run(*over(folder, "explore", "run", "--set", "exploration.shard_questions=5")) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_export_copies_a_bundle_that_answers(folder, capsys):
    assert run("export", "--run", folder / "model", "--out", folder / "bundle") == 0
    question = few_questions().questions[0].text
    asked = ("ask", question, "--bundle", folder / "bundle", "--index", folder / "index")
    capsys.readouterr()
    assert run(*asked, "--json") == 0
    reply = json.loads(capsys.readouterr().out)
    assert reply["question"] == question
    assert reply["evidence"]
    assert reply["trace"][0]["action"] == "retrieve_more"
    assert run(*asked) == 0
    assert "retrieve_more" in capsys.readouterr().out
