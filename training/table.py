"""The join of features and labels: from trajectory runs on disk to a table that can be fitted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..evidence.actions import ACTION_NAMES, Action
from ..evidence.index import EvidenceIndex
from ..evidence.lens import Lenses
from ..evidence.state import Limits
from ..features.extract import FeatureExtractor, state_features
from ..features.registry import select
from ..files import fingerprint
from ..progress import progress
from ..trajectories.run import TrajectoryRun
from ..trajectories.schema import state_from_row
from .fitting import TrainingTable
from .targets import continue_helps

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

__all__ = ["action_costs", "read_table", "training_table"]

_SHARED = ("encoder", "encoder_fingerprint", "limits")
_CALL = 500.0  # tokens that a call of either kind is taken to be worth
_KEY = ["question_id", "state"]


def training_table(
    folders: Sequence[Path],
    open_index: Callable[[str], EvidenceIndex],
    *,
    features: Iterable[str] | None = None,
) -> TrainingTable:
    """Read trajectory runs, extract features from their stored states, and join them with the labels.

    `open_index` opens the index that has a given fingerprint. Runs may come from several data sets,
    as long as they share encoder and limits. A question explored in several runs of one data set stays
    one question, so that it cannot stand on both sides of a split; its states are numbered on from
    run to run.

    Raises:
        InputError: a run is missing, unfinished or does not go with the others, or its index is another one.
    """
    import numpy as np
    import pandas as pd

    runs = [TrajectoryRun.load(folder) for folder in folders]
    manifest = _common(runs)
    names = select(features)
    rows: list[NDArray[np.float32]] = []
    labels: list[pd.DataFrame] = []
    with progress("extracting features", sum(run.manifest["questions"] for run in runs)) as tick:
        numbered = 0  # states of earlier runs
        for run in runs:
            index = open_index(run.manifest["index_fingerprint"])
            extractor = FeatureExtractor(Lenses(index), Limits(**run.manifest["limits"]), names)
            ends = numbered
            for shard in sorted(run.done()):
                found = run.read("labels", shard).to_pandas()
                rows.append(_features(run, shard, index, extractor))
                question, state = found["question_id"], found["state"] + numbered
                labels.append(found.assign(question_id=f"{run.manifest['dataset']}:" + question, state=state))
                ends = max(ends, int(state.max()) + 1)
                tick(question.nunique())
            numbered = ends
    return _joined(runs, manifest, names, np.concatenate(rows), pd.concat(labels, ignore_index=True))


def read_table(
    folders: Sequence[Path], index: Path | None = None, *, features: Iterable[str] | None = None
) -> TrainingTable:
    """Read trajectory runs into a table, each over the index that it was explored on.

    `index` says where that index lies now, should it have been moved since.

    Raises:
        InputError: see `training_table`; also an index that is not the one explored.
    """
    places = {
        run.manifest["index_fingerprint"]: run.local.get("index") for run in map(TrajectoryRun.load, folders)
    }

    def open_index(wanted: str) -> EvidenceIndex:
        folder = index or Path(places[wanted] or "index")
        remedy = "name the folder of that index: --index DIR"
        if not folder.is_dir():
            raise InputError("the index of the trajectories is not there", where=str(folder), remedy=remedy)
        found = EvidenceIndex.load(folder)
        if found.fingerprint != wanted:
            raise InputError("is not the index that was explored", where=str(folder), remedy=remedy)
        return found

    return training_table(folders, open_index, features=features)


def action_costs(runs: Sequence[TrajectoryRun]) -> dict[str, float]:
    """Return the mean cost of each action in the trajectories, in units of the dearest one.

    Cost = tokens + 500 × (retrieval calls + model calls): a call of either kind is taken to be worth
    the reading of 500 tokens. Seconds are left out, since they never repeat.
    """
    import pandas as pd

    columns = ["action", "retrieval_calls", "model_calls", "prompt_tokens", "completion_tokens"]
    table = pd.concat([run.read("transitions").select(columns).to_pandas() for run in runs])
    tokens = table["prompt_tokens"] + table["completion_tokens"]
    table["cost"] = tokens + _CALL * (table["retrieval_calls"] + table["model_calls"])
    means = table.groupby("action")["cost"].mean()
    dearest = max(float(means.max()), 1.0)
    return {name: float(means.get(name, 0.0)) / dearest for name in ACTION_NAMES}


def _joined(
    runs: Sequence[TrajectoryRun],
    manifest: dict[str, Any],
    names: tuple[str, ...],
    rows: NDArray[np.float32],
    labels: pd.DataFrame,
) -> TrainingTable:
    firsts = ~labels.duplicated(_KEY)  # one row a state carries the state's features
    shared = state_features(names)
    state_labels = labels.loc[firsts, _KEY].reset_index(drop=True)
    before = labels[firsts]
    state_labels["continue_helps"] = continue_helps(
        before["best_before"].to_numpy("float64"), before["recall_before"].to_numpy("float64")
    )
    return TrainingTable(
        features=rows,
        names=names,
        state_features=rows[firsts.to_numpy()][:, : len(shared)],
        state_names=shared,
        labels=labels,
        state_labels=state_labels,
        costs=action_costs(runs),
        fingerprint=fingerprint(_identity(run) for run in runs),
        encoder_name=manifest["encoder"],
        encoder_fingerprint=manifest["encoder_fingerprint"],
        dataset_name="+".join(dict.fromkeys(run.manifest["dataset"] for run in runs)),
        limits=manifest["limits"],
    )


def _features(
    run: TrajectoryRun, shard: int, index: EvidenceIndex, extractor: FeatureExtractor
) -> NDArray[np.float32]:
    """Return one row of features a transition, in the order of the shard's labels."""
    import numpy as np

    states = {
        (row["question_id"], row["state"]): state_from_row(row, index)
        for row in run.read("states", shard).to_pylist()
    }
    transitions = run.read("transitions", shard).select([*_KEY, "action", "candidate"]).to_pylist()
    blocks = [
        extractor.rows(states[key], [Action(row["action"], row["candidate"]) for row in group])
        for key, group in groupby(transitions, key=lambda row: (row["question_id"], row["state"]))
    ]
    return np.concatenate(blocks)


def _common(runs: Sequence[TrajectoryRun]) -> dict[str, Any]:
    """Return the manifest that the runs share where it matters."""
    if not runs:
        raise InputError("no trajectories named", where="--trajectories", expected="one folder or more")
    first = runs[0].manifest
    for run in runs[1:]:
        for name in _SHARED:
            if run.manifest[name] != first[name]:
                raise InputError(
                    f"{name} is {run.manifest[name]!r}, but {first[name]!r} in {runs[0].folder}",
                    where=str(run.folder),
                    expected="trajectories with one encoder and the same limits",
                )
    return first


def _identity(run: TrajectoryRun) -> str:
    manifest = {name: value for name, value in run.manifest.items() if name != "versions"}
    return repr(sorted(manifest.items()))
