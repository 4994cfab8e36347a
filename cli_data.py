"""The verbs of `hopilot data`: look at, download and convert question files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from .cli_options import Overwrite, verb
from .progress import note, progress
from .settings import Settings

__all__ = ["data"]

data = typer.Typer(no_args_is_help=True, help="Look at, download and convert question files.")

_Limit = Annotated[int | None, typer.Option("--limit", min=1, metavar="NUMBER", help="First questions only.")]


@verb(data)
def stats(
    settings: Settings,
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    limit: _Limit = None,
) -> None:
    """Count what a question file holds, and name its flaws."""
    from .questions.loading import load_dataset
    from .questions.stats import render
    from .questions.stats import stats as count

    print(render(count(load_dataset(file, limit))), end="")


@verb(data)
def download(
    settings: Settings,
    *,
    name: Annotated[str, typer.Argument(metavar="NAME")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder to write into.")] = Path(),
    overwrite: Overwrite = False,
) -> None:
    """Download a public data set from its official address."""
    from .questions.downloading import download as fetch

    with progress(f"downloading {name}, MB") as tick:
        written = fetch(name, out, _megabytes(tick), overwrite=overwrite)
    note(f"wrote {written}")


@verb(data)
def convert(
    settings: Settings,
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="File to write.")],
    limit: _Limit = None,
    overwrite: Overwrite = False,
) -> None:
    """Write questions of any known shape as Hopilot's own JSONL, gzipped where the name ends in .gz."""
    from .questions.converting import convert as write
    from .questions.loading import load_dataset

    dataset = load_dataset(file, limit)
    write(dataset, out, overwrite=overwrite)
    note(f"wrote {len(dataset.questions)} questions to {out}")


def _megabytes(tick: Callable[[int], None]) -> Callable[[int, int | None], None]:
    """Return a function of the bytes done so far that ticks once for each megabyte more."""
    shown = 0

    def report(done: int, total: int | None) -> None:
        nonlocal shown
        tick(done // 1_000_000 - shown)
        shown = done // 1_000_000

    return report
