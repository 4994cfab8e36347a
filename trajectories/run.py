"""A trajectory run on disk: a folder of shards that is never half-written and can be resumed.

    manifest.json           settings, seed, fingerprints, versions
    states/part-00000.parquet        run-time facts of the expanded states
    transitions/part-00000.parquet   run-time facts of the actions taken
    labels/part-00000.parquet        what gold support says of them
    progress/part-00000.json         which questions the shard holds; written last
    local.json                       where the index lies on this machine, and how long the last call took

A shard counts as done when its progress file is there. All but local.json is the same, byte for byte,
whenever and wherever the same exploration is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..files import atomic_path, claim_folder, read_json, write_json
from .schema import TABLES, schema_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["TrajectoryRun"]


class TrajectoryRun:
    """The folder of one exploration."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def open(cls, folder: Path, manifest: Mapping[str, Any], *, overwrite: bool = False) -> TrajectoryRun:
        """Begin a run, or resume one that was begun with the same manifest.

        Raises:
            InputError: the folder holds something else, or a run of other settings.
        """
        path = folder / "manifest.json"
        if path.is_file() and not overwrite:
            _check_same(folder, read_json(path), manifest)
            for torn in folder.rglob(".*.part"):  # what a killed call left half-written
                torn.unlink(missing_ok=True)
        else:
            claim_folder(folder, overwrite=overwrite)
            write_json(path, manifest)
        return cls(folder)

    @classmethod
    def load(cls, folder: Path) -> TrajectoryRun:
        """Open a finished run for reading.

        Raises:
            InputError: no run there, or one that is not finished.
        """
        if not (folder / "manifest.json").is_file():
            raise InputError(
                "holds no trajectories (manifest.json is missing)",
                where=str(folder),
                remedy="make some: hopilot explore --dataset FILE --index DIR --out DIR",
            )
        run = cls(folder)
        missing = run.manifest["shards"] - len(run.done())
        if missing:
            raise InputError(
                f"the exploration is unfinished: {missing} of {run.manifest['shards']} shards are missing",
                where=str(folder),
                remedy="run the same explore command again; it resumes",
            )
        return run

    @property
    def manifest(self) -> dict[str, Any]:
        """Settings and fingerprints of the run."""
        manifest: dict[str, Any] = read_json(self.folder / "manifest.json")
        return manifest

    @property
    def local(self) -> dict[str, Any]:
        """What holds on this machine alone: the index's folder, and the seconds of the last call."""
        path = self.folder / "local.json"
        return dict(read_json(path)) if path.is_file() else {}

    def write_local(self, facts: Mapping[str, Any]) -> None:
        """Replace what holds on this machine alone."""
        write_json(self.folder / "local.json", facts)

    def done(self) -> set[int]:
        """Return the numbers of the shards that are complete."""
        return {int(path.stem.removeprefix("part-")) for path in (self.folder / "progress").glob("part-*.json")}

    def write_shard(
        self, number: int, rows: Mapping[str, Sequence[Mapping[str, Any]]], progress: Mapping[str, Any]
    ) -> None:
        """Write the three tables of a shard, then its progress file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        for table in TABLES:
            data = pa.Table.from_pylist(list(rows[table]), schema=schema_of(table))
            with atomic_path(self._path(table, number)) as scratch:
                pq.write_table(data, scratch, compression="zstd")
        write_json(self.folder / "progress" / f"part-{number:05d}.json", progress)

    def read(self, table: str, number: int | None = None) -> pa.Table:
        """Return one table of one shard, or of all shards in order."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        numbers = sorted(self.done()) if number is None else [number]
        parts = [pq.read_table(self._path(table, at), schema=schema_of(table)) for at in numbers]
        return pa.concat_tables(parts) if parts else schema_of(table).empty_table()

    def progress(self) -> list[dict[str, Any]]:
        """Return the progress records of the shards in order."""
        return [
            read_json(self.folder / "progress" / f"part-{number:05d}.json") for number in sorted(self.done())
        ]

    def _path(self, table: str, number: int) -> Path:
        return self.folder / table / f"part-{number:05d}.parquet"


def _check_same(folder: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    differing = sorted(
        name for name in {*found, *wanted} if name != "versions" and found.get(name) != wanted.get(name)
    )
    if differing:
        raise InputError(
            "holds trajectories of other settings: "
            + "; ".join(f"{name} is {found.get(name)!r}, asked for {wanted.get(name)!r}" for name in differing),
            where=str(folder),
            remedy="choose another --out, or pass --overwrite to replace them",
        )
