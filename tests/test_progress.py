import threading

import pytest
from hopilot import progress as module
from hopilot.progress import note, progress, silence


class Clock:
    """A time that moves only when told to."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    yield clock
    silence(False)


def test_lines_show_count_rate_and_time_left(clock, capsys):
    with progress("exploring", 300) as tick:
        clock.now += 10
        tick(120)
    assert capsys.readouterr().err.splitlines() == [
        "exploring 120/300, 12.0/s, 15 s left",
        "exploring 120/300, done in 10 s",
    ]


def test_short_work_says_nothing(clock, capsys):
    with progress("exploring", 10) as tick:
        for _ in range(10):
            clock.now += 0.19
            tick(1)
    assert capsys.readouterr().err == ""


def test_lines_come_after_two_seconds_and_then_every_five(clock, capsys):
    with progress("exploring", 1000) as tick:
        for _ in range(130):
            clock.now += 0.1
            tick(1)
        assert len(capsys.readouterr().err.splitlines()) == 3  # at 2, 7 and 12 seconds


def test_units_done_before_a_resume_do_not_count_in_the_rate(clock, capsys):
    with progress("exploring", 300, done=100) as tick:
        clock.now += 10
        tick(100)
    assert "exploring 200/300, 10.0/s, 10 s left" in capsys.readouterr().err


def test_an_unknown_total_shows_the_rate_alone(clock, capsys):
    with progress("reading") as tick:
        clock.now += 10
        tick(50)
    assert capsys.readouterr().err.splitlines()[0] == "reading 50, 5.0/s"


def test_failed_work_is_not_called_done(clock, capsys):
    def fail():
        with progress("exploring", 3) as tick:
            clock.now += 3
            tick(1)
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        fail()
    assert capsys.readouterr().err.splitlines() == ["exploring 1/3, 0.3/s, 6 s left"]


def test_silence_covers_progress_and_notes(clock, capsys):
    silence()
    with progress("exploring", 3) as tick:
        clock.now += 30
        tick(3)
    note("explored")
    assert capsys.readouterr() == ("", "")
    silence(False)
    note("explored")
    assert capsys.readouterr() == ("", "explored\n")


def test_nothing_goes_to_stdout(clock, capsys):
    with progress("exploring", 3) as tick:
        clock.now += 30
        tick(3)
    assert capsys.readouterr().out == ""


def test_ticks_of_many_threads_all_count(clock, capsys):
    with progress("exploring", 4000) as tick:
        threads = [threading.Thread(target=lambda: [tick(1) for _ in range(1000)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        clock.now += 3
    assert "exploring 4000/4000, done in 3 s" in capsys.readouterr().err


def test_a_terminal_shows_one_bar_even_where_work_is_nested(clock, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with progress("outer work", 2) as outer, progress("inner work", 2) as inner:
        clock.now += 1
        inner(2)
        outer(1)
    shown = capsys.readouterr().err
    assert "outer work" in shown
    assert "1/2, 1.0/s, 1 s left" in shown
    assert "inner work" not in shown


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (119, "119 s"), (125, "2 min 5 s"), (7500, "2 h 5 min")]
)
def test_durations_read_well(seconds, text):
    assert module._duration(seconds) == text
