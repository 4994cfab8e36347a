"""The documentation says what is there."""

import json
import re
from pathlib import Path

import pytest
import typer
from hopilot.cli import app
from hopilot.eval.controllers.registry import CONTROLLERS
from hopilot.features.__main__ import page
from hopilot.questions.loading import load_dataset
from hopilot.settings import known_keys
from hopilot.training.learners import LEARNERS
from hopilot.training.targets import TARGETS

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"]


def verbs(command=None, prefix=""):
    command = command or typer.main.get_command(app)
    for name, found in command.commands.items():
        if hasattr(found, "commands"):
            yield from verbs(found, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", found


def test_the_feature_page_is_the_registry():
    assert (ROOT / "docs" / "features.md").read_text(encoding="utf-8") == page()


def test_the_command_line_page_names_every_verb_option_and_setting():
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    for name, command in verbs():
        assert f"hopilot {name}" in text
        for option in command.params:
            if option.param_type_name == "option":
                assert option.opts[0] in text, (name, option.opts[0])
    for key in known_keys():
        assert f"`{key}`" in text


@pytest.mark.parametrize("page_path", PAGES, ids=lambda path: path.name)
def test_commands_shown_name_verbs_and_options_that_exist(page_path):
    known = dict(verbs())
    text = page_path.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in re.findall(r"^(?:\.venv/bin/)?hopilot ([a-z].*)$", text, re.MULTILINE):
        words = line.split("#")[0].split()
        name = " ".join(words[:2]) if words[0] == "data" else words[0]
        assert name in known, line
        options = {opt for param in known[name].params for opt in param.opts}
        assert {word for word in words if word.startswith("--")} <= options, line


@pytest.mark.parametrize("page_path", PAGES, ids=lambda path: path.name)
def test_links_resolve(page_path):
    for target in re.findall(r"\]\(([^)#]+)", page_path.read_text(encoding="utf-8")):
        assert target.startswith("http") or (page_path.parent / target).exists(), target


@pytest.mark.parametrize("page_path", PAGES, ids=lambda path: path.name)
def test_python_examples_run_up_to_the_files_that_they_need(page_path):
    """Examples that open the reader's own files are compiled; the others are run."""
    for code in re.findall(r"```python\n(.*?)```", page_path.read_text(encoding="utf-8"), re.DOTALL):
        compiled = compile(code, page_path.name, "exec")
        if "Path(" not in code and "declare" not in code and "@feature" not in code:
            exec(compiled, {})


def test_the_readme_shows_a_question_that_loads(tmp_path):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"```json\n(.*?)```", text, re.DOTALL)[1]
    file = tmp_path / "own.jsonl"
    file.write_text(json.dumps(json.loads(shown)) + "\n", encoding="utf-8")
    question = load_dataset(file).questions[0]
    assert len(question.support) == 2
    assert question.answers == ("Mira Tolland",)


def test_the_readme_names_what_is_in_the_box():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in (*CONTROLLERS, *LEARNERS, *TARGETS):
        assert f"`{name}`" in text
