import json
from dataclasses import replace

import pyarrow.parquet as pq
import pytest
from hopilot.errors import InputError, RunError
from hopilot.eval import attempting
from hopilot.eval.comparing import compare
from hopilot.eval.controllers.registry import CONTROLLERS
from hopilot.eval.metrics import METRIC_NAMES
from hopilot.eval.results import Results, read_rows
from hopilot.evidence.environment import Environment
from hopilot.evidence.index import EvidenceIndex
from hopilot.evidence.passages import Corpus, Passage
from hopilot.evidence.state import Limits
from hopilot.settings import ComparisonSettings

ALL = tuple(CONTROLLERS)
FAST = ComparisonSettings(bootstrap_samples=100)


@pytest.fixture
def stopped_clock(monkeypatch):
    """Seconds are the one thing that never repeats; without them equal runs give equal bytes."""
    monkeypatch.setattr("time.perf_counter", lambda: 0.0)


def written(out) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def test_a_comparison_writes_what_scripts_rely_on(environment, dataset, tmp_path):
    results = compare(dataset, environment, ALL, {}, FAST, tmp_path / "out")
    stored = json.loads((tmp_path / "out" / "results.json").read_text())
    assert (stored["dataset"], stored["questions"], stored["base"]) == ("hopilot", 8, "fixed_k")
    assert set(stored["controllers"]) == set(ALL)
    for found in stored["controllers"].values():
        assert set(found) == {*METRIC_NAMES, "versus_base"}
        for name in METRIC_NAMES:
            low, high = found[name]["ci"]
            assert low <= found[name]["mean"] <= high
            assert found[name]["n"] == 8
            assert {"difference", "ci", "p"} <= set(found["versus_base"][name])
    assert stored["uses_gold"] == ["oracle"]
    assert set(stored["fingerprints"]) == {"dataset", "index", "settings"}
    assert Results.load(tmp_path / "out" / "results.json").controllers.keys() == results.controllers.keys()


def test_the_table_of_questions_agrees_with_the_summary(environment, dataset, tmp_path):
    results = compare(dataset, environment, ALL, {}, FAST, tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "per_question.parquet").to_pandas()
    assert len(table) == len(ALL) * 8
    for name, found in table.groupby("controller"):
        assert list(found["question_id"]) == [question.id for question in dataset.questions]
        for metric in METRIC_NAMES:
            assert found[metric].mean() == pytest.approx(results.controllers[name].metrics[metric].mean)
    first = read_rows(tmp_path / "out" / "per_question.parquet")[0]
    assert (first.controller, first.kind, first.hops, first.actions) == (
        "fixed_k",
        "bridge",
        2,
        ("retrieve_more",) * 3,
    )
    assert len(first.evidence) == 3


def test_the_same_comparison_gives_the_same_bytes(
    environment, index, model, limits, dataset, tmp_path, stopped_clock
):
    compare(dataset, environment, ALL, {}, FAST, tmp_path / "a", chunk_questions=3)
    compare(dataset, Environment(index, model, limits), ALL, {}, FAST, tmp_path / "b", chunk_questions=3)
    assert written(tmp_path / "a") == written(tmp_path / "b")


def test_chunks_change_nothing_but_the_parts(environment, dataset, tmp_path, stopped_clock):
    for width in (1, 100):
        compare(dataset, environment, ALL, {}, FAST, tmp_path / str(width), chunk_questions=width)
    first, second = (written(tmp_path / str(width))["per_question.parquet"] for width in (1, 100))
    assert first == second


