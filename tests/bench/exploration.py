"""How fast is exploration against the encoding that it cannot do without, and does memory stay flat?

Bars: exhaustive exploration with a warm vector cache takes at most twice the time that encoding the
distinct query strings in batches takes alone; the peak memory of twice the questions is within 10 %.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from pathlib import Path

from hopilot.evidence.encoder import open_encoder
from hopilot.evidence.index import EvidenceIndex
from hopilot.progress import silence
from hopilot.trajectories.exploring import ExploreSettings, explore
from worlds import QUESTIONS, bench_dataset, bench_index, fresh_environment, scratch_folder


def explored(cache: Path, out: Path, questions: int) -> tuple[float, int]:
    """Explore with a warm cache; return the seconds and the peak memory of this process in MiB."""
    silence()
    dataset = bench_dataset()
    index = bench_index(dataset, cache)
    environment = fresh_environment(index)
    began = time.perf_counter()
    explore(dataset.head(questions), lambda: environment, ExploreSettings(), out, overwrite=True)
    seconds = time.perf_counter() - began
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def encoding(index: EvidenceIndex, run: Path) -> tuple[int, float]:
    """Encode the distinct query strings of a run without any cache; return their number and the seconds."""
    from hopilot.trajectories.run import TrajectoryRun

    found = TrajectoryRun.load(run)
    queries = set(found.read("states")["question"].to_pylist())
    queries |= {query for query in found.read("transitions")["query"].to_pylist() if query}
    encoder = open_encoder()
    encoder.encode(["warm"])
    began = time.perf_counter()
    encoder.encode(sorted(queries))
    return len(queries), time.perf_counter() - began


def in_process(cache: Path, out: Path, questions: int) -> tuple[float, int]:
    """Explore in a process of its own, so that peaks do not mix."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(explored, (cache, out, questions))


def main() -> None:
    """Measure, print, and fail where a bar is missed."""
    with scratch_folder() as folder:
        cache, run = Path(folder) / "cache", Path(folder) / "run"
        explored(cache, run, QUESTIONS)  # warms the cache
        queries, encoding_seconds = encoding(bench_index(bench_dataset(), cache), run)
        half, half_peak = in_process(cache, run, QUESTIONS // 2)
        whole, whole_peak = in_process(cache, run, QUESTIONS)
    ratio, growth = whole / encoding_seconds, whole_peak / half_peak
    print(f"exploration of {QUESTIONS} questions, warm vector cache: {whole:.1f} s ({half:.1f} s for half)")
    print(f"encoding its {queries} distinct queries in batches alone: {encoding_seconds:.1f} s")
    print(f"ratio {ratio:.2f} (at most 2)")
    print(f"peak memory {half_peak} MiB for half, {whole_peak} MiB for all: × {growth:.3f} (at most 1.10)")
    if ratio > 2 or growth > 1.10:
        sys.exit("a bar is missed")


if __name__ == "__main__":
    main()
