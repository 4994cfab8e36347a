"""Golden rows: inputs with the outputs that a model gave when it was exported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .predictors import Predictor

__all__ = ["GOLDEN_ROWS", "TOLERANCE", "check_golden", "golden_of"]

GOLDEN_ROWS = 32
TOLERANCE = 1e-5
"""Difference allowed between recorded and present output: float32 sums on another processor."""


def golden_of(predictor: Predictor, rows: NDArray[np.float32]) -> dict[str, Any]:
    """Record the outputs for up to 32 of `rows`, spread evenly over them."""
    import numpy as np

    spread = np.linspace(0, len(rows) - 1, min(GOLDEN_ROWS, len(rows))).round().astype(int)
    chosen = np.ascontiguousarray(rows[spread], dtype=np.float32)
    # A float32 survives the way through a Python float and JSON without loss.
    return {"rows": chosen.tolist(), "expected": predictor.predict(chosen).tolist()}


def check_golden(predictor: Predictor, golden: Any, *, width: int, where: str) -> None:
    """Make sure that a model still gives its recorded outputs.

    Raises:
        InputError: the record is malformed, or an output differs by more than the tolerance.
    """
    import numpy as np

    try:
        rows = np.asarray(golden["rows"], dtype=np.float32)
        expected = np.asarray(golden["expected"], dtype=np.float64)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"golden rows cannot be read ({error!r})", where=where) from None
    if rows.ndim != 2 or rows.shape[1] != width or expected.shape != (len(rows),) or not len(rows):
        raise InputError(
            f"golden rows of shape {rows.shape}, outputs of shape {expected.shape}",
            where=where,
            expected=f"at least one row of {width} features, one output each",
        )
    try:
        found = predictor.predict(rows)
    except Exception as error:  # the run-time libraries raise classes of their own
        raise InputError(
            f"the model refuses its golden rows ({str(error).splitlines()[0]})", where=where
        ) from None
    worst = float(np.max(np.abs(found - expected)))
    if not worst <= TOLERANCE:  # also true for NaN
        raise InputError(
            f"golden rows give other outputs (largest difference {worst:.3g})",
            where=where,
            expected=f"differences of at most {TOLERANCE:g}",
            remedy="export the bundle again, with library versions that match its `versions`",
        )
