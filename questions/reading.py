"""Raw records from a file: JSON list, JSONL or parquet, plain or gzipped, told apart by their bytes."""

from __future__ import annotations

import codecs
import gzip
import json
import zlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from ..errors import InputError
from .record import Record

__all__ = ["read_records"]

_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_OTHER_ARCHIVES = {
    b"PK\x03\x04": "a zip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"(\xb5/\xfd": "a zstd archive",
}
_WANTED = "a JSON list, JSONL (one object per line) or parquet, the first two plain or gzipped"


def read_records(path: Path) -> Generator[Record, None, None]:
    """Yield the records of a file in order; lines and parquet rows are read as they are asked for.

    Raises:
        InputError: the file is missing, empty, cut, damaged, not UTF-8, or in another format.
    """
    magic = _first_bytes(path)
    if magic.startswith(_PARQUET):
        yield from _parquet_rows(path)
        return
    with path.open("rb") as plain:
        gzipped = magic.startswith(_GZIP)
        stream = cast(BinaryIO, gzip.GzipFile(fileobj=plain)) if gzipped else plain
        try:
            yield from _text_records(path, stream)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(
                f"the gzip data are cut or damaged ({error})", where=str(path), remedy="fetch the file again"
            ) from None


def _first_bytes(path: Path) -> bytes:
    """Return the bytes that tell the format, once it is clear that there is a file to read."""
    where = str(path)
    if path.is_dir():
        raise InputError("is a folder", where=where, expected=_WANTED, remedy="name a file in it")
    try:
        with path.open("rb") as stream:
            magic = stream.read(8)
    except FileNotFoundError:
        raise InputError("no such file", where=where) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=where) from None
    if not magic:
        raise InputError("the file is empty", where=where, expected=_WANTED)
    for signature, kind in _OTHER_ARCHIVES.items():
        if magic.startswith(signature):
            raise InputError(f"is {kind}", where=where, expected=_WANTED, remedy="unpack it first")
    return magic


def _text_records(path: Path, stream: BinaryIO) -> Iterator[Record]:
    first = _first_character(stream)
    if not first:
        raise InputError("the file is empty", where=str(path), expected=_WANTED)
    stream.seek(0)
    yield from _json_list(path, stream) if first == b"[" else _json_lines(path, stream)


def _first_character(stream: BinaryIO) -> bytes:
    """Return the first byte that is neither white space nor part of a byte-order mark."""
    while byte := stream.read(1):
        if not byte.isspace() and byte not in codecs.BOM_UTF8:
            return byte
    return b""


def _json_list(path: Path, stream: BinaryIO) -> Iterator[Record]:
    data = stream.read()
    try:
        items = _parsed(data.removeprefix(codecs.BOM_UTF8).decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _not_utf8(f"{path}:{line}", error) from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"not valid JSON ({_reason(error)})",
            where=f"{path}:{error.lineno}",
            remedy="the file may be cut: fetch it again",
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a list of records ({error})", where=str(path)) from None
    del data
    for number, item in enumerate(items, start=1):
        yield _record(f"{path}:record {number}", item)


def _json_lines(path: Path, stream: BinaryIO) -> Iterator[Record]:
    for number, data in enumerate(stream, start=1):
        where = f"{path}:{number}"
        line = data.removeprefix(codecs.BOM_UTF8) if number == 1 else data
        if not line.strip():
            continue
        try:
            item = _parsed(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise _not_utf8(where, error) from None
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"the line is not a complete JSON object ({_reason(error)})",
                where=where,
                expected=_WANTED,
                remedy="the line may be cut: restore it, or fetch the file again",
            ) from None
        yield _record(where, item)


def _parquet_rows(path: Path) -> Iterator[Record]:
    import pyarrow
    import pyarrow.parquet

    number = 0
    try:
        with pyarrow.parquet.ParquetFile(path) as table:
            for batch in table.iter_batches(batch_size=256):
                for item in batch.to_pylist():
                    number += 1
                    yield _record(f"{path}:record {number}", item)
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(
            f"the parquet data are cut or damaged ({reason})", where=str(path), remedy="fetch the file again"
        ) from None


def _record(where: str, item: Any) -> Record:
    if not isinstance(item, dict):
        raise InputError(f"the record is a {type(item).__name__}", where=where, expected="an object")
    return Record(where, item)


def _not_utf8(where: str, error: UnicodeDecodeError) -> InputError:
    return InputError(
        f"not UTF-8 text (byte 0x{error.object[error.start]:02x})",
        where=where,
        remedy="save the file as UTF-8",
    )


def _reason(error: Exception) -> str:
    # The line that a JSON error counts is not the file's when lines are parsed one by one.
    return f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)


def _parsed(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object; a name that stands twice with two values is an error, not a coin toss."""
    found = dict(pairs)
    if len(found) != len(pairs):
        for name, value in pairs:
            if value != found[name]:
                known = next((f" of record {found[key]!r}" for key in ("_id", "id") if key in found), "")
                raise ValueError(f"field {name!r}{known} stands twice with different values")
    return found