def test_a_killed_comparison_goes_on_where_it_was_and_ends_the_same(
    environment, model, dataset, tmp_path, stopped_clock
):
    compare(dataset, environment, ALL, {}, FAST, tmp_path / "straight", chunk_questions=2)
    model.fails = {dataset.questions[5].text: KeyboardInterrupt()}
    with pytest.raises(KeyboardInterrupt):
        compare(dataset, environment, ALL, {}, FAST, tmp_path / "killed", chunk_questions=2)
    parts = sorted((tmp_path / "killed" / "parts").rglob("*.parquet"))
    assert len(parts) == 2
    assert not (tmp_path / "killed" / "results.json").exists()
    before = [part.stat().st_mtime_ns for part in parts]
    model.fails = {}
    compare(dataset, environment, ALL, {}, FAST, tmp_path / "killed", chunk_questions=2)
    assert [part.stat().st_mtime_ns for part in parts] == before
    assert written(tmp_path / "killed") == written(tmp_path / "straight")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"settings": ComparisonSettings(bootstrap_samples=100, seed=14)}, "seed"),
        ({"settings": ComparisonSettings(bootstrap_samples=100, base="rule")}, "base"),
        ({"controllers": ["rule", "fixed_k", "oracle"]}, "controllers"),
        ({"chunk_questions": 3}, "chunk_questions"),
    ],
)
def test_other_settings_are_refused_by_name_unless_overwriting(environment, dataset, tmp_path, change, named):
    given = {"controllers": ["fixed_k", "rule"], "settings": FAST, "out": tmp_path / "out"}
    compare(dataset, environment, **given)
    before = written(tmp_path / "out")
    with pytest.raises(InputError, match=f"other settings \\({named} differ\\)"):
        compare(dataset, environment, **(given | change))
    assert written(tmp_path / "out") == before
    compare(dataset, environment, **(given | change), overwrite=True)
    assert written(tmp_path / "out") != before


def test_other_questions_and_other_limits_are_refused_by_name(environment, index, model, dataset, tmp_path):
    compare(dataset, environment, ["rule"], {}, FAST, tmp_path / "out")
    with pytest.raises(InputError, match=r"\(dataset differ\)"):
        compare(dataset.head(7), environment, ["rule"], {}, FAST, tmp_path / "out")
    with pytest.raises(InputError, match=r"\(limits differ\)"):
        compare(dataset, Environment(index, model, Limits(max_steps=2)), ["rule"], {}, FAST, tmp_path / "out")


def test_a_folder_that_holds_something_else_is_left_alone(environment, dataset, tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="not empty"):
        compare(dataset, environment, ["rule"], {}, FAST, tmp_path)
    assert written(tmp_path) == {"thesis.txt": b"years of work"}


def test_one_failed_question_is_recorded_and_takes_no_other_with_it(
    environment, model, dataset, tmp_path, monkeypatch, stopped_clock
):
    monkeypatch.setattr("hopilot.eval.comparing.FAILURES_ALLOWED", 0.2)
    whole = compare(dataset, environment, ["fixed_k", "rule"], {}, FAST, tmp_path / "whole")
    model.fails = {dataset.questions[3].text: ValueError("no\nanswer")}
    results = compare(dataset, environment, ["fixed_k", "rule"], {}, FAST, tmp_path / "out")
    rows = read_rows(tmp_path / "out" / "per_question.parquet")
    good = read_rows(tmp_path / "whole" / "per_question.parquet")
    assert [row.failure for row in rows if row.failure] == ["ValueError: no answer"] * 2
    for row, kept in zip(rows, good, strict=True):
        if row.failure:
            assert row.question_id == "q3"
            assert (row.values["support_recall"], row.values["answer_f1"]) == (0, 0)
            assert row.values["retrieval_calls"] == kept.values["retrieval_calls"] > 0
            assert (row.evidence, row.actions, row.stop_reason) == (kept.evidence, kept.actions, "failure")
        else:
            assert row == kept
    found = results.controllers["fixed_k"]
    assert (found.failures, found.metrics["support_recall"].n) == (1, 8)
    lost = good[3].values["support_recall"] / 8
    assert found.metrics["support_recall"].mean == pytest.approx(
        whole.controllers["fixed_k"].metrics["support_recall"].mean - lost
    )


def test_too_many_failures_fail_the_run_after_writing_and_are_asked_again(
    environment, model, dataset, tmp_path, stopped_clock
):
    compare(dataset, environment, ["fixed_k"], {}, FAST, tmp_path / "straight", chunk_questions=2)
    model.fails = {question.text: RuntimeError("endpoint down") for question in dataset.questions[:3]}
    with pytest.raises(
        RunError, match=r"3 of 8 questions failed under fixed_k \(first: q0, RuntimeError: endpoint"
    ):
        compare(dataset, environment, ["fixed_k"], {}, FAST, tmp_path / "out", chunk_questions=2)
    assert json.loads((tmp_path / "out" / "results.json").read_text())["failures"] == {"fixed_k": 3}
    model.fails = {}
    compare(dataset, environment, ["fixed_k"], {}, FAST, tmp_path / "out", chunk_questions=2)
    assert written(tmp_path / "out") == written(tmp_path / "straight")


