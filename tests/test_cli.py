import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import pytest
import typer
from hopilot import cli, cli_data, cli_options
from hopilot.errors import InputError, RunError
from hopilot.settings import Settings

VERBS = ("quickstart", "data", "index", "explore", "train", "compare", "export", "ask", "doctor")


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")


def run(*arguments: str, capsys) -> tuple[int, str, str]:
    """Run the command line in this process; return exit code, stdout and stderr."""
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    out, err = capsys.readouterr()
    return ended.value.code or 0, out, err


def spawn(code: str, **options) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


@pytest.fixture
def verb_that(monkeypatch):
    """Return a maker of a one-verb command line whose body is the given function."""

    def make(body, flags=None):
        app = typer.Typer(pretty_exceptions_enable=False)
        app.callback()(lambda: None)
        cli_options.verb(app, flags)(body)
        monkeypatch.setattr(cli, "app", app)

    return make


def fails_with(error):
    def work(settings: Settings) -> None:
        raise error

    return work


def test_help_lists_every_verb(capsys):
    code, out, err = run("--help", capsys=capsys)
    assert (code, err) == (0, "")
    assert [verb for verb in VERBS if f" {verb} " not in out] == []


def test_help_is_quick_and_loads_no_heavy_library():
    code = (
        "import sys, time; start = time.perf_counter()\n"
        "from hopilot.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print('SECONDS', time.process_time())\n"
        "print('LOADED', sorted({n.partition('.')[0] for n in sys.modules}"
        " & {'torch', 'sentence_transformers', 'sklearn', 'mlflow', 'pandas', 'pyarrow', 'faiss', 'numpy'}))"
    )
    out, _ = spawn(code).communicate(timeout=60)
    seconds = float(out.partition("SECONDS ")[2].split()[0])
    assert seconds < 1
    assert "LOADED []" in out


@pytest.mark.parametrize("verb", [*VERBS[:1], *VERBS[2:], "data stats", "data download", "data convert"])
def test_every_verb_takes_the_shared_options(verb, capsys):
    code, out, _ = run(*verb.split(), "--help", capsys=capsys)
    assert code == 0
    assert [option for option in ("--config", "--set", "--quiet", "--debug") if option not in out] == []


@pytest.mark.parametrize("verb", ["quickstart", "data download", "data convert", *VERBS[2:7]])
def test_every_verb_that_writes_takes_out_and_overwrite(verb, capsys):
    _, out, _ = run(*verb.split(), "--help", capsys=capsys)
    assert "--out" in out
    assert "--overwrite" in out


def test_flags_show_the_doc_and_default_of_their_setting(capsys):
    _, out, _ = run("train", "--help", capsys=capsys)
    assert "Trees of a forest, or boosting rounds at the most. (default: 300)" in out
    assert "forest|lightgbm" in out


def test_version_is_shown(capsys):
    code, out, _ = run("--version", capsys=capsys)
    assert code == 0
    assert out.startswith("hopilot ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("doctor", "--nonsense"),
        ("explore",),
        ("doctor", "--set", "training.tres=5"),
        ("doctor", "--set", "nonsense"),
        ("doctor", "--config", "/nowhere.yaml"),
        ("data", "stats", "/nowhere.json"),
        ("index", "/nowhere.json", "--out", "{tmp}/index"),
        ("explore", "--dataset", "/nowhere", "--index", "/nowhere", "--out", "{tmp}/run", "--jobs", "many"),
        ("explore", "--dataset", "/nowhere", "--index", "/nowhere", "--out", "{tmp}/run"),
        ("train", "--trajectories", "/nowhere", "--out", "{tmp}/model"),
        ("train", "--trajectories", "/nowhere", "/nowhere/two", "--out", "{tmp}/model"),
        (
            "compare",
            "--dataset",
            "/nowhere",
            "--index",
            "/nowhere",
            "--controllers",
            "rule",
            "--out",
            "{tmp}/c",
        ),
        (
            "compare",
            "--dataset",
            "/n",
            "--index",
            "/n",
            "--controllers",
            "x",
            "--bundle",
            "x",
            "--out",
            "{tmp}/c",
        ),
        ("export", "--run", "/nowhere", "--out", "{tmp}/bundle"),
        ("ask", "Who?", "--bundle", "/nowhere", "--index", "/nowhere"),
        ("ask", " ", "--bundle", "/nowhere", "--index", "/nowhere"),
    ],
    ids=lambda arguments: " ".join(arguments)[:60],
)
def test_wrong_input_ends_with_code_2_and_one_message(arguments, capsys, tmp_path):
    code, out, err = run(*(text.format(tmp=tmp_path) for text in arguments), capsys=capsys)
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    assert err.lower().count("error") == 1
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_the_message_names_file_expectation_and_remedy(verb_that, capsys):
    verb_that(fails_with(InputError("broken", where="a.json:3", expected="JSON", remedy="mend it")))
    code, _, err = run("work", capsys=capsys)
    assert code == 2
    assert err == "error: a.json:3: broken\nexpected: JSON\nwhat to do: mend it\n"


def test_a_failed_run_ends_with_code_1(verb_that, capsys):
    verb_that(fails_with(RunError("the disk is full")))
    assert run("work", capsys=capsys) == (1, "", "error: the disk is full\n")


def test_the_unexpected_is_one_line_that_names_its_type(verb_that, capsys):
    verb_that(fails_with(KeyError("x")))
    code, _, err = run("work", capsys=capsys)
    assert code == 1
    assert err == "error: KeyError: 'x' (run again with --debug to see where)\n"


