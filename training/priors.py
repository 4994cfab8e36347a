"""Where the hand-set priors come from: `python -m hopilot.training.priors FILE INDEX [FILE INDEX ...]`.

The bridge ranking and the extractive judge weigh run-time facts with fixed logistic weights, so that
they work on any corpus before anything is trained. This module fits such weights to labelled
questions and prints them: to check the constants in `evidence.bridges` and `evidence.extractive`
against other questions, or to find better ones for a corpus of one's own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError
from ..evidence.bridges import bridge_candidates, prior_facts
from ..evidence.extractive import judge_facts
from ..evidence.index import EvidenceIndex
from ..evidence.lens import Lens, Lenses
from ..questions.loading import load_dataset
from ..questions.question import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Sample", "bridge_samples", "fit_weights", "judge_samples", "main"]

_DEPTHS = (3, 6, 9)  # passages of the initial ranking that make up a state to learn from
_QUESTIONS = 400  # of each data set
_BROUGHT = 3  # passages that a search around an entity brings

Sample = tuple[dict[str, float], bool]
"""Named run-time facts, and whether what they should foretell came true."""


def bridge_samples(lens: Lens, gold: set[int]) -> Iterator[Sample]:
    """Yield candidates of a few states: does a search around one bring gold that is not held?"""
    for rows in _states(lens, gold):
        missing = gold.difference(rows)
        if not missing:
            continue
        for bridge in bridge_candidates(lens, rows):
            vector = lens.index.embed_queries([bridge.query])[0]
            found, _ = lens.index.search(vector, _BROUGHT + len(rows))
            brought = [row for row in found if row not in rows][:_BROUGHT]
            yield prior_facts(bridge, len(rows)), bool(missing.intersection([*brought, bridge.row]))


def judge_samples(lens: Lens, gold: set[int]) -> Iterator[Sample]:
    """Yield a few states: is all gold held?"""
    for rows in _states(lens, gold):
        yield judge_facts(lens, rows, bridge_candidates(lens, rows)), gold <= set(rows)


def fit_weights(samples: Sequence[Sample]) -> dict[str, float]:
    """Return logistic weights of the facts, the intercept included.

    Raises:
        InputError: the samples are all of one kind.
    """
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    names = [name for name in samples[0][0] if name != "intercept"] if samples else []
    rows = np.array([[facts[name] for name in names] for facts, _ in samples])
    came_true = np.array([label for _, label in samples])
    if len(set(came_true.tolist())) < 2:
        raise InputError("nothing to learn: all samples are of one kind", where="priors")
    fitted = make_pipeline(StandardScaler(), LogisticRegression(C=0.3, max_iter=2000)).fit(rows, came_true)
    scaler, model = fitted[0], fitted[-1]
    weights: NDArray[np.float64] = model.coef_[0] / scaler.scale_
    intercept = float(model.intercept_[0] - weights @ scaler.mean_)
    return {"intercept": intercept, **dict(zip(names, map(float, weights), strict=True))}


def _states(lens: Lens, gold: set[int]) -> Iterator[tuple[int, ...]]:
    """Yield evidence sets as a controller meets them: prefixes of the ranking, without and with missed gold."""
    ranking, _ = lens.index.search(lens.vector, max(_DEPTHS))
    for depth in _DEPTHS:
        yield tuple(sorted(ranking[:depth]))
    missed = sorted(gold.difference(ranking[: _DEPTHS[0]]))
    for some in (missed[:1], missed):
        if some:
            yield tuple(sorted({*ranking[: _DEPTHS[0]], *some}))


def _gold_rows(question: Question, index: EvidenceIndex) -> set[int]:
    position = index.corpus.position
    return {position[found] for found in question.support if found in position}


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit both priors to pairs of question files and index folders, and print them."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or len(given) % 2:
        raise SystemExit("usage: python -m hopilot.training.priors FILE INDEX [FILE INDEX ...]")
    bridges: list[Sample] = []
    judged: list[Sample] = []
    for file, folder in zip(given[::2], given[1::2], strict=True):
        lenses = Lenses(EvidenceIndex.load(Path(folder)))
        for question in load_dataset(Path(file), _QUESTIONS).questions:
            lens, gold = lenses.of(question.text), _gold_rows(question, lenses.index)
            bridges.extend(bridge_samples(lens, gold))
            judged.extend(judge_samples(lens, gold))
    titled = [sample for sample in bridges if sample[0]["titled"]]
    untitled = [sample for sample in bridges if not sample[0]["titled"]]
    for name, samples in (("TITLED", titled), ("UNTITLED", untitled), ("JUDGE_WEIGHTS", judged)):
        print(name, {fact: round(weight, 2) for fact, weight in fit_weights(samples).items()})


if __name__ == "__main__":
    main()