def test_decisions_do_not_change_with_the_gold(environment, dataset, tmp_path):
    others = dataset.questions[1:] + dataset.questions[:1]
    turned = tuple(
        replace(question, answers=other.answers, support=other.support)
        for question, other in zip(dataset.questions, others, strict=True)
    )
    names = [name for name, controller in CONTROLLERS.items() if not controller.uses_gold]
    compare(dataset, environment, names, {}, FAST, tmp_path / "right")
    compare(replace(dataset, questions=turned), environment, names, {}, FAST, tmp_path / "turned")
    right, wrong = (read_rows(tmp_path / name / "per_question.parquet") for name in ("right", "turned"))
    assert [(row.actions, row.evidence, row.prediction) for row in right] == [
        (row.actions, row.evidence, row.prediction) for row in wrong
    ]
    assert [row.values["support_recall"] for row in right] != [row.values["support_recall"] for row in wrong]


def test_gold_is_shown_to_those_alone_that_declare_its_use(environment, dataset, tmp_path, monkeypatch):
    seen: dict[str, set[frozenset[str]]] = {}

    class Spy(attempting.Attempts):
        def _asked(self, question):
            found = super()._asked(question)
            seen.setdefault(self.controller.name, set()).add(found.support)
            return found

    monkeypatch.setattr("hopilot.eval.comparing.Attempts", Spy)
    compare(dataset, environment, ALL, {}, FAST, tmp_path / "out")
    assert seen.pop("oracle") == {frozenset(question.support) for question in dataset.questions}
    assert set(seen) == set(ALL) - {"oracle"}
    assert all(support == {frozenset()} for support in seen.values())


def test_the_base_is_fixed_k_or_else_the_first(environment, dataset, tmp_path):
    assert compare(dataset, environment, ["rule", "fixed_k"], {}, FAST, tmp_path / "a").base == "fixed_k"
    assert compare(dataset, environment, ["rule", "uniform_valid"], {}, FAST, tmp_path / "b").base == "rule"
    with pytest.raises(InputError, match="'oracle' is not compared"):
        compare(dataset, environment, ["rule"], {}, ComparisonSettings(base="oracle"), tmp_path / "c")


@pytest.mark.parametrize(
    ("names", "message"), [(["fixed"], "no controller is called 'fixed'"), ([], "no controller to run")]
)
def test_wrong_names_leave_nothing_behind(environment, dataset, tmp_path, names, message):
    with pytest.raises(InputError, match=message):
        compare(dataset, environment, names, {}, FAST, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_unlabelled_dataset_is_refused_by_name(environment, dataset, tmp_path):
    bare = replace(dataset, questions=(replace(dataset.questions[0], answers=(), support=()),))
    with pytest.raises(InputError, match="comparing controllers needs gold"):
        compare(bare, environment, ["rule"], {}, FAST, tmp_path / "out")
    with pytest.raises(InputError, match="no questions"):
        compare(replace(dataset, questions=()), environment, ["rule"], {}, FAST, tmp_path / "out")


def test_an_index_of_other_passages_is_refused_and_a_lacking_one_is_noted(
    index, model, limits, dataset, tmp_path
):
    def over(passages) -> Environment:
        built = EvidenceIndex.build(Corpus.of(passages), index.encoder, cache=tmp_path / "vectors")
        return Environment(built, model, limits)

    with pytest.raises(InputError, match=r"no gold passage of any of the 8 questions \(first: q0\)"):
        compare(dataset, over([Passage.of("Else", "Something else.")]), ["rule"], {}, FAST, tmp_path / "a")
    lacking = over([passage for passage in index.corpus if passage.id != dataset.questions[2].support[0]])
    results = compare(dataset, lacking, ["oracle"], {}, FAST, tmp_path / "b")
    assert results.notes == (
        "The index lacks gold passages of 1 of 8 questions (first: q2); they count as not found.",
    )
    rows = read_rows(tmp_path / "b" / "per_question.parquet")
    assert [row.values["full_support"] for row in rows][2] == 0


def test_a_missing_bundle_is_named_before_anything_is_written(environment, dataset, tmp_path):
    with pytest.raises(InputError, match="holds no bundle"):
        compare(dataset, environment, ["rule"], {"mine": tmp_path / "nothing"}, FAST, tmp_path / "out")
    assert not (tmp_path / "out").exists()
