import io
import math
from dataclasses import replace

import numpy as np
import pytest
from hopilot.errors import InputError
from hopilot.eval.metrics import METRIC_NAMES
from hopilot.eval.results import Results, Row, read_rows, summarise, write_rows
from hopilot.eval.statistics import Resampling
from hopilot.eval.table import gap_closed, markdown, terminal
from rich.console import Console

RECALLS = {
    "fixed_k": (0.5, 0.5, 0.5, 0.5),
    "uniform_valid": (0.5, 0.5, 0.5, 1),
    "mine": (1, 1, 1, 0.5),
    "oracle": (1, 1, 1, 1),
}


def row(name: str, place: int, recall: float, **other) -> Row:
    values = dict.fromkeys(METRIC_NAMES, 1.0) | {"support_recall": recall}
    given = {"failure": "", "kind": "bridge", **other}
    return Row(
        f"q{place}",
        given["kind"],
        2,
        name,
        values,
        "stop_answer",
        "yes",
        ("p1", "p2"),
        ("retrieve_more",),
        given["failure"],
    )


@pytest.fixture
def results() -> Results:
    rows = {name: [row(name, place, it) for place, it in enumerate(them)] for name, them in RECALLS.items()}
    found = summarise(rows, "fixed_k", Resampling(4, 100), frozenset({"oracle"}))
    return Results("musique", 4, "fixed_k", found, {"seed": 13}, {"dataset": "d"}, ("A note.",))


def test_rows_survive_the_way_to_disk_and_back(tmp_path):
    rows = [row("a", 0, 1 / 3), row("a", 1, math.nan, failure="E: x", kind=""), row("b", 0, 1.0)]
    write_rows(tmp_path / "rows.parquet", rows)
    back = read_rows(tmp_path / "rows.parquet")
    assert back[0] == rows[0]
    assert back[2] == rows[2]
    assert math.isnan(back[1].values["support_recall"])
    assert back[1].failure == "E: x"
    write_rows(tmp_path / "again.parquet", rows)
    assert (tmp_path / "again.parquet").read_bytes() == (tmp_path / "rows.parquet").read_bytes()


def test_a_file_of_no_rows_keeps_the_schema(tmp_path):
    write_rows(tmp_path / "rows.parquet", [])
    assert read_rows(tmp_path / "rows.parquet") == []


def test_a_damaged_file_of_rows_is_named(tmp_path):
    (tmp_path / "rows.parquet").write_bytes(b"PAR1 cut short")
    with pytest.raises(InputError, match=r"rows\.parquet"):
        read_rows(tmp_path / "rows.parquet")


def test_means_and_differences_are_those_of_the_rows(results):
    mine = results.controllers["mine"]
    assert mine.metrics["support_recall"].mean == np.mean(RECALLS["mine"])
    assert mine.versus_base["support_recall"].difference == pytest.approx(0.375)
    assert results.controllers["fixed_k"].versus_base["support_recall"].p == 1
    assert results.controllers["oracle"].uses_gold


def test_results_survive_the_way_to_disk_and_back(results, tmp_path):
    results.write(tmp_path / "results.json")
    back = Results.load(tmp_path / "results.json")
    assert list(back.controllers) == list(RECALLS)
    back.write(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "results.json").read_bytes()
    assert back.controllers["mine"].metrics["support_recall"].mean == 0.875


def test_an_undefined_mean_is_null_and_reads_back(results, tmp_path):
    rows = {"fixed_k": [row("fixed_k", 0, math.nan)]}
    undefined = replace(results, controllers=summarise(rows, "fixed_k", Resampling(1, 10), frozenset()))
    undefined.write(tmp_path / "results.json")
    text = (tmp_path / "results.json").read_text()
    assert "NaN" not in text
    assert '"mean": null' in text
    assert math.isnan(
        Results.load(tmp_path / "results.json").controllers["fixed_k"].metrics["support_recall"].mean
    )


def test_a_file_that_is_no_results_is_refused(tmp_path):
    (tmp_path / "results.json").write_text('{"dataset": "x"}')
    with pytest.raises(InputError, match=r"results\.json"):
        Results.load(tmp_path / "results.json")


def test_the_gap_is_closed_between_chance_and_gold(results):
    assert gap_closed(results, "uniform_valid") == 0
    assert gap_closed(results, "oracle") == 1
    assert gap_closed(results, "mine") == pytest.approx((0.875 - 0.625) / (1 - 0.625))
    assert gap_closed(results, "fixed_k") == pytest.approx((0.5 - 0.625) / (1 - 0.625))
    alone = replace(results, controllers={"fixed_k": results.controllers["fixed_k"]})
    assert math.isnan(gap_closed(alone, "fixed_k"))


def test_the_markdown_table_has_a_line_per_controller_and_marks_base_and_gold(results):
    lines = markdown(results).splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + len(RECALLS)
    assert len({line.count("|") for line in table}) == 1
    assert any("fixed_k (base)" in line for line in table)
    assert any("oracle (uses gold)" in line and "100%" in line for line in table)
    assert any("mine" in line and "67%" in line and "0.875" in line for line in table)
    assert "- A note." in lines


def test_the_gap_column_needs_both_ends(results):
    kept = {name: it for name, it in results.controllers.items() if name != "oracle"}
    assert "gap closed" in markdown(results)
    assert "gap closed" not in markdown(replace(results, controllers=kept))


def test_failures_are_shown_beside_the_name(results):
    rows = {"fixed_k": [row("fixed_k", place, 0, failure="E: x" if place else "") for place in range(4)]}
    failed = replace(results, controllers=summarise(rows, "fixed_k", Resampling(4, 10), frozenset()))
    assert "fixed_k (base, 3 failed)" in markdown(failed)


def test_the_terminal_table_shows_every_controller(results):
    stream = io.StringIO()
    Console(file=stream, width=160).print(terminal(results))
    text = stream.getvalue()
    assert all(name in text for name in RECALLS)
    assert "musique, 4 questions" in text
    assert "A note." in text


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_the_terminal_table_leaves_columns_out_rather_than_cutting_numbers(results, width):
    stream = io.StringIO()
    Console(file=stream, width=width).print(terminal(results, width))
    text = stream.getvalue()
    assert "…" not in text
    assert all(name in text for name in RECALLS)
    assert "0.875" in text
    assert ("Left out" in text) == (width <= 100)
    assert max(map(len, text.splitlines())) <= width
