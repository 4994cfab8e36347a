"""The documentation says what is there."""

import json
import re
from pathlib import Path

import pytest
import typer
from hopilot.cli import app
from hopilot.eval.controllers.registry import CONTROLLERS
from hopilot.features.__main__ import page
from hopilot.features.registry import GROUPS, registered
from hopilot.questions.loading import load_dataset
from hopilot.settings import Settings
from hopilot.training.learners import LEARNERS
from hopilot.training.targets import TARGETS

ROOT = Path(__file__).resolve().parents[1]
NUMERALS = {9: "nine", 10: "ten", 11: "eleven", 12: "twelve"}
SHARED = {"--config", "--set", "--quiet", "--debug"}
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"]


def verbs(command=None, prefix=""):
    command = command or typer.main.get_command(app)
    for name, found in command.commands.items():
        if hasattr(found, "commands"):
            yield from verbs(found, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", found


def shown_arguments(command):
    return [one for one in command.params if one.param_type_name == "argument" and not one.hidden]


def test_the_feature_page_is_the_registry():
    assert (ROOT / "docs" / "features.md").read_text(encoding="utf-8") == page()


def test_the_command_line_page_tells_of_every_verb_and_option_what_its_help_tells():
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    told = {block.split("\n", 1)[0]: block for block in text.split("\n## ")}
    for name, command in verbs():
        arguments = [one.metavar for one in shown_arguments(command)]
        block = told[" ".join([f"hopilot {name}", *arguments])]
        assert command.help in block, name
        shown = dict(re.findall(r"^\| `(--\S+)` \| (.+) \|$", block, re.MULTILINE))
        expected = {
            one.opts[0]: one.help + (" Required." if one.required else "")
            for one in command.params
            if one.param_type_name == "option" and one.opts[0] not in SHARED
        }
        assert shown == expected, name


def test_the_command_line_page_lists_every_setting_with_its_default_and_doc():
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| `(\w+\.\w+)` \| (.+?) \| (.+) \|$", text, re.MULTILINE)
    expected = [
        (f"{group}.{name}", "none" if field.default is None else str(field.default), field.description)
        for group, found in Settings.model_fields.items()
        for name, field in type(found.default).model_fields.items()
    ]
    assert shown == expected


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
def test_anchors_resolve(page_path):
    for name, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page_path.read_text(encoding="utf-8")):
        target = page_path.parent / name if name else page_path
        headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        slugs = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert anchor in slugs, f"{name}#{anchor}"


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
    assert f"{len(registered())} in {NUMERALS[len(GROUPS)]} groups" in text
