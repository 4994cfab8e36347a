"""What is in a dataset: counts that one wants to see before trusting it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from .question import Dataset

__all__ = ["QUANTILES", "DatasetStatistics", "render", "stats"]

Key = TypeVar("Key", str, int)

QUANTILES: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 0.95, 1.0)
"""Quantiles at which passage lengths are given."""


@dataclass(frozen=True)
class DatasetStatistics:
    """Counts over a dataset; every mapping is sorted by its key."""

    name: str
    source: str
    questions: int
    labelled: int
    """Questions with a gold answer and gold support."""
    kinds: Mapping[str, int]
    """Questions by the dataset's type."""
    hops: Mapping[int, int]
    """Questions by number of hops; 0 where unknown."""
    support: Mapping[int, int]
    """Questions by number of gold passages, also those missing from the source."""
    missing_support: int
    """Gold passages that the source names but does not contain."""
    passages: int
    """Distinct passages: the size of the corpus."""
    repeated_paragraphs: int
    """Paragraphs that are identical to one of an earlier question."""
    titles_with_several_texts: int
    """Titles that do not identify a passage."""
    passage_words: Mapping[float, int]
    """Words per distinct passage at each of `QUANTILES` (nearest rank)."""
    flaws: tuple[str, ...]


def stats(dataset: Dataset) -> DatasetStatistics:
    """Count what is in a dataset."""
    questions, corpus = dataset.questions, dataset.corpus()
    lengths = sorted(len(passage.text.split()) for passage in corpus)
    return DatasetStatistics(
        name=dataset.name,
        source=dataset.source,
        questions=len(questions),
        labelled=sum(question.labelled for question in questions),
        kinds=_sorted_counts(question.kind for question in questions),
        hops=_sorted_counts(question.hops for question in questions),
        support=_sorted_counts(question.gold_count for question in questions),
        missing_support=sum(question.missing_support for question in questions),
        passages=len(corpus),
        repeated_paragraphs=sum(len(question.passages) for question in questions) - len(corpus),
        titles_with_several_texts=sum(len(rows) > 1 for rows in corpus.titled.values()),
        passage_words={at: _quantile(lengths, at) for at in QUANTILES},
        flaws=dataset.flaws,
    )


def render(statistics: DatasetStatistics, width: int = 100) -> str:
    """Return the statistics as a table in plain text, `width` characters wide at the most."""
    from io import StringIO

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False, box=None)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for label, value in _rows(statistics):
        # As Text, since names and ids from a file may look like markup.
        table.add_row(Text(label), Text(value))
    console = Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n"


def _rows(statistics: DatasetStatistics) -> list[tuple[str, str]]:
    words = ", ".join(f"{at:.0%}: {words}" for at, words in statistics.passage_words.items())
    rows = [
        ("dataset", statistics.name),
        ("source", statistics.source),
        ("questions", f"{statistics.questions:,} ({statistics.labelled:,} labelled)"),
        ("by kind", _listed(statistics.kinds)),
        ("by hops", _listed(statistics.hops)),
        ("by gold passages", _listed(statistics.support)),
        ("gold passages missing", f"{statistics.missing_support:,}"),
        ("distinct passages", f"{statistics.passages:,}"),
        ("repeated paragraphs", f"{statistics.repeated_paragraphs:,}"),
        ("titles with several texts", f"{statistics.titles_with_several_texts:,}"),
        ("words per passage", words),
    ]
    return rows + [("flaw", flaw) for flaw in statistics.flaws or ("none found",)]


def _listed(counts: Mapping[str, int] | Mapping[int, int]) -> str:
    return ", ".join(f"{key or '(unknown)'}: {count:,}" for key, count in counts.items())


def _sorted_counts(values: Iterable[Key]) -> dict[Key, int]:
    return dict(sorted(Counter(values).items()))


def _quantile(ordered: Sequence[int], at: float) -> int:
    return ordered[round(at * (len(ordered) - 1))] if ordered else 0
