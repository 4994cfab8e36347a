import os
import shutil
import subprocess
import sys
from pathlib import Path

import faiss
import numpy as np
import pytest
from hopilot.errors import InputError
from hopilot.evidence.encoder import open_encoder
from hopilot.evidence.index import KINDS, EvidenceIndex
from hopilot.evidence.passages import Corpus, Passage
from hopilot.files import read_json, sha256_of, write_json
from tiny_world import WordVectors, build_index, tiny_dataset


@pytest.fixture
def index(tmp_path):
    return build_index(tmp_path / "cache")


@pytest.fixture
def saved(index, tmp_path):
    index.save(tmp_path / "index")
    return tmp_path / "index"


def query(index, text="Which river flows through Ambrel?"):
    return index.embed_queries([text])[0]


# -- searching --------------------------------------------------------------------------------------


def test_a_search_ranks_by_inner_product(index):
    vector = query(index)
    rows, scores = index.search(vector, 5)
    expected = index.vectors @ vector
    assert rows[0] == int(np.argmax(expected))
    assert scores == pytest.approx(sorted(expected, reverse=True)[:5], abs=1e-6)
    assert index.score(rows[2], vector) == pytest.approx(scores[2], abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [0, 1, 24, 25, 1000])
def test_k_beyond_the_corpus_gives_fewer_and_never_a_missing_row(tmp_path, kind, k):
    index = build_index(tmp_path, kind=kind)
    rows, scores = index.search(query(index), k)
    assert len(rows) == len(scores) == min(k, len(index.corpus))
    assert len(set(rows)) == len(rows)
    assert set(rows) <= set(range(len(index.corpus)))


@pytest.mark.parametrize("kind", KINDS)
def test_scores_of_one_query_do_not_depend_on_other_queries(tmp_path, kind):
    index = build_index(tmp_path / "one", kind=kind)
    alone = index.search(query(index), 6)
    other = build_index(tmp_path / "two", kind=kind)
    texts = [question.text for question in tiny_dataset().questions]
    vectors = other.embed_queries([*texts, "Which river flows through Ambrel?"])
    for vector in vectors[:-1]:
        other.search(vector, 3)
    assert other.search(vectors[-1], 6) == alone


def test_equal_scores_come_in_row_order(tmp_path):
    index = build_index(tmp_path, [Passage.of(f"Twin {number}", "") for number in range(4)])
    index.vectors[:] = index.vectors[0]
    assert index.search(index.vectors[0], 4)[0] == [0, 1, 2, 3]


