import ast
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import hopilot
import pytest
from hopilot.errors import InputError
from hopilot.files import claim_folder

ROOT = Path(hopilot.__file__).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SKIPPED = {"build", "dist", "node_modules"}
PYTHON_FILES = sorted(
    path
    for path in ROOT.rglob("*.py")
    if not any(part in SKIPPED or part.startswith(".") for part in path.relative_to(ROOT).parts)
)
HEAVY = (
    "torch",
    "sentence_transformers",
    "sklearn",
    "mlflow",
    "pandas",
    "pyarrow",
    "faiss",
    "lightgbm",
    "onnx",
)


def modules_after(code: str) -> set[str]:
    """Return the names of all modules that are loaded once `code` has run in a fresh process."""
    ended = f"{code}\nimport sys; print('\\n'.join(sys.modules))"
    return set(
        subprocess.run([sys.executable, "-c", ended], capture_output=True, text=True, check=True).stdout.split()
    )


def runtime_names(path: Path) -> list[ast.stmt]:
    return ast.parse(path.read_text(encoding="utf-8")).body


@pytest.mark.parametrize("path", PYTHON_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_stay_within_350_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 350


@pytest.mark.parametrize(
    "path",
    [path for path in PYTHON_FILES if path.relative_to(ROOT).parts[0] != "tests"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_functions_stay_short(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    long = {node.name: node.end_lineno - node.lineno + 1 for node in functions}
    assert {name: lines for name, lines in long.items() if lines > 60} == {}


def test_every_package_ships():
    folders = {path.parent.relative_to(ROOT) for path in PYTHON_FILES if path.name == "__init__.py"}
    names = {".".join(("hopilot", *folder.parts)) for folder in folders if folder.parts[:1] != ("tests",)}
    assert names == set(PROJECT["tool"]["setuptools"]["packages"])


def test_tests_are_no_package():
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_test_files_have_unique_names():
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert len(names) == len(set(names))


def test_one_version_everywhere():
    version = PROJECT["project"]["version"]
    assert hopilot.__version__ == metadata.version("hopilot") == version
    released = re.findall(
        r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert not released or released[0] == version


def test_constraints_pin_every_dependency_to_one_version():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [line for line in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    pinned = {re.sub(r"[-_.]+", "-", line.partition("==")[0]).lower() for line in pins}
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = PROJECT["project"]["dependencies"] + extras["dev"]
    names = {re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", line)[0]).lower() for line in wanted}
    assert names <= pinned


def test_the_licence_is_the_one_declared():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert PROJECT["project"]["license"] == "Apache-2.0"
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text


@pytest.mark.parametrize("name", hopilot.__all__)
def test_every_public_name_loads(name):
    assert getattr(hopilot, name) is not None


def test_public_names_are_declared_for_type_checkers_too():
    block = next(node for node in runtime_names(ROOT / "__init__.py") if isinstance(node, ast.If))
    declared = {f"{node.module}:{alias.name}" for node in block.body for alias in node.names}
    assert declared == {f"{home}:{name}" for name, home in hopilot._HOME_OF.items()}
    assert set(hopilot._HOME_OF) | {"__version__"} == set(hopilot.__all__)


def test_unknown_public_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = hopilot.nonsense


def test_importing_the_package_loads_nothing_else():
    loaded = modules_after("import hopilot")
    assert [name for name in loaded if name.startswith("hopilot.")] == []


@pytest.mark.parametrize("code", ["import hopilot.cli", "import hopilot.doctor", "import hopilot.opening"])
def test_the_front_door_loads_no_heavy_library(code):
    loaded = {name.partition(".")[0] for name in modules_after(code)}
    assert sorted(loaded & set(HEAVY)) == []
    assert "typer" in loaded or "cli" not in code


def test_overwriting_spares_what_hopilot_did_not_write(tmp_path):
    (tmp_path / "diary.txt").write_text("mine")
    with pytest.raises(InputError, match="did not write"):
        claim_folder(tmp_path, overwrite=True)
    (tmp_path / "manifest.json").write_text("{}")  # a common name: it does not make the diary ours
    with pytest.raises(InputError, match="did not write"):
        claim_folder(tmp_path, overwrite=True)
    assert (tmp_path / "diary.txt").read_text() == "mine"
    (tmp_path / "diary.txt").unlink()
    assert list(claim_folder(tmp_path, overwrite=True).iterdir()) == []
