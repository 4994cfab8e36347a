"""The official releases: those with a direct address are fetched, for the others it is said where they are."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError, RunError
from ..files import atomic_path

__all__ = ["RELEASES", "Progress", "Release", "download"]

Progress = Callable[[int, int | None], None]
"""Called with the bytes fetched so far, and their number in all where the server tells it."""

_CHUNK = 1 << 18
_TIMEOUT = 30.0


@dataclass(frozen=True, slots=True)
class Release:
    """One file of an official release: its address, or what to do where it has none."""

    url: str = ""
    by_hand: str = ""


_HOTPOTQA = "http://curtis.ml.cmu.edu/datasets/hotpot/"
_TWO_WIKI = Release(
    by_hand="follow the data link in the README of https://github.com/Alab-NII/2wikimultihop (a cloud "
    "drive), unpack the archive, and pass its train.json or dev.json"
)
_MUSIQUE = Release(
    by_hand="run download_data.sh of https://github.com/StonyBrookNLP/musique (it fetches from a cloud "
    "drive), and pass musique_ans_v1.0_train.jsonl or musique_ans_v1.0_dev.jsonl"
)
RELEASES: dict[str, Release] = {
    "hotpotqa-train": Release(_HOTPOTQA + "hotpot_train_v1.1.json"),
    "hotpotqa-dev": Release(_HOTPOTQA + "hotpot_dev_distractor_v1.json"),
    "hotpotqa-dev-fullwiki": Release(_HOTPOTQA + "hotpot_dev_fullwiki_v1.json"),
    "2wikimultihopqa": _TWO_WIKI,
    "musique": _MUSIQUE,
}


def download(
    name: str, out: str | PathLike[str], progress: Progress | None = None, *, overwrite: bool = False
) -> Path:
    """Fetch a release into the folder `out` under its official name, and return the file.

    Raises:
        InputError: there is no such release, it has no direct address, or the file exists already.
        RunError: the server cannot be reached, breaks off, or sends something else.
    """
    release = RELEASES.get(name)
    if release is None:
        raise InputError(f"no release is called {name!r}", expected=f"one of {', '.join(RELEASES)}")
    if release.by_hand:
        raise InputError(f"{name} has no direct address", remedy=release.by_hand)
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise InputError("is a file, not a folder", where=str(folder), remedy="choose another --out")
    target = folder / release.url.rpartition("/")[2]
    if target.exists() and not overwrite:
        raise InputError(
            "the file exists", where=str(target), remedy="use it, choose another --out, or pass --overwrite"
        )
    with atomic_path(target) as scratch, scratch.open("wb") as stream:
        _fetch(release.url, stream, progress)
    return target


def _fetch(url: str, stream: BinaryIO, progress: Progress | None) -> None:
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT) as reply:
            length = reply.headers.get("Content-Length", "")
            total = int(length) if length.isdecimal() else None
            done = 0
            while chunk := reply.read(_CHUNK):
                # A portal or proxy may answer any address with a page of its own and status 200.
                if not done and not chunk.lstrip().startswith((b"[", b"{")):
                    raise RunError(f"{url} sent something else than JSON; is there a proxy in between?")
                stream.write(chunk)
                done += len(chunk)
                if progress is not None:
                    progress(done, total)
    except urllib.error.HTTPError as error:
        raise RunError(f"{url} answered {error.code} {error.reason}") from None
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise RunError(
            f"{url} could not be fetched ({reason}); is there a network? "
            "the file can also be copied here by hand"
        ) from None
    if not done or (total is not None and done < total):
        raise RunError(f"{url} broke off after {done:,} of {total or 'unknown'} bytes; try again")