@pytest.mark.parametrize("kind", KINDS)
def test_large_corpora_are_searched_too_and_built_alike_each_time(tmp_path, kind):
    generator = np.random.default_rng(1)
    vectors = generator.normal(size=(900, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    corpus = Corpus.of(Passage.of(f"P{number}", "") for number in range(900))
    found = []
    for _ in range(2):
        index = EvidenceIndex(corpus, vectors, WordVectors(dimension=16), kind=kind, cache=tmp_path)
        found.append([index.search(vector, 10) for vector in vectors[:40]])
        faiss.omp_set_num_threads(2)
    assert found[0] == found[1]
    assert sum(rows[0] == place for place, (rows, _) in enumerate(found[0])) >= 38


def test_an_approximate_search_gives_no_missing_rows(tmp_path):
    """It looks into some lists only, and finds fewer passages than asked for."""
    passages = [Passage.of(f"P{number}", f"word{number % 50}") for number in range(300)]
    index = build_index(tmp_path, passages, kind="ivf")
    index._searcher.nprobe = 1
    rows, scores = index.search(query(index, "word7"), 300)
    assert 0 < len(rows) == len(scores) < 300
    assert min(rows) >= 0


def test_prompts_go_where_they_belong(tmp_path):
    encoder = WordVectors(query_prompt="query: ", passage_prompt="passage: ")
    index = EvidenceIndex.build(Corpus.of([Passage.of("A", "b"), Passage.of("", "c")]), encoder, cache=tmp_path)
    index.embed_queries(["d"])
    assert encoder.encoded == ["passage: A. b", "passage: c", "query: d"]


def test_a_query_is_encoded_once(index):
    before = len(index.encoder.encoded)
    first = index.embed_queries(["one", "two", "one"])
    again = index.embed_queries(["two", "one"])
    assert index.encoder.encoded[before:] == ["one", "two"]
    assert first[0].tobytes() == first[2].tobytes() == again[1].tobytes()
    assert index.embed_queries([]).shape == (0, index.encoder.dimension)


def test_more_queries_than_are_remembered_still_come_back(index, monkeypatch):
    monkeypatch.setattr("hopilot.evidence.index._REMEMBERED", 2)
    texts = ["one", "two", "three", "four"]
    assert index.embed_queries(texts).tobytes() == WordVectors().encode(texts).tobytes()


def test_an_empty_corpus_is_refused(tmp_path):
    with pytest.raises(InputError, match="no passages to index"):
        EvidenceIndex.build(Corpus.of([]), WordVectors(), cache=tmp_path)


def test_an_unknown_kind_is_refused(tmp_path):
    with pytest.raises(InputError, match="unknown index kind 'tree'"):
        build_index(tmp_path, kind="tree")


# -- saving and loading -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_saved_is_loaded(tmp_path, kind):
    encoder = WordVectors(window=9)
    index = EvidenceIndex.build(tiny_dataset().corpus(), encoder, kind=kind, cache=tmp_path / "cache")
    index.save(tmp_path / "index")
    loaded = EvidenceIndex.load(tmp_path / "index", WordVectors(), cache=tmp_path / "cache")
    assert loaded.vectors.tobytes() == index.vectors.tobytes()
    assert loaded.truncated == index.truncated > 0
    assert [getattr(loaded, name) for name in ("corpus", "kind", "fingerprint", "folder")] == [
        getattr(index, name) for name in ("corpus", "kind", "fingerprint", "folder")
    ]
    assert loaded.search(query(loaded), 7) == index.search(query(index), 7)


def test_the_manifest_says_what_made_the_index(index, saved):
    manifest = read_json(saved / "manifest.json")
    versions, checksums = manifest.pop("versions"), manifest.pop("checksums")
    assert manifest == {
        "schema": 1,
        "kind": "flat",
        "passages": 24,
        "truncated_passages": 0,
        "dimension": 64,
        "encoder": {
            "name": "words",
            "revision": "revision-1",
            "fingerprint": "words-1",
            "batch_size": 4,
            "precision": "float32",
            "query_prompt": "",
            "passage_prompt": "",
        },
        "corpus_fingerprint": index.corpus.fingerprint,
        "fingerprint": index.fingerprint,
    }
    assert checksums == {name: sha256_of(saved / name) for name in ("corpus.parquet", "vectors.npy")}
    assert sorted(versions) == ["faiss-cpu", "sentence-transformers", "torch"]


def test_saving_twice_gives_the_same_bytes(index, saved, tmp_path):
    index.save(tmp_path / "again")
    for path in saved.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "other", [WordVectors(fingerprint="words-2"), WordVectors(name="minilm", fingerprint="x", dimension=64)]
)
def test_another_encoder_is_refused_even_at_equal_dimension(saved, other):
    with pytest.raises(InputError, match="made by encoder 'words'") as refused:
        EvidenceIndex.load(saved, other)
    assert other.name in str(refused.value)
    assert refused.value.where == str(saved)


@pytest.mark.parametrize("name", ["corpus.parquet", "vectors.npy"])
@pytest.mark.parametrize("damage", ["flip", "cut", "remove"])
def test_a_damaged_file_is_named(saved, name, damage):
    path = saved / name
    data = bytearray(path.read_bytes())
    if damage == "flip":
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    elif damage == "cut":
        path.write_bytes(data[:-1])
    else:
        path.unlink()
    with pytest.raises(InputError, match="damaged or missing") as refused:
        EvidenceIndex.load(saved, WordVectors())
    assert refused.value.where == str(path)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"schema": 0}', '{"schema": 1}', "\x00\x01"])
