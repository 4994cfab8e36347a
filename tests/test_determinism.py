"""The same settings give the same bytes, in whatever process."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = str(Path(__file__).parent / "tiny_world.py")


def explored(out: Path, seed: int, *options: str) -> dict[str, str]:
    """Explore in a process of its own under one hash seed, and return the digest of every file."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    subprocess.run(
        [sys.executable, SCRIPT, str(out), *options], env=environment, check=True, capture_output=True
    )
    found = {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    del found["local.json"]
    return {name: hashlib.sha256(data).hexdigest() for name, data in sorted(found.items())}


@pytest.mark.parametrize("options", [(), ("--extractive",), ("--explorer", "sampled", "--extractive")])
def test_exploring_does_not_depend_on_the_hash_seed(tmp_path, options):
    first = explored(tmp_path / "one" / "run", 1, *options)
    second = explored(tmp_path / "two" / "run", 2, *options)
    assert first == second
    assert len([name for name in first if name.endswith(".parquet")]) == 12


def test_two_processes_write_what_one_does(tmp_path):
    one = explored(tmp_path / "one" / "run", 3, "--extractive")
    two = explored(tmp_path / "two" / "run", 4, "--extractive", "--jobs", "2")
    assert one == two
