import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hopilot.errors import InputError
from hopilot.evidence.passages import Passage
from hopilot.files import read_json, write_json
from hopilot.trajectories.exploring import ExploreSettings, explore
from hopilot.trajectories.run import TrajectoryRun
from hopilot.trajectories.schema import TABLES, schema_of
from tiny_world import TINY_LIMITS, open_world, tiny_dataset

SETTINGS = ExploreSettings(shard_questions=3)
TESTS = Path(__file__).parent.parent


def files(folder):
    """Return the bytes of all files of a run but the one that holds on this machine alone."""
    found = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    found.pop(Path("local.json"), None)
    return {str(path): data for path, data in sorted(found.items())}


@pytest.fixture
def made(tmp_path):
    """Return a function that explores the tiny world into a folder."""

    def make(name="run", settings=SETTINGS, dataset=None, limits=TINY_LIMITS, overwrite=False):
        opening = partial(open_world, tmp_path / "cache", limits, scripted=True)
        dataset = dataset or tiny_dataset()
        return explore(dataset, opening, settings, tmp_path / name, overwrite=overwrite)

    return make


def as_script(out, *options):
    command = [sys.executable, str(TESTS / "tiny_world.py"), str(out), *options]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


# -- what is written --------------------------------------------------------------------------------


def test_a_run_is_a_folder_of_shards(made):
    run = made()
    names = {f"{table}/part-{at:05d}.parquet" for table in TABLES for at in range(3)}
    progress = {f"progress/part-{at:05d}.json" for at in range(3)}
    assert set(files(run.folder)) == {"manifest.json"} | names | progress
    assert [shard["questions"] for shard in run.progress()] == [
        ["q0", "q1", "q2"],
        ["q3", "q4", "q5"],
        ["q6", "q7"],
    ]
    assert run.done() == {0, 1, 2}


@pytest.mark.parametrize("explorer", ["exhaustive", "sampled"])
def test_tables_are_tied_by_question_state_and_action(made, explorer):
    run = made(settings=replace(SETTINGS, explorer=explorer))
    states, transitions, labels = (run.read(table).to_pandas() for table in TABLES)
    key = ["question_id", "state", "action", "candidate"]
    assert transitions[key].equals(labels[key])
    assert not transitions.duplicated(key).any()
    assert not states.duplicated(key[:2]).any()
    assert set(map(tuple, transitions[key[:2]].to_numpy())) == set(map(tuple, states[key[:2]].to_numpy()))
    assert [run.read(table).schema for table in TABLES] == [schema_of(table) for table in TABLES]
    assert sum(shard["transitions"] for shard in run.progress()) == len(transitions)


def test_a_transition_says_what_the_action_did(made):
    run = made()
    states = {(row["question_id"], row["state"]): row for row in run.read("states").to_pylist()}
    for row in run.read("transitions").to_pylist():
        before = states[row["question_id"], row["state"]]
        after = states.get((row["question_id"], row["next_state"]))
        assert (after is None) == (row["next_state"] == -1)
        if row["action"] == "stop_answer":
            assert (row["note"], row["added_rows"], row["retrieval_calls"]) == ("stop_answer", [], 0)
        if after:
            assert after["evidence_rows"] == before["evidence_rows"] + row["added_rows"]
            assert after["history"][-1]["action"] == row["action"]
            assert after["history"][-1]["query"] == row["query"]
            for name in ("retrieval_calls", "model_calls", "prompt_tokens", "completion_tokens"):
                assert after["usage"][name] - before["usage"][name] == row[name]


def test_labels_agree_with_the_gold_of_the_evidence(made):
    run, dataset = made(), tiny_dataset()
    corpus, support = dataset.corpus(), {question.id: set(question.support) for question in dataset.questions}
    states = {(row["question_id"], row["state"]): row for row in run.read("states").to_pylist()}
    added = run.read("transitions").column("added_rows").to_pylist()
    for row, rows in zip(run.read("labels").to_pylist(), added, strict=True):
        held = states[row["question_id"], row["state"]]["evidence_rows"]
        gold = support[row["question_id"]]

        def recall(rows, gold=gold):
            return len(gold & {corpus.passages[at].id for at in rows}) / 2

        assert (row["recall_before"], row["recall_after"]) == (recall(held), recall([*held, *rows]))
        assert row["best_before"] >= row["best_after"] >= row["recall_after"] >= row["recall_before"]
    assert {row["recall_after"] for row in run.read("labels").to_pylist()} == {0.0, 0.5, 1.0}


