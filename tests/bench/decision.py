"""What does one decision cost: validity, features and ranking, with the exported bundle?

Bars: under a millisecond at the median, and ranking at least twenty times faster than the same
forest through scikit-learn.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from hopilot.evidence.environment import Environment
from hopilot.evidence.state import State
from hopilot.models.bundle import load_bundle, save_bundle
from hopilot.progress import silence
from hopilot.training.fitting import FitSettings, TrainingTable, fit
from hopilot.training.learners import LearnerSettings, Rows, learner_named
from hopilot.training.table import training_table
from hopilot.training.targets import target_named
from hopilot.trajectories.exploring import ExploreSettings, explore
from worlds import bench_dataset, bench_index, fresh_environment, scratch_folder

EXPLORED, MEASURED = 100, 60  # questions


def visited(environment: Environment, questions: list[str]) -> list[State]:
    """Return states with a real choice, as uniform roll-outs meet them."""
    generator = np.random.default_rng(13)
    states, found = environment.start(questions), []
    while states := [state for state in states if not state.ended]:
        found += [state for state in states if len(environment.valid(state)) > 1]
        chosen = [environment.valid(state) for state in states]
        pairs = [(s, valid[generator.integers(len(valid))]) for s, valid in zip(states, chosen, strict=True)]
        states = environment.step(pairs)
    return found


def median_of(act: Callable[[State], object], states: list[State]) -> float:
    """Return the median milliseconds of an act over states."""
    took = []
    for state in states:
        began = time.perf_counter()
        act(state)
        took.append(1000 * (time.perf_counter() - began))
    return statistics.median(took)


def fitted_forest(table: TrainingTable) -> object:
    """Fit the same value forest and keep it as a scikit-learn estimator."""
    learner, how = learner_named("forest"), LearnerSettings()
    labels = target_named("one_step").compute(table.labels)
    return learner.make_value(Rows(table.features, labels, table.features[:1], labels[:1]), how)


def main() -> None:
    """Measure, print, and fail where a bar is missed."""
    silence()
    with scratch_folder() as folder:
        out, dataset = Path(folder), bench_dataset()
        index = bench_index(dataset, out / "cache")
        environment = fresh_environment(index)
        explore(dataset.head(EXPLORED), lambda: environment, ExploreSettings(), out / "run")
        table = training_table([out / "run"], lambda wanted: index)
        states = visited(environment, [q.text for q in dataset.questions[EXPLORED : EXPLORED + MEASURED]])
        slowest, forest_ranking = 0.0, 0.0
        for learner in ("forest", "lightgbm"):
            done = fit(table, FitSettings(learner=learner))
            save_bundle(out / learner, done.manifest, done.models, done.golden)
            policy = load_bundle(out / learner).policy(environment)
            decision = median_of(lambda s, p=policy: p.decide(s, environment.valid(s)), states)
            blocks = {id(s): policy.value_features.rows(s, environment.valid(s)) for s in states}
            ranking = median_of(lambda s, p=policy, b=blocks: p.value.predict(b[id(s)]), states)
            print(f"{learner}: decision {decision:.3f} ms, of which ranking {ranking:.3f} ms (medians)")
            slowest = max(slowest, decision)
            forest_ranking = forest_ranking or ranking
        forest = fitted_forest(table)
        forest.set_params(n_jobs=1)
        plain = median_of(lambda s: forest.predict(blocks[id(s)]), states[:200])
    print(f"the same forest through scikit-learn: ranking {plain:.2f} ms, × {plain / forest_ranking:.0f}")
    print(f"{len(states)} states; bars: decision under 1 ms, scikit-learn at least 20 times slower")
    if slowest >= 1.0 or plain / forest_ranking < 20:
        sys.exit("a bar is missed")


if __name__ == "__main__":
    main()
