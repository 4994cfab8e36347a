import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest
from hopilot.errors import InputError
from hopilot.evidence.vectors import VectorCache, cache_folder
from tiny_world import WordVectors

TEXTS = ["a town", "a river", "", "a town", "\ud800"]


@pytest.fixture
def cache(tmp_path):
    return VectorCache(WordVectors(), tmp_path)


def test_a_hit_equals_a_miss_bit_for_bit(cache):
    missed = cache.encode(TEXTS)
    hit = cache.encode(TEXTS)
    reopened = VectorCache(WordVectors(), cache._folder).encode(TEXTS)
    assert missed.tobytes() == hit.tobytes() == reopened.tobytes() == WordVectors().encode(TEXTS).tobytes()
    assert missed.dtype == hit.dtype == np.float32


def test_a_text_is_encoded_once(cache):
    cache.encode(TEXTS)
    cache.encode(["new", *TEXTS])
    assert sorted(cache.encoder.encoded) == sorted(["a town", "a river", "", "\ud800", "new"])


def test_many_texts_come_back_in_order(cache):
    texts = [f"town {number}" for number in range(1203)]
    cache.encode(texts[::2])
    assert cache.encode(texts).tobytes() == WordVectors().encode(texts).tobytes()


def test_no_texts_give_no_vectors(cache):
    assert cache.encode([]).shape == (0, cache.encoder.dimension)


def test_progress_counts_hits_and_misses(cache):
    cache.encode(["a town"])
    done = []
    cache.encode(["a town", "a river", "a lake"], tick=done.append)
    assert sum(done) == 3


def test_another_fingerprint_has_another_file(cache):
    other = VectorCache(WordVectors(fingerprint="words-2"), cache._folder)
    cache.encode(["a town"])
    other.encode(["a town"])
    assert cache.path != other.path
    assert cache.path.is_file()
    assert other.path.is_file()
    assert other.encoder.encoded == ["a town"]


def test_two_processes_may_fill_one_cache_at_once(cache):
    code = (
        "import sys; from pathlib import Path; from tiny_world import WordVectors\n"
        "from hopilot.evidence.vectors import VectorCache\n"
        "cache = VectorCache(WordVectors(), Path(sys.argv[1]))\n"
        "for at in range(60): cache.encode([f'town {n}' for n in range(at, at + 40)])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    command = [sys.executable, "-c", code, str(cache._folder)]
    workers = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) for _ in range(2)]
    assert [(worker.communicate()[1], worker.returncode) for worker in workers] == [(b"", 0)] * 2
    texts = [f"town {number}" for number in range(99)]
    assert cache.encode(texts).tobytes() == WordVectors().encode(texts).tobytes()
    assert cache.encoder.encoded == []


def test_many_may_set_up_a_new_file_at_once(tmp_path):
    """The race is lost in about one of ten attempts where nobody waits, so it is run forty times."""
    for attempt in range(40):
        caches = [VectorCache(WordVectors(), tmp_path / str(attempt)) for _ in range(6)]
        together = Barrier(len(caches))

        def fill(cache, together=together):
            together.wait()
            return cache.encode(["a town"]).tobytes()

        with ThreadPoolExecutor(len(caches)) as pool:
            assert set(pool.map(fill, caches)) == {WordVectors().encode(["a town"]).tobytes()}


def test_a_damaged_file_is_named_with_a_remedy(cache):
    cache.path.parent.mkdir()
    cache.path.write_bytes(b"no database at all" * 100)
    with pytest.raises(InputError, match="vector cache cannot be used") as refused:
        cache.encode(["a town"])
    assert refused.value.where == str(cache.path)
    assert "remove that file" in refused.value.remedy
    cache.path.unlink()
    assert cache.encode(["a town"]).tobytes() == WordVectors().encode(["a town"]).tobytes()


def test_a_vector_of_another_length_is_no_hit(cache):
    cache.encode(["a town"])
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE vectors SET vector = ?", (b"\0" * 8,))
    with pytest.raises(InputError, match="differ in length"):
        cache.encode(["a town", "a river"])


def test_where_every_text_is_known_the_encoder_is_left_alone(cache):
    """Its weights take seconds to load."""

    class Sleeping(WordVectors):
        dimension = property(lambda self: pytest.fail("asked for the dimension"))

        def __init__(self):
            self.fingerprint = "words-1"

        def encode(self, texts, *, tick):
            pytest.fail("asked for vectors")

    expected = cache.encode(TEXTS)
    assert VectorCache(Sleeping(), cache._folder).encode(TEXTS).tobytes() == expected.tobytes()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "vectors").write_text("a file in the way", encoding="utf-8")
    with pytest.raises(InputError, match="HOPILOT_CACHE"):
        VectorCache(WordVectors(), tmp_path).encode(["a town"])


def test_faults_of_the_encoder_are_not_laid_on_the_cache(cache, monkeypatch):
    def fail(texts, tick):
        raise OSError("the weights are gone")

    monkeypatch.setattr(cache.encoder, "encode", fail)
    with pytest.raises(OSError, match="the weights are gone"):
        cache.encode(["a town"])


def test_the_folder_is_the_users_unless_one_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("HOPILOT_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("HOPILOT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "hopilot"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "hopilot"