def test_the_manifest_holds_whatever_changes_the_result(made):
    manifest = made().manifest
    versions = manifest.pop("versions")
    assert "hopilot" in versions
    assert (manifest["explorer"], manifest["seed"], manifest["shards"], manifest["questions"]) == (
        "exhaustive",
        13,
        3,
        8,
    )
    assert (manifest["encoder"], manifest["language_model"]) == ("words", "scripted-1")
    assert manifest["limits"]["max_steps"] == 3
    assert "jobs" not in manifest
    assert "backend" not in manifest


def test_shards_do_not_change_what_is_found(made):
    one, many = (
        made("one", replace(SETTINGS, shard_questions=100)),
        made("many", replace(SETTINGS, shard_questions=1)),
    )
    for table in TABLES:
        assert one.read(table).equals(many.read(table))


# -- resuming ---------------------------------------------------------------------------------------


def test_a_killed_exploration_resumes_to_the_same_bytes(tmp_path):
    straight, killed = tmp_path / "straight", tmp_path / "killed"
    slow = ("--explorer", "sampled", "--shard", "1", "--slow", "0.02")
    first = as_script(killed, *slow)
    until = time.monotonic() + 30
    while not (killed / "progress" / "part-00001.json").is_file():
        assert first.poll() is None
        assert time.monotonic() < until
        time.sleep(0.005)
    first.send_signal(signal.SIGKILL)
    assert first.wait() == -signal.SIGKILL
    finished = {
        at: (killed / "progress" / f"part-{at:05d}.json").stat() for at in sorted(TrajectoryRun(killed).done())
    }
    assert 2 <= len(finished) < 8
    touched = {path: path.stat().st_mtime_ns for at in finished for path in killed.rglob(f"part-{at:05d}.*")}
    with pytest.raises(InputError, match="unfinished"):
        TrajectoryRun.load(killed)
    runs = [as_script(killed, *slow), as_script(straight, *slow)]
    assert [run.wait() for run in runs] == [0, 0]
    assert files(killed) == files(straight)
    assert {path: path.stat().st_mtime_ns for path in touched} == touched


@pytest.mark.parametrize("lost", [*TABLES, "progress"])
def test_a_shard_without_its_progress_file_is_made_again(made, tmp_path, lost):
    whole = files(made("whole").folder)
    run = made("run")
    suffix = "json" if lost == "progress" else "parquet"
    (run.folder / "progress" / "part-00001.json").unlink()
    (run.folder / lost / f"part-00001.{suffix}").unlink(missing_ok=True)
    before = {path: path.stat().st_mtime_ns for path in run.folder.rglob("part-00000.*")}
    assert run.done() == {0, 2}
    assert files(made("run").folder) == whole
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_half_written_files_of_a_killed_call_are_cleared_away(made):
    whole = files(made("whole").folder)
    run = made("run")
    (run.folder / "progress" / "part-00002.json").unlink()
    (run.folder / "labels" / ".part-00002.parquet.x1y2.part").write_bytes(b"half")
    (run.folder / ".manifest.json.x1y2.part").write_bytes(b"half")
    assert files(made("run").folder) == whole


def test_a_finished_run_is_not_touched(made):
    run = made()
    before = {path: path.stat().st_mtime_ns for path in run.folder.rglob("part-*")}
    made()
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert run.local["explored"] == 0


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"settings": replace(SETTINGS, seed=14)}, "seed is 13, asked for 14"),
        ({"settings": replace(SETTINGS, explorer="sampled")}, "explorer is 'exhaustive', asked for 'sampled'"),
        ({"settings": replace(SETTINGS, shard_questions=4)}, "shard_questions is 3, asked for 4"),
        ({"limits": replace(TINY_LIMITS, max_steps=2)}, "limits is "),
        ({"dataset": tiny_dataset(5)}, "questions is 8, asked for 5"),
    ],
)
def test_other_settings_are_refused_by_name(made, changed, named):
    before = files(made().folder)
    with pytest.raises(InputError, match="other settings") as refused:
        made(**changed)
    assert named in str(refused.value)
    assert "--overwrite" in refused.value.remedy
    assert files(Path(refused.value.where)) == before
    made(**changed, overwrite=True)


