"""Signs of life on stderr: a bar on a terminal, plain lines elsewhere, nothing when silenced."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["note", "progress", "silence"]

_FIRST_LINE = 2.0  # seconds; work that ends sooner needs no line
_BETWEEN_LINES = 5.0  # seconds

_silent = False
_showing = False  # a terminal has room for one bar: work inside work shows none


def silence(quiet: bool = True) -> None:
    """Show no progress and no notes from now on, or show them again."""
    global _silent  # noqa: PLW0603 (one process has one stderr)
    _silent = quiet


def note(text: str) -> None:
    """Say on stderr what was done, unless silenced."""
    if not _silent:
        print(text, file=sys.stderr, flush=True)


class _Meter:
    """Units done, and what follows from the time they took."""

    def __init__(self, total: int | None, done: int) -> None:
        self.total, self.before, self.done, self.start = total, done, done, time.monotonic()
        self._lock = threading.Lock()

    def add(self, count: int) -> None:
        with self._lock:
            self.done += count

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.start

    @property
    def count(self) -> str:
        return f"{self.done}" if self.total is None else f"{self.done}/{self.total}"

    @property
    def pace(self) -> str:
        """Rate and time left, as in "12.3/s, 15 s left"."""
        rate = (self.done - self.before) / max(self.seconds, 1e-9)
        if self.total is None or not rate:
            return f"{rate:.1f}/s"
        return f"{rate:.1f}/s, {_duration((self.total - self.done) / rate)} left"


def _duration(seconds: float) -> str:
    whole = max(0, round(seconds))
    if whole < 120:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


@contextmanager
def progress(label: str, total: int | None = None, *, done: int = 0) -> Iterator[Callable[[int], None]]:
    """Yield `tick(n)`, to be called from any thread whenever `n` more of `total` units are done.

    `done` units were done before, by a run that is now resumed; they do not count in the rate.

    On a terminal a bar with rate and time left; elsewhere lines such as
    "exploring 120/300, 12.3/s, 15 s left", the first after 2 s and then one every 5 s at the most.
    """
    if _silent or _showing:
        yield lambda count: None
    elif sys.stderr.isatty():
        with _bar(label, _Meter(total, done)) as tick:
            yield tick
    else:
        with _lines(label, _Meter(total, done)) as tick:
            yield tick


@contextmanager
def _lines(label: str, meter: _Meter) -> Iterator[Callable[[int], None]]:
    due = _FIRST_LINE

    def tick(count: int) -> None:
        nonlocal due
        meter.add(count)
        if meter.seconds >= due:
            due = meter.seconds + _BETWEEN_LINES
            print(f"{label} {meter.count}, {meter.pace}", file=sys.stderr, flush=True)

    yield tick
    if meter.seconds >= _FIRST_LINE:
        print(f"{label} {meter.count}, done in {_duration(meter.seconds)}", file=sys.stderr, flush=True)


@contextmanager
def _bar(label: str, meter: _Meter) -> Iterator[Callable[[int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    global _showing  # noqa: PLW0603
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[pace]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=meter.total, completed=meter.done, pace="")

        def tick(count: int) -> None:
            meter.add(count)
            bar.update(task, advance=count, pace=f"{meter.count}, {meter.pace}")

        _showing = True
        try:
            yield tick
        finally:
            _showing = False
