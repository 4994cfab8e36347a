"""Exported models as functions from feature rows to numbers, without the library that fitted them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "SUFFIXES",
    "ConstantPredictor",
    "LightGBMPredictor",
    "ModelFile",
    "OnnxPredictor",
    "Predictor",
    "open_predictor",
]

SUFFIXES = {"onnx": ".onnx", "lightgbm": ".txt", "constant": ""}
"""Kinds of exported models, and how their files end; a constant needs no file."""


class Predictor(Protocol):
    """A regressor's value, or a classifier's probability of class 1, for each row."""

    def predict(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Map float32 [n, d] to float64 [n]."""
        ...


@dataclass(frozen=True, slots=True)
class ModelFile:
    """An exported model: the bytes of its file, or the number that a constant model returns."""

    kind: str
    data: bytes = b""
    value: float = 0.0


class OnnxPredictor:
    """A tree ensemble in ONNX, run by onnxruntime on one thread.

    One thread is fastest for the few rows of one state, and keeps sums in one order, so that a row
    has the same value in any company.
    """

    def __init__(self, source: Path | bytes) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(
                source if isinstance(source, bytes) else str(source),
                options,
                providers=["CPUExecutionProvider"],
            )
        except Exception as error:  # onnxruntime raises many classes of its own
            raise InputError(f"not a usable ONNX model ({_first_line(error)})", where=_place(source)) from error
        outputs = [output.name for output in session.get_outputs()]
        self._classifies = "probabilities" in outputs
        self._outputs = ["probabilities"] if self._classifies else outputs[:1]
        self._input: str = session.get_inputs()[0].name
        self._session: Any = session

    def predict(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Map float32 [n, d] to float64 [n]."""
        import numpy as np

        rows = np.ascontiguousarray(rows, dtype=np.float32)
        found = self._session.run(self._outputs, {self._input: rows})[0]
        if self._classifies:  # float32 sums of votes end a little above 1
            found = found[:, 1].clip(0.0, 1.0)
        values: NDArray[np.float64] = found.reshape(-1).astype(np.float64)
        return values


class LightGBMPredictor:
    """A LightGBM text model on one thread; a binary objective gives the probability of class 1."""

    def __init__(self, source: Path | bytes) -> None:
        import lightgbm

        text = source.decode("utf-8") if isinstance(source, bytes) else source.read_text(encoding="utf-8")
        try:
            self._booster: Any = lightgbm.Booster(model_str=text)
        except lightgbm.basic.LightGBMError as error:
            raise InputError(
                f"not a usable LightGBM model ({_first_line(error)})", where=_place(source)
            ) from error

    def predict(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Map float32 [n, d] to float64 [n]."""
        import numpy as np

        if not len(rows):
            return np.zeros(0, dtype=np.float64)
        found: NDArray[np.float64] = self._booster.predict(
            np.ascontiguousarray(rows, dtype=np.float32), num_threads=1
        )
        return found


@dataclass(frozen=True, slots=True)
class ConstantPredictor:
    """One number for every row: what is left to learn when all labels are equal."""

    value: float

    def predict(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Map float32 [n, d] to float64 [n]."""
        import numpy as np

        return np.full(len(rows), self.value, dtype=np.float64)


def open_predictor(model: ModelFile) -> Predictor:
    """Return the predictor of an exported model.

    Raises:
        InputError: an unknown kind, or bytes that are no model.
    """
    if model.kind == "onnx":
        return OnnxPredictor(model.data)
    if model.kind == "lightgbm":
        return LightGBMPredictor(model.data)
    if model.kind == "constant":
        return ConstantPredictor(model.value)
    raise InputError(f"unknown kind of model {model.kind!r}", expected=", ".join(SUFFIXES))


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _place(source: Path | bytes) -> str:
    return "" if isinstance(source, bytes) else str(source)
