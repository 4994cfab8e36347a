"""The commands of the documentation parse, those of the README run, and what they write is documented."""

import fnmatch
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from hopilot import cli
from hopilot.questions.converting import convert
from hopilot.questions.downloading import RELEASES
from hopilot.questions.fictional import fictional_world
from hopilot.trajectories.schema import schema_of

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FILES = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")


def commands(page: Path) -> list[list[str]]:
    """Return the arguments of each command line that a page shows in a block of its own."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = re.findall(r"^(?:\.venv/bin/)?hopilot ([a-z].*)$", text, re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_shown_parse(page):
    """Click itself reads them: required options, kinds of values and stray words included."""
    group = typer.main.get_command(cli.app)
    for arguments in commands(page):
        command, rest = group, arguments
        while hasattr(command, "commands"):
            command, rest = command.commands[rest[0]], rest[1:]
        command.make_context("hopilot", list(rest)).close()


def write_questions(split: str, many: int) -> None:
    """Write a few fictional questions, each with its gold and three other passages."""
    dataset = fictional_world(questions=40).dataset(split)
    few = []
    for question in dataset.questions[:many]:
        gold = [passage for passage in question.passages if passage.id in question.support]
        others = [passage for passage in question.passages if passage.id not in question.support]
        few.append(replace(question, passages=(*gold, *others[:3])))
    convert(replace(dataset, questions=tuple(few)), f"{split}.jsonl")


@pytest.fixture(scope="module")
def toured(tmp_path_factory):
    """A folder in which every command of the README has been run, and the exit code of each."""
    folder = tmp_path_factory.mktemp("tour")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        write_questions("train", 8)
        write_questions("dev", 2)
        shown = re.search(r"```json\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)[1]
        with Path("train.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(json.loads(shown)) + "\n")
        codes = {}
        for arguments in commands(ROOT / "README.md"):
            if arguments[0] == "doctor":  # tells of this machine, and writes nothing
                continue
            with pytest.raises(SystemExit) as ended:
                cli.main(arguments)
            codes[" ".join(arguments[:2])] = ended.value.code or 0
    return folder, codes


def test_the_commands_of_the_readme_run_one_after_another(toured):
    folder, codes = toured
    assert {verb.split()[0] for verb in codes} >= {
        "data",
        "index",
        "explore",
        "train",
        "compare",
        "export",
        "ask",
    }
    assert set(codes.values()) == {0}
    assert json.loads((folder / "comparison" / "results.json").read_text(encoding="utf-8"))["questions"] == 2


def test_every_file_that_a_verb_writes_is_described(toured):
    """By name; what lies in `parts/`, and in the store of MLflow, as a folder."""
    folder, _ = toured
    named = set(re.findall(r"`([\w*/.-]+)`", FILES))
    written = {
        path.relative_to(folder).as_posix().partition("/")[2].removeprefix("bundle/")
        for path in folder.glob("*/**/*")
        if path.is_file() and "mlartifacts" not in path.parts
    }
    parts = {name for name in written if name.startswith("parts/")}
    assert parts
    assert {"parts/", "bundle/", "mlartifacts"} <= named
    assert [name for name in written - parts if not any(fnmatch.fnmatch(name, one) for one in named)] == []


def test_the_labels_are_described():
    for column in schema_of("labels").names:
        assert column in FILES


def test_every_release_is_named():
    text = (ROOT / "docs" / "datasets.md").read_text(encoding="utf-8")
    for name in RELEASES:
        assert f"`{name}`" in text