def test_other_versions_do_not_stand_in_the_way(made):
    run = made()
    write_json(run.folder / "manifest.json", {**run.manifest, "versions": {"hopilot": "0.0.1"}})
    assert made().manifest["versions"] == {"hopilot": "0.0.1"}


def test_a_folder_with_something_else_is_refused(made, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="not empty"):
        made()
    assert (tmp_path / "run" / "notes.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("missing", ["manifest", "shard"])
def test_only_whole_runs_are_loaded(made, missing):
    run = made()
    path = run.folder / ("manifest.json" if missing == "manifest" else "progress/part-00002.json")
    path.unlink()
    with pytest.raises(InputError, match="missing") as refused:
        TrajectoryRun.load(run.folder)
    assert "explore" in refused.value.remedy


# -- several workers --------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_two_jobs_write_what_one_does(made, backend):
    one, two = made("one"), made("two", replace(SETTINGS, jobs=2, backend=backend))
    assert files(one.folder) == files(two.folder)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_workers_do_not_keep_the_world_of_an_earlier_call(made, backend):
    """A worker outlives a call: the next one may bring other limits for the same folder."""
    jobs, fewer = replace(SETTINGS, jobs=2, backend=backend), replace(TINY_LIMITS, max_steps=2)
    made("run", jobs)
    again = made("run", jobs, limits=fewer, overwrite=True)
    assert files(again.folder) == files(made("straight", limits=fewer).folder)


# -- what is refused --------------------------------------------------------------------------------


def test_unlabelled_questions_are_refused(made, tmp_path):
    dataset = tiny_dataset()
    bare = replace(dataset, questions=(*dataset.questions[:-1], replace(dataset.questions[-1], support=())))
    with pytest.raises(InputError, match="exploring needs gold"):
        made(dataset=bare)
    assert not (tmp_path / "run").exists()


def test_an_unknown_explorer_is_refused(made, tmp_path):
    with pytest.raises(InputError, match="unknown explorer 'random'") as refused:
        made(settings=replace(SETTINGS, explorer="random"))
    assert refused.value.expected == "exhaustive, sampled"
    assert not (tmp_path / "run").exists()


def test_an_index_of_other_passages_is_refused(made, tmp_path):
    dataset = tiny_dataset(1)
    gold = Passage.of("Elsewhere", "Not in the index.")
    question = replace(dataset.questions[0], id="lost", support=(gold.id,))
    with pytest.raises(InputError, match=r"no supporting passage of 1 questions \(first: lost\)"):
        made(dataset=replace(dataset, questions=(question,)))
    assert not (tmp_path / "run").exists()


def test_shards_of_no_question_are_refused(made):
    with pytest.raises(InputError, match="shards of 0"):
        made(settings=replace(SETTINGS, shard_questions=0))


def test_a_failure_in_a_shard_leaves_the_finished_ones(made, tmp_path, monkeypatch):
    whole = files(made("whole").folder)
    written = TrajectoryRun.write_shard

    def full(self, number, rows, progress):
        if number == 1:
            raise OSError("no space left on device")
        written(self, number, rows, progress)

    monkeypatch.setattr(TrajectoryRun, "write_shard", full)
    with pytest.raises(OSError, match="no space"):
        made()
    assert TrajectoryRun(tmp_path / "run").done() == {0}
    monkeypatch.undo()
    assert files(made().folder) == whole


def test_a_run_can_be_moved(made, tmp_path):
    run = made()
    shutil.move(run.folder, tmp_path / "moved")
    assert TrajectoryRun.load(tmp_path / "moved").read("labels").num_rows == sum(
        shard["transitions"] for shard in TrajectoryRun(tmp_path / "moved").progress()
    )
    assert read_json(tmp_path / "moved" / "local.json")["index"] == ""  # this index was never saved
