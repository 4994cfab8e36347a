"""What is measured of one question under one controller, each measure declared once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ..evidence.state import Usage
from ..questions.question import Question
from .answers import AnswerRule

__all__ = ["METRICS", "METRIC_NAMES", "Metric", "Scored", "score"]


@dataclass(frozen=True, slots=True)
class Scored:
    """One question as one controller left it, beside its gold."""

    question: Question
    rule: AnswerRule
    evidence: tuple[str, ...]
    """Ids of the passages that reached the answerer: those held when acquisition ended, up to the cap."""
    prediction: str
    usage: Usage
    steps: int
    seconds: float
    stop_reason: str
    actions: tuple[str, ...] = ()
    failure: str = ""
    """Class and message of the exception that ended it, or empty."""

    @property
    def found(self) -> int:
        """Gold passages among the evidence."""
        return sum(gold in self.evidence for gold in self.question.support)

    @property
    def wanted(self) -> int:
        """Gold passages there should be, counting those that the dataset names but does not contain."""
        return self.question.gold_count


@dataclass(frozen=True, slots=True)
class Metric:
    """One declared measure of a `Scored` question; NaN where it is not defined (no gold)."""

    name: str
    doc: str
    unit: str
    higher_is_better: bool
    """True for quality, of which a failed question has none; false for what is spent."""
    compute: Callable[[Scored], float]


def _recall(scored: Scored) -> float:
    return scored.found / scored.wanted if scored.wanted else math.nan


def _full(scored: Scored) -> float:
    return float(scored.found == scored.wanted) if scored.wanted else math.nan


def _precision(scored: Scored) -> float:
    if not scored.wanted:
        return math.nan
    return scored.found / len(scored.evidence) if scored.evidence else 0.0


def _evidence_f1(scored: Scored) -> float:
    if not scored.wanted:
        return math.nan
    return 2 * scored.found / (scored.wanted + len(scored.evidence))


def _exact_match(scored: Scored) -> float:
    golds = scored.question.answers
    return scored.rule.exact_match(scored.prediction, golds) if golds else math.nan


def _answer_f1(scored: Scored) -> float:
    golds = scored.question.answers
    return scored.rule.f1(scored.prediction, golds) if golds else math.nan


METRICS: tuple[Metric, ...] = (
    Metric("support_recall", "Share of the gold passages held when acquisition ended.",
           "share", True, _recall),
    Metric("full_support", "Whether all gold passages are held.",
           "share", True, _full),
    Metric("evidence_precision", "Share of the held passages that are gold; 0 without evidence.",
           "share", True, _precision),
    Metric("evidence_recall", "As support_recall, named so beside precision and F1.",
           "share", True, _recall),
    Metric("evidence_f1", "Harmonic mean of evidence precision and recall.",
           "share", True, _evidence_f1),
    Metric("answer_em", "Exact match of the normalised answer, the best over aliases.",
           "share", True, _exact_match),
    Metric("answer_f1", "Token F1 of the answer under the dataset's rule, the best over aliases.",
           "share", True, _answer_f1),
    Metric("passages", "Passages that reached the answerer.",
           "passages", False, lambda scored: float(len(scored.evidence))),
    Metric("retrieval_calls", "Retrieval calls made.",
           "calls", False, lambda scored: float(scored.usage.retrieval_calls)),
    Metric("model_calls", "Language-model calls made, compression and answering included.",
           "calls", False, lambda scored: float(scored.usage.model_calls)),
    Metric("tokens", "Prompt and completion tokens of all language-model calls.",
           "tokens", False, lambda scored: float(scored.usage.tokens)),
    Metric("steps", "Control steps taken; stopping, compression and answering are not counted.",
           "steps", False, lambda scored: float(scored.steps)),
    Metric("seconds", "Wall-clock time; what questions did side by side counts in equal shares.",
           "seconds", False, lambda scored: scored.seconds),
)  # fmt: skip

METRIC_NAMES: tuple[str, ...] = tuple(metric.name for metric in METRICS)


def score(scored: Scored) -> dict[str, float]:
    """Return every metric of one question.

    A failed question keeps its real usage and scores 0 wherever more is better, so that failing never
    pays and never leaves the mean.
    """
    values = {metric.name: metric.compute(scored) for metric in METRICS}
    if scored.failure:
        for metric in METRICS:
            if metric.higher_is_better and not math.isnan(values[metric.name]):
                values[metric.name] = 0.0
    return values