@pytest.mark.parametrize(
    ("error", "code"), [(InputError("wrong"), 2), (RunError("failed"), 1), (KeyError("x"), 1)]
)
def test_debug_shows_the_traceback_and_keeps_the_code(verb_that, capsys, error, code):
    verb_that(fails_with(error))
    found, _, err = run("work", "--debug", capsys=capsys)
    assert found == code
    assert err.startswith("Traceback")
    assert err.splitlines()[-1].startswith("error: ")


def test_text_in_brackets_reaches_the_message_unchanged(verb_that, capsys):
    verb_that(fails_with(InputError("[bold]odd[/bold] [/name]")))
    assert run("work", capsys=capsys)[2] == "error: [bold]odd[/bold] [/name]\n"


def test_flags_override_sets_which_override_the_file(verb_that, capsys, tmp_path):
    seen: list[Settings] = []

    def work(settings: Settings) -> None:
        seen.append(settings)

    verb_that(work, {"--trees": "training.trees"})
    (tmp_path / "s.yaml").write_text("training: {trees: 1, seed: 1}\nworld: {max_steps: 1}\n", encoding="utf-8")
    sets = ("--set", "training.trees=2", "--set", "training.seed=2")
    assert run("work", "--config", str(tmp_path / "s.yaml"), *sets, "--trees", "3", capsys=capsys)[0] == 0
    assert (seen[0].training.trees, seen[0].training.seed, seen[0].world.max_steps) == (3, 2, 1)


def test_a_verb_keeps_its_own_options(verb_that, capsys):
    def work(settings: Settings, *, name: Annotated[str, typer.Argument()], many: int = 1) -> None:
        """Do work."""
        print(name * many)

    verb_that(work, {"--trees": "training.trees"})
    assert run("work", "ab", "--many", "2", capsys=capsys) == (0, "abab\n", "")


def test_a_wrong_flag_names_its_setting(verb_that, capsys):
    verb_that(fails_with(RunError("unreached")), {"--trees": "training.trees"})
    code, _, err = run("work", "--trees", "many", capsys=capsys)
    assert (code, err) == (
        2,
        "error: training.trees: 'many' is not a value of this setting\nexpected: a whole number\n",
    )


def test_quiet_silences_notes_but_not_results(verb_that, capsys):
    def work(settings: Settings) -> None:
        cli.note("done")
        print("result")

    verb_that(work)
    assert run("work", capsys=capsys) == (0, "result\n", "done\n")
    assert run("work", "--quiet", capsys=capsys) == (0, "result\n", "")


WAITING = """
import signal, time, typer
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are born deaf to it
from hopilot import cli, cli_data, cli_options
from hopilot.settings import Settings
app = typer.Typer()
app.callback()(lambda: None)
def work(settings: Settings) -> None:
    {body}
cli_options.verb(app)(work)
cli.app = app
cli.main(["work"])
"""


def test_an_interrupt_ends_with_code_130():
    process = spawn(WAITING.format(body="print('ready', flush=True); time.sleep(30)"))
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, "interrupted\n")


def test_a_reader_that_leaves_early_is_no_error():
    process = spawn(WAITING.format(body="print('x\\n' * 10**6)"))
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=20), err) == (141, "")


def test_the_module_is_the_command_line():
    done = subprocess.run(
        [sys.executable, "-m", "hopilot", "--version"], capture_output=True, text=True, check=True, cwd="/"
    )
    assert done.stdout.startswith("hopilot ")


@pytest.fixture
def questions(tmp_path) -> Path:
    """A question file of one question."""
    passages = [
        {"title": "Ann", "text": "Ann was born in Ostby.", "supporting": 1},
        {"title": "Ostby", "text": "A town."},
    ]
    record = {"id": "q1", "question": "Where was Ann born?", "answers": ["Ostby"], "passages": passages}
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


def test_stats_are_printed_and_convert_writes(questions, capsys, tmp_path):
    code, out, err = run("data", "stats", str(questions), capsys=capsys)
    assert (code, err) == (0, "")
    assert "1 (1 labelled)" in out
    code, out, err = run(
        "data", "convert", str(questions), "--out", str(tmp_path / "own.jsonl.gz"), capsys=capsys
    )
    assert (code, out) == (0, "")
    assert "wrote 1 questions" in err
    assert (tmp_path / "own.jsonl.gz").read_bytes()[:2] == b"\x1f\x8b"


def test_an_output_that_exists_is_not_overwritten_unasked(questions, capsys, tmp_path):
    taken = tmp_path / "taken" / "own.jsonl"
    taken.parent.mkdir()
    taken.write_text("precious", encoding="utf-8")
    for arguments in (
        ("data", "convert", str(questions), "--out", str(taken)),
        ("index", str(questions), "--out", str(taken.parent)),
    ):
        code, _, err = run(*arguments, capsys=capsys)
        assert code == 2
        assert "--overwrite" in err
        assert taken.read_text(encoding="utf-8") == "precious"
    assert run("data", "convert", str(questions), "--out", str(taken), "--overwrite", capsys=capsys)[0] == 0
    assert taken.read_text(encoding="utf-8").startswith('{"id": "q1"')


def test_a_data_set_without_direct_address_says_where_it_is(capsys, tmp_path):
    code, _, err = run("data", "download", "musique", "--out", str(tmp_path), capsys=capsys)
    assert code == 2
    assert "what to do: " in err


def test_megabytes_tick_once_each():
    ticks: list[int] = []
    report = cli_data._megabytes(ticks.append)
    for done in (400_000, 1_200_000, 1_900_000, 5_000_000):
        report(done, None)
    assert (sum(ticks), ticks) == (5, [0, 1, 0, 4])
