"""The index: passages, their vectors, FAISS over them, and a manifest that says what made them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..files import atomic_path, claim_folder, fingerprint, read_json, sha256_of, write_json
from .passages import Corpus, Passage
from .vectors import Encoder, VectorCache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["KINDS", "EvidenceIndex"]

_SCHEMA = 1
_MANIFEST_KEYS = ("kind", "truncated_passages", "encoder", "corpus_fingerprint", "checksums")
_RANKING_STEP = 16
_REMEMBERED = 8192  # query vectors, and rankings, kept in memory

KINDS = ("flat", "ivf", "hnsw")
"""`flat` is exact; `ivf` and `hnsw` trade recall for speed on corpora of many millions."""


class EvidenceIndex:
    """A corpus that can be searched; row numbers are positions in the corpus."""

    def __init__(
        self,
        corpus: Corpus,
        vectors: NDArray[np.float32],
        encoder: Encoder,
        *,
        kind: str = "flat",
        truncated: int = 0,
        cache: Path | None = None,
        folder: Path | None = None,
    ) -> None:
        if kind not in KINDS:
            raise InputError(f"unknown index kind {kind!r}", where="index", expected=", ".join(KINDS))
        self.corpus = corpus
        self.vectors = vectors
        self.encoder = encoder
        self.kind = kind
        self.truncated = truncated
        """Passages that were longer than the encoder's window."""
        self.folder = folder
        """Where it was saved or loaded from, if anywhere."""
        self.cache = VectorCache(encoder, cache)
        self._remembered: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._rankings: OrderedDict[tuple[str, int], tuple[list[int], list[float]]] = OrderedDict()
        self._lock = Lock()  # language models may ask from several threads

    @classmethod
    def build(
        cls,
        corpus: Corpus,
        encoder: Encoder,
        *,
        kind: str = "flat",
        cache: Path | None = None,
        tick: Callable[[int], None] = lambda count: None,
    ) -> EvidenceIndex:
        """Encode every passage as "title. text" behind the encoder's passage prompt.

        Raises:
            InputError: the corpus is empty.
        """
        if not len(corpus):
            raise InputError("no passages to index", where="corpus", expected="at least one passage")
        texts = [encoder.passage_prompt + _as_text(passage) for passage in corpus]
        vectors = VectorCache(encoder, cache).encode(texts, tick=tick)
        return cls(corpus, vectors, encoder, kind=kind, truncated=encoder.count_truncated(texts), cache=cache)

    @cached_property
    def fingerprint(self) -> str:
        """Name everything that a ranking depends on."""
        return fingerprint((self.corpus.fingerprint, self.encoder.fingerprint, self.kind))

    @cached_property
    def _searcher(self) -> Any:
        import faiss

        dimension = self.vectors.shape[1]
        searcher: Any
        if self.kind == "hnsw":
            searcher = faiss.IndexHNSWFlat(dimension, 32, faiss.METRIC_INNER_PRODUCT)
        elif self.kind == "ivf":
            lists = max(1, min(4096, int(4 * len(self.corpus) ** 0.5), len(self.corpus) // 39))
            searcher = faiss.IndexIVFFlat(
                faiss.IndexFlatIP(dimension), dimension, lists, faiss.METRIC_INNER_PRODUCT
            )
            searcher.train(self.vectors)
            searcher.nprobe = max(1, lists // 8)
        else:
            searcher = faiss.IndexFlatIP(dimension)
        searcher.add(self.vectors)
        return searcher

    def search(self, vector: NDArray[np.float32], k: int) -> tuple[list[int], list[float]]:
        """Return rows and scores of the best `k` passages, fewer where the corpus is smaller.

        One query at a time on one thread: FAISS rounds differently for batches, and a second thread
        slows a single query down.
        """
        import faiss

        k = min(k, len(self.corpus))
        if k <= 0:
            return [], []
        searcher = self._searcher
        faiss.omp_set_num_threads(1)
        scores, rows = searcher.search(vector.reshape(1, -1), k)
        found = [(int(row), float(score)) for row, score in zip(rows[0], scores[0], strict=True) if row >= 0]
        found.sort(key=lambda pair: (-pair[1], pair[0]))
        return [row for row, _ in found], [score for _, score in found]

    def score(self, row: int, vector: NDArray[np.float32]) -> float:
        """Return the inner product of one passage and a query vector."""
        return float(self.vectors[row] @ vector)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of queries behind the query prompt, float32 [len(queries), dimension]."""
        import numpy as np

        with self._lock:
            wanted = dict.fromkeys(query for query in queries if query not in self._remembered)
            if wanted:
                fresh = self.cache.encode([self.encoder.query_prompt + query for query in wanted])
                self._remembered.update(zip(wanted, fresh, strict=True))
            found = [self._remembered[query] for query in queries]
            while len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)
        return np.stack(found) if found else np.zeros((0, self.vectors.shape[1]), dtype=np.float32)

    def search_query(self, query: str, k: int) -> tuple[list[int], list[float]]:
        """Return rows and scores of the best `k` passages for a query; a query asked again costs nothing.

        Exploration asks one query from many states that hold different numbers of passages, so
        rankings are made in steps of 16 entries and cut to what is wanted.
        """
        depth = -(-k // _RANKING_STEP) * _RANKING_STEP
        known = self._rankings.get((query, depth))
        if known is None:
            known = self.search(self.embed_queries([query])[0], depth)
            with self._lock:
                self._rankings[query, depth] = known
                while len(self._rankings) > _REMEMBERED:
                    self._rankings.popitem(last=False)
        return known[0][:k], known[1][:k]

    def passage(self, row: int) -> Passage:
        """Return the passage in a row."""
        return self.corpus.passages[row]

    def save(self, folder: Path, *, overwrite: bool = False) -> None:
        """Write corpus.parquet, vectors.npy and manifest.json; the manifest comes last.

        Raises:
            InputError: the folder holds something and `overwrite` is false.
        """
        import numpy as np
        import pyarrow as pa
        import pyarrow.parquet as pq

        claim_folder(folder, overwrite=overwrite)
        columns = {
            "id": [passage.id for passage in self.corpus],
            "title": [passage.title for passage in self.corpus],
            "text": [passage.text for passage in self.corpus],
        }
        with atomic_path(folder / "corpus.parquet") as scratch:
            pq.write_table(pa.table(columns), scratch, compression="zstd")
        with atomic_path(folder / "vectors.npy") as scratch, scratch.open("wb") as stream:
            np.save(stream, self.vectors, allow_pickle=False)
        write_json(folder / "manifest.json", self._manifest(folder))
        self.folder = folder

    def _manifest(self, folder: Path) -> dict[str, Any]:
        from importlib.metadata import version

        return {
            "schema": _SCHEMA,
            "kind": self.kind,
            "passages": len(self.corpus),
            "truncated_passages": self.truncated,
            "dimension": int(self.vectors.shape[1]),
            "encoder": {
                "name": self.encoder.name,
                "revision": self.encoder.revision,
                "fingerprint": self.encoder.fingerprint,
                "batch_size": self.encoder.batch_size,
                "precision": self.encoder.precision,
                "query_prompt": self.encoder.query_prompt,
                "passage_prompt": self.encoder.passage_prompt,
            },
            "corpus_fingerprint": self.corpus.fingerprint,
            "fingerprint": self.fingerprint,
            "checksums": {name: sha256_of(folder / name) for name in ("corpus.parquet", "vectors.npy")},
            "versions": {name: version(name) for name in ("faiss-cpu", "sentence-transformers", "torch")},
        }

    @classmethod
    def load(cls, folder: Path, encoder: Encoder | None = None, *, cache: Path | None = None) -> EvidenceIndex:
        """Open a saved index with the encoder that made it.

        Raises:
            InputError: no index, a damaged one, or one made by another encoder.
        """
        import numpy as np
        import pyarrow.parquet as pq

        manifest = _read_manifest(folder)
        if encoder is None:
            from .encoder import open_encoder

            made_by = manifest["encoder"]
            encoder = open_encoder(
                made_by["name"], batch_size=made_by["batch_size"], precision=made_by["precision"]
            )
        _check_encoder(folder, manifest["encoder"], encoder)
        table = pq.read_table(folder / "corpus.parquet")
        corpus = Corpus(
            tuple(
                Passage(*row) for row in zip(*(table[c].to_pylist() for c in table.column_names), strict=True)
            )
        )
        vectors = np.load(folder / "vectors.npy", allow_pickle=False)
        if corpus.fingerprint != manifest["corpus_fingerprint"] or len(vectors) != len(corpus):
            raise InputError(
                "passages and manifest are out of step",
                where=str(folder),
                remedy="build the index again: hopilot index FILE... --out DIR",
            )
        return cls(
            corpus,
            vectors,
            encoder,
            kind=manifest["kind"],
            truncated=manifest["truncated_passages"],
            cache=cache,
            folder=folder,
        )


def _as_text(passage: Passage) -> str:
    return f"{passage.title}. {passage.text}" if passage.title else passage.text


def _read_manifest(folder: Path) -> dict[str, Any]:
    if not (folder / "manifest.json").is_file():
        raise InputError(
            "holds no index (manifest.json is missing)",
            where=str(folder),
            remedy="build one: hopilot index FILE... --out DIR",
        )
    manifest: dict[str, Any] = read_json(folder / "manifest.json")
    rebuild = "build the index again: hopilot index FILE... --out DIR --overwrite"
    if not isinstance(manifest, dict):
        raise InputError("is no manifest of an index", where=str(folder / "manifest.json"), remedy=rebuild)
    if manifest.get("schema") != _SCHEMA:
        raise InputError(
            f"index schema {manifest.get('schema')!r}",
            where=str(folder),
            expected=str(_SCHEMA),
            remedy=rebuild,
        )
    lacking = [name for name in _MANIFEST_KEYS if name not in manifest]
    if lacking:
        raise InputError(f"lacks {', '.join(lacking)}", where=str(folder / "manifest.json"), remedy=rebuild)
    for name, checksum in manifest["checksums"].items():
        path = folder / name
        if not path.is_file() or sha256_of(path) != checksum:
            raise InputError("is damaged or missing (its checksum differs)", where=str(path), remedy=rebuild)
    return manifest


def _check_encoder(folder: Path, made_by: dict[str, str], encoder: Encoder) -> None:
    if made_by["fingerprint"] == encoder.fingerprint:
        return
    raise InputError(
        f"the index was made by encoder {made_by['name']!r} (revision {made_by['revision'][:12]}), "
        f"not by {encoder.name!r} (revision {encoder.revision[:12]}) with the same prompts and precision",
        where=str(folder),
        expected="the encoder that made the index",
        remedy="name that encoder, or build the index again",
    )
