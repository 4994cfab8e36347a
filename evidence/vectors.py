"""A cache of vectors on disk, so that no text is encoded twice by one encoder."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from ..errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Encoder", "VectorCache", "cache_folder"]

_PATIENCE = 60.0  # seconds to wait for another process
_CHUNK = 500  # keys in one statement; SQLite's own limit is higher


class Encoder(Protocol):
    """What the index needs of an encoder; see `SentenceEncoder` for the meaning of each part."""

    name: str
    batch_size: int
    precision: str

    @property
    def fingerprint(self) -> str: ...  # noqa: D102
    @property
    def revision(self) -> str: ...  # noqa: D102
    @property
    def dimension(self) -> int: ...  # noqa: D102
    @property
    def query_prompt(self) -> str: ...  # noqa: D102
    @property
    def passage_prompt(self) -> str: ...  # noqa: D102
    def encode(  # noqa: D102
        self, texts: Sequence[str], *, tick: Callable[[int], None] = ...
    ) -> NDArray[np.float32]: ...
    def count_truncated(self, texts: Sequence[str]) -> int: ...  # noqa: D102


def cache_folder() -> Path:
    """Return the folder of Hopilot's caches: $HOPILOT_CACHE, else hopilot/ in the user's cache folder."""
    if named := os.environ.get("HOPILOT_CACHE"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hopilot"


class VectorCache:
    """An encoder whose vectors are kept in a SQLite file named by its fingerprint.

    A changed model, prompt or precision has another fingerprint and so another file: a stale vector
    cannot be met. The file is in write-ahead mode and safe for several processes.
    """

    def __init__(self, encoder: Encoder, folder: Path | None = None) -> None:
        self.encoder = encoder
        self._folder = folder or cache_folder()
        self._connection: sqlite3.Connection | None = None
        self._lock = Lock()  # one connection serves all threads

    @property
    def path(self) -> Path:
        """The file that holds the vectors."""
        return self._folder / "vectors" / f"{self.encoder.fingerprint}.sqlite"

    def encode(
        self, texts: Sequence[str], *, tick: Callable[[int], None] = lambda count: None
    ) -> NDArray[np.float32]:
        """Return vectors as the encoder would, encoding only the texts that it has not met before.

        Raises:
            InputError: the file cannot be used: damaged, locked, or in a folder that cannot be written.
        """
        with self._lock:
            return self._encode(texts, tick)

    def _encode(self, texts: Sequence[str], tick: Callable[[int], None]) -> NDArray[np.float32]:
        import numpy as np

        keys = [
            hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts
        ]
        with self._naming_faults():
            known = self._read(list(dict.fromkeys(keys)))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        tick(sum(key in known for key in keys))
        if missing:
            fresh = self.encoder.encode(list(missing.values()), tick=tick)
            known.update(zip(missing, fresh, strict=True))
            with self._naming_faults():
                self._write([(key, vector.tobytes()) for key, vector in zip(missing, fresh, strict=True)])
        if not keys:
            return np.zeros((0, self.encoder.dimension), dtype=np.float32)
        with self._naming_faults():
            if len({len(vector) for vector in known.values()}) > 1:
                raise sqlite3.DatabaseError("its vectors differ in length")
        return np.stack([known[key] for key in keys])

    @contextmanager
    def _naming_faults(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            self._connection = None
            raise InputError(
                f"the vector cache cannot be used ({error})",
                where=str(self.path),
                remedy="remove that file, and its vectors will be made again; "
                "or let HOPILOT_CACHE name a folder that can be written",
            ) from error

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_PATIENCE, check_same_thread=False)
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"
            )
            self._connection = connection
        return self._connection

    def _read(self, keys: list[bytes]) -> dict[bytes, NDArray[np.float32]]:
        import numpy as np

        found: dict[bytes, NDArray[np.float32]] = {}
        connection = self._open()
        for start in range(0, len(keys), _CHUNK):
            some = keys[start : start + _CHUNK]
            marks = ",".join("?" * len(some))
            rows = connection.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", some)
            found.update((key, np.frombuffer(data, dtype=np.float32)) for key, data in rows)
        return found

    def _write(self, rows: list[tuple[bytes, bytes]]) -> None:
        connection = self._open()
        with connection:
            connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead mode; SQLite itself does not wait where two processes do so to a new file."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
