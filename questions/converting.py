"""Writing any dataset as Hopilot's own JSONL, from which it loads as the same questions."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from os import PathLike
from pathlib import Path

from ..errors import InputError
from ..files import atomic_path
from .own import own_record
from .question import Dataset

__all__ = ["convert"]


def convert(dataset: Dataset, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Write a dataset as own JSONL, gzipped when the name ends in `.gz`; equal datasets give equal bytes.

    Raises:
        InputError: the file exists and `overwrite` is false, or gold is not among a question's passages.
    """
    target = Path(path)
    if target.is_dir():
        raise InputError("is a folder", where=str(target), expected="the name of a file to write")
    if target.exists() and not overwrite:
        raise InputError(
            "the file exists", where=str(target), remedy="choose another --out, or pass --overwrite"
        )
    with atomic_path(target) as scratch, scratch.open("wb") as plain:
        if target.suffix == ".gz":
            # Neither the time nor the scratch file's name may enter the bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=plain, mtime=0) as packed:
                packed.writelines(_lines(dataset))
        else:
            plain.writelines(_lines(dataset))
    return target


def _lines(dataset: Dataset) -> Iterator[bytes]:
    for question in dataset.questions:
        try:
            record = own_record(question, dataset.name)
        except ValueError as error:
            raise InputError(str(error), where=dataset.source) from None
        yield json.dumps(record, ensure_ascii=False).encode() + b"\n"