def test_a_broken_manifest_is_named(saved, text):
    (saved / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        EvidenceIndex.load(saved, WordVectors())
    assert str(saved) in refused.value.where


def test_a_folder_without_an_index_is_refused(saved, tmp_path):
    (saved / "manifest.json").unlink()
    for folder in (saved, tmp_path / "nowhere"):
        with pytest.raises(InputError, match="holds no index"):
            EvidenceIndex.load(folder, WordVectors())


@pytest.mark.parametrize("fewer", [True, False])
def test_texts_and_vectors_out_of_step_are_refused(saved, tmp_path, fewer):
    """The files of two indexes, each whole, under one manifest."""
    passages = tiny_dataset().corpus().passages
    other = build_index(tmp_path / "cache", passages[:-1] if fewer else passages[::-1])
    other.save(tmp_path / "other")
    name = "vectors.npy" if fewer else "corpus.parquet"
    shutil.copy(tmp_path / "other" / name, saved / name)
    manifest = read_json(saved / "manifest.json")
    manifest["checksums"][name] = sha256_of(saved / name)
    write_json(saved / "manifest.json", manifest)
    with pytest.raises(InputError, match="out of step"):
        EvidenceIndex.load(saved, WordVectors())


def test_a_full_folder_is_refused_unless_asked(index, saved, tmp_path):
    before = {path.name: path.read_bytes() for path in saved.iterdir()}
    smaller = build_index(tmp_path / "cache", index.corpus.passages[:3])
    with pytest.raises(InputError, match="not empty"):
        smaller.save(saved)
    assert {path.name: path.read_bytes() for path in saved.iterdir()} == before
    smaller.save(saved, overwrite=True)
    assert len(EvidenceIndex.load(saved, WordVectors()).corpus) == 3


@pytest.mark.parametrize("after", range(3))
def test_a_save_that_is_cut_short_leaves_nothing_that_loads(tmp_path, after):
    code = (
        "import os, sys; from pathlib import Path; import tiny_world\n"
        "from hopilot import files; from hopilot.evidence import index\n"
        "folder, after = Path(sys.argv[1]), int(sys.argv[2])\n"
        "replace, done = Path.replace, []\n"
        "def killed(self, target):\n"
        "    if len(done) == after: os.kill(os.getpid(), 9)\n"
        "    done.append(target); return replace(self, target)\n"
        "Path.replace = killed\n"
        "tiny_world.build_index(folder / 'cache').save(folder / 'index')\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    ended = subprocess.run([sys.executable, "-c", code, tmp_path, str(after)], env=environment, check=False)
    assert ended.returncode == -9
    assert len([path for path in (tmp_path / "index").iterdir() if path.suffix != ".part"]) == after
    with pytest.raises(InputError, match="holds no index"):
        EvidenceIndex.load(tmp_path / "index", WordVectors())


def test_an_index_of_the_packaged_encoder_opens_by_itself(minilm, tmp_path):
    corpus = Corpus.of(tiny_dataset().corpus().passages[:3])
    index = EvidenceIndex.build(corpus, open_encoder("minilm", batch_size=4), cache=tmp_path / "cache")
    index.save(tmp_path / "index")
    loaded = EvidenceIndex.load(tmp_path / "index", cache=tmp_path / "cache")
    assert loaded.encoder.batch_size == 4
    assert loaded.fingerprint == index.fingerprint
    with pytest.raises(InputError, match="with the same prompts and precision"):
        EvidenceIndex.load(tmp_path / "index", minilm)


def test_any_text_survives_saving(tmp_path):
    passages = [Passage.of("Ünï\u0301 \u0000 🙂", 'A "quoted",\ttext\n河'), Passage.of("", "no title")]
    index = build_index(tmp_path / "cache", passages)
    index.save(tmp_path / "index")
    assert EvidenceIndex.load(tmp_path / "index", WordVectors()).corpus == Corpus.of(passages)
