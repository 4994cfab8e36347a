"""The comparison at a glance, in the terminal and as GitHub markdown."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from .results import Results

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["gap_closed", "markdown", "show", "terminal"]

_PIPED_WIDTH = 160  # characters of a table that goes to a file or another program
_LOWER, _UPPER = "uniform_valid", "oracle"


@dataclass(frozen=True, slots=True)
class _Column:
    """One declared column: its heading and what stands in it for a controller."""

    heading: str
    cell: Callable[[Results, str], str]
    brief: Callable[[Results, str], str] | None = None
    """The cell where room is short; `cell` by default."""


def gap_closed(results: Results, controller: str) -> float:
    """Return the share of the gap in support recall from uniform_valid to oracle that is closed.

    0 is choosing at random among valid actions, 1 is knowing the gold; NaN unless both were compared and
    differ.
    """
    if not {_LOWER, _UPPER} <= set(results.controllers):
        return math.nan
    low, high, mine = (
        results.controllers[name].metrics["support_recall"].mean for name in (_LOWER, _UPPER, controller)
    )
    return (mine - low) / (high - low) if high != low else math.nan


def _share(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else "–"


def _name(results: Results, name: str) -> str:
    result = results.controllers[name]
    marks = [
        *(["base"] if name == results.base else []),
        *(["uses gold"] if result.uses_gold else []),
        *([f"{result.failures} failed"] if result.failures else []),
    ]
    return f"{name} ({', '.join(marks)})" if marks else name


def _star(results: Results, name: str) -> str:
    versus = results.controllers[name].versus_base["support_recall"]
    return "*" if name != results.base and math.isfinite(versus.p) and versus.p < 0.05 else ""


def _support(results: Results, name: str) -> str:
    it = results.controllers[name].metrics["support_recall"]
    return f"{_share(it.mean)} [{_share(it.low)}, {_share(it.high)}]{_star(results, name)}"


def _support_briefly(results: Results, name: str) -> str:
    it = results.controllers[name].metrics["support_recall"]
    return f"{_share(it.mean)} ±{_share((it.high - it.low) / 2)}{_star(results, name)}"


def _mean(metric: str, digits: int) -> Callable[[Results, str], str]:
    def cell(results: Results, name: str) -> str:
        value = results.controllers[name].metrics[metric].mean
        return f"{value:.{digits}f}" if math.isfinite(value) else "–"

    return cell


def _gap(results: Results, name: str) -> str:
    share = gap_closed(results, name)
    return f"{share:.0%}" if math.isfinite(share) else "–"


_COLUMNS: tuple[_Column, ...] = (
    _Column("controller", _name),
    _Column("support recall", _support, _support_briefly),
    _Column("full", _mean("full_support", 3)),
    _Column("EM", _mean("answer_em", 3)),
    _Column("F1", _mean("answer_f1", 3)),
    _Column("evidence F1", _mean("evidence_f1", 3)),
    _Column("passages", _mean("passages", 1)),
    _Column("calls", _mean("retrieval_calls", 2)),
    _Column("tokens", _mean("tokens", 0)),
    _Column("steps", _mean("steps", 2)),
)
_GAP = _Column("gap closed", _gap)
_EXPENDABLE = ("steps", "full", "passages", "evidence F1", "EM", "tokens")
"""Columns that a narrow terminal does without, the first to go first."""


def _columns(results: Results) -> tuple[_Column, ...]:
    return (*_COLUMNS, _GAP) if {_LOWER, _UPPER} <= set(results.controllers) else _COLUMNS


def _title(results: Results) -> str:
    return f"{results.dataset}, {results.questions:,} questions"


def _legend(results: Results) -> list[str]:
    lines = ["Intervals: 95 %, bootstrap. A star: differs from the base, p < .05 (paired sign flips)."]
    if _GAP in _columns(results):
        lines.append("gap closed: share of the way in support recall from uniform_valid to oracle.")
    return [*lines, *results.notes]


def terminal(results: Results, width: int | None = None) -> Table:
    """Return the comparison as a rich table that fits `width` characters, by default the terminal's.

    Where it would not fit, the interval is written briefly, and then columns are left out and named below.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    lines, left_out = _fitted(results, width or get_terminal_size().columns)
    legend = _legend(results)
    if left_out:
        legend.append(f"Left out here for want of room: {', '.join(left_out)}.")
    table = Table(
        title=_title(results),
        title_justify="left",
        caption=Text("\n".join(legend)),
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    for heading in lines[0]:
        first = heading == "controller"
        table.add_column(heading, justify="left" if first else "right", no_wrap=first)
    for (name, result), cells in zip(results.controllers.items(), lines[1:], strict=True):
        style = "dim" if result.uses_gold else "bold" if name == results.base else ""
        table.add_row(*map(Text, cells), style=style)
    return table


def show(results: Results) -> None:
    """Print the comparison, as wide as the terminal, or at a fixed width where the output goes elsewhere."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    Console(width=width).print(terminal(results, width))


def _fitted(results: Results, width: int) -> tuple[list[list[str]], list[str]]:
    """Return headings and cells that fit `width`, and the headings of the columns left out."""
    columns, left_out = list(_columns(results)), list[str]()
    lines = _lines(results, columns, brief=False)
    if _width(lines) > width:
        lines = _lines(results, columns, brief=True)
    for heading in _EXPENDABLE:
        if _width(lines) <= width:
            break
        columns = [column for column in columns if column.heading != heading]
        left_out.append(heading)
        lines = _lines(results, columns, brief=True)
    return lines, left_out


def _lines(results: Results, columns: Sequence[_Column], *, brief: bool) -> list[list[str]]:
    cells = [(column.brief if brief else None) or column.cell for column in columns]
    return [
        [c.heading for c in columns],
        *([cell(results, name) for cell in cells] for name in results.controllers),
    ]


def _width(lines: Sequence[Sequence[str]]) -> int:
    """Return the characters that a table needs when only its headings may be wrapped."""
    headings, *rows = lines
    words = [max(map(len, heading.split())) for heading in headings]
    return sum(max(word, *map(len, cells)) + 2 for word, *cells in zip(words, *rows, strict=True))


def markdown(results: Results) -> str:
    """Return the comparison as a GitHub markdown table under a line of title, with its legend below."""
    headings, *rows = _lines(results, _columns(results), brief=False)
    rules = ["---" if heading == "controller" else "--:" for heading in headings]
    table = "\n".join(f"| {' | '.join(line)} |" for line in [headings, rules, *rows])
    legend = "\n".join(f"- {line}" for line in _legend(results))
    return f"**{_title(results)}**\n\n{table}\n\n{legend}\n"
