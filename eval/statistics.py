"""Means, paired differences, bootstrap intervals and a randomisation test, over all columns at once.

Questions are the unit of sampling. Every column (controller by metric) sees the same resamples, so that
two runs over the same questions are compared question by question.

Sources: Efron & Tibshirani (1993), percentile intervals; Smucker, Allan & Carterette (2007), the paired
randomisation test in retrieval evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LEVEL", "Difference", "Estimate", "Resampling"]

LEVEL = 0.95
"""Coverage of the intervals."""

_BLOCK = 100  # resamples drawn at once: bounds the memory to 100 x questions


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, its percentile interval and the number of finite values; NaN when there are none."""

    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean paired difference, its interval, its two-sided p-value, and the pairs finite on both sides."""

    difference: float
    low: float
    high: float
    p: float
    n: int


@dataclass(frozen=True, slots=True)
class Resampling:
    """Resamples of `questions` questions, the same ones for every column; seeded, hence repeatable."""

    questions: int
    samples: int = 2000
    seed: int = 13

    def estimate(self, values: NDArray[np.float64]) -> list[Estimate]:
        """Return the mean of each column of `values` [questions, columns] with its interval.

        A value that is not finite is left out of its own column and of nothing else.
        """
        means, counts = _means(values)
        low, high = self._interval(values)
        return [
            Estimate(float(m), float(lo), float(hi), int(n))
            for m, lo, hi, n in zip(means, low, high, counts, strict=True)
        ]

    def compare(self, values: NDArray[np.float64], base: NDArray[np.float64]) -> list[Difference]:
        """Return values - base per column, both [questions, columns], over pairs finite on both sides.

        p is the share of random sign flips of the paired differences whose mean is at least as far from
        0 as the one observed, (1 + hits) / (1 + samples); 1 where all differences are 0.
        """
        gaps = values - base
        means, counts = _means(gaps)
        low, high = self._interval(gaps)
        return [
            Difference(float(m), float(lo), float(hi), float(p), int(n))
            for m, lo, hi, p, n in zip(means, low, high, self._p_values(gaps), counts, strict=True)
        ]

    def _interval(self, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        import numpy as np

        finite = np.isfinite(values)
        filled = np.where(finite, values, 0.0)
        means = np.concatenate(
            [_ratio(drawn @ filled, drawn @ finite.astype(np.float64)) for drawn in self._draws()]
        )
        tail = (1 - LEVEL) / 2
        low, high = (_quantile(means, share) for share in (tail, 1 - tail))
        return low, high

    def _draws(self) -> Iterator[NDArray[np.float64]]:
        """Yield blocks of bootstrap resamples as how often each question was drawn, [block, questions]."""
        import numpy as np

        generator = np.random.default_rng((self.seed, 0))
        for start in range(0, self.samples, _BLOCK):
            block = min(_BLOCK, self.samples - start)
            drawn = generator.integers(0, self.questions, size=(block, self.questions))
            drawn += np.arange(block)[:, None] * self.questions
            counts = np.bincount(drawn.ravel(), minlength=block * self.questions)
            yield counts.reshape(block, self.questions).astype(np.float64)

    def _p_values(self, gaps: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        filled = np.where(np.isfinite(gaps), gaps, 0.0)
        observed = np.abs(filled.sum(axis=0))
        # Sums of the same numbers in another order may differ in the last bits and must still count as equal.
        observed -= 1e-9 * np.abs(filled).sum(axis=0)
        generator = np.random.default_rng((self.seed, 1))
        hits = np.zeros(gaps.shape[1])
        for start in range(0, self.samples, _BLOCK):
            block = min(_BLOCK, self.samples - start)
            signs = generator.integers(0, 2, size=(block, self.questions)) * 2.0 - 1.0
            hits += (np.abs(signs @ filled) >= observed).sum(axis=0)
        p: NDArray[np.float64] = np.where(
            np.isfinite(gaps).any(axis=0), (1 + hits) / (1 + self.samples), np.nan
        )
        return p


def _ratio(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    ratio: NDArray[np.float64] = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return ratio


def _means(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    import numpy as np

    finite = np.isfinite(values)
    counts = finite.sum(axis=0)
    return _ratio(np.where(finite, values, 0.0).sum(axis=0), counts.astype(np.float64)), counts


def _quantile(means: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Return a quantile per column over the resamples that drew a finite value at all."""
    import numpy as np

    quantile = partial(np.quantile, q=share)
    return np.array(
        [quantile(column[np.isfinite(column)]) if np.isfinite(column).any() else np.nan for column in means.T]
    )
