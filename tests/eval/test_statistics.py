import math

import numpy as np
import pytest
from hopilot.eval.statistics import Resampling


def column(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)[:, None]


def test_a_constant_column_has_an_interval_of_no_width():
    (found,) = Resampling(5, 200).estimate(column(2, 2, 2, 2, 2))
    assert (found.mean, found.low, found.high, found.n) == (2, 2, 2, 5)


def test_the_interval_of_a_mean_is_as_wide_as_theory_says():
    values = np.arange(400, dtype=np.float64)[:, None] % 2  # a fair coin: standard error .5 / 20
    (found,) = Resampling(400).estimate(values)
    assert found.mean == 0.5
    assert found.low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.005)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.005)


def test_the_interval_agrees_with_resampling_one_column_by_hand():
    values = np.random.default_rng(1).normal(size=30)
    generator = np.random.default_rng((13, 0))
    draws = np.concatenate([generator.integers(0, 30, size=(100, 30)) for _ in range(20)])
    low, high = np.quantile(values[draws].mean(axis=1), [0.025, 0.975])
    (found,) = Resampling(30).estimate(values[:, None])
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_pairing_sees_a_difference_that_separate_intervals_would_hide():
    hard = np.random.default_rng(3).normal(size=60)[:, None]
    better = hard + 0.1 + 0.01 * np.cos(np.arange(60))[:, None]
    resampling = Resampling(60)
    (mine,), (theirs,) = resampling.estimate(better), resampling.estimate(hard)
    (versus,) = resampling.compare(better, hard)
    assert mine.low < theirs.high
    assert versus.low > 0
    assert versus.p < 0.001


def test_the_p_value_of_three_questions_is_that_of_all_sign_flips():
    # Of 8 sign patterns of (1, 1, 1) two have |mean| >= 1: p = 1/4.
    (found,) = Resampling(3, 20_000).compare(column(2, 3, 4), column(1, 2, 3))
    assert found.difference == 1
    assert found.p == pytest.approx(0.25, abs=0.01)


def test_sums_that_differ_only_by_rounding_count_as_equal():
    # |0.1 + 0.2 + 0.3| in any order; of 8 patterns 2 reach it.
    (found,) = Resampling(3, 20_000).compare(column(0.1, 0.2, 0.3), column(0, 0, 0))
    assert found.p == pytest.approx(0.25, abs=0.01)


def test_a_column_against_itself_has_no_difference():
    values = np.random.default_rng(2).normal(size=(20, 1))
    (found,) = Resampling(20, 300).compare(values, values)
    assert (found.difference, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_chance_differences_are_rarely_significant():
    gaps = np.random.default_rng(5).normal(size=(50, 200))
    found = Resampling(50, 500).compare(gaps, np.zeros_like(gaps))
    assert np.mean([it.p < 0.05 for it in found]) == pytest.approx(0.05, abs=0.04)


def test_one_nan_costs_one_value_of_its_own_column():
    values = np.array([[1, 1], [math.nan, 2], [3, 3], [math.inf, 4]], dtype=np.float64)
    first, second = Resampling(4, 200).estimate(values)
    assert (first.mean, first.n) == (2, 2)
    assert (second.mean, second.n) == (2.5, 4)
    assert 1 <= first.low <= first.high <= 3


def test_pairs_count_only_where_both_are_finite():
    (found,) = Resampling(4, 200).compare(column(2, math.nan, 5, 6), column(1, 1, math.nan, 2))
    assert (found.n, found.difference) == (2, 2.5)


def test_a_column_of_nothing_stays_undefined():
    nothing = column(math.nan, math.nan)
    (found,), (versus,) = Resampling(2, 50).estimate(nothing), Resampling(2, 50).compare(nothing, nothing)
    assert found.n == versus.n == 0
    assert all(math.isnan(it) for it in (found.mean, found.low, found.high, versus.difference, versus.p))


def test_all_columns_see_the_same_resamples_and_the_seed_decides_them():
    values = np.random.default_rng(4).normal(size=(40, 3))
    together = Resampling(40, 150).estimate(values)
    alone = [Resampling(40, 150).estimate(values[:, [place]])[0] for place in range(3)]
    assert [it.low for it in together] == pytest.approx([it.low for it in alone])
    assert Resampling(40, 150).estimate(values) == together
    assert Resampling(40, 150, seed=14).estimate(values) != together
