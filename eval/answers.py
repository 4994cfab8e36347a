"""Answer exact match and F1 under each dataset's official rules.

Sources: hotpot_evaluate_v1.py, 2wikimultihop_evaluate_v1.1.py, and MuSiQue's metrics/answer.py.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["ANSWER_RULES", "AnswerRule", "normalise_answer"]

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_VERDICTS = frozenset({"yes", "no", "noanswer"})


@lru_cache(maxsize=1 << 14)
def normalise_answer(text: str) -> str:
    """Return the form in which answers are compared: lower case, no ASCII punctuation, no articles."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def _overlap_f1(prediction: Sequence[str], gold: Sequence[str]) -> float:
    """Return the harmonic mean of token precision and recall, tokens counted as often as they occur."""
    shared = sum((Counter(prediction) & Counter(gold)).values())
    return 2 * shared / (len(prediction) + len(gold)) if shared else 0.0


def _f1_with_verdicts(prediction: str, gold: str) -> float:
    """Give nothing for sharing words with a yes, no or noanswer: those are right or wrong as a whole.

    As in the official script, two answers that normalise to nothing have F1 0 (and EM 1).
    """
    said, meant = normalise_answer(prediction), normalise_answer(gold)
    if said != meant and (said in _VERDICTS or meant in _VERDICTS):
        return 0.0
    return _overlap_f1(said.split(), meant.split())


def _f1_squad(prediction: str, gold: str) -> float:
    """Treat yes and no as words; where either side normalises to nothing, F1 is 1 only if both do."""
    said, meant = normalise_answer(prediction).split(), normalise_answer(gold).split()
    return _overlap_f1(said, meant) if said and meant else float(said == meant)


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """How one dataset compares a prediction with its gold answer and the aliases of it."""

    name: str
    doc: str
    f1_of_pair: Callable[[str, str], float]

    def exact_match(self, prediction: str, golds: Sequence[str]) -> float:
        """Return 1 when the prediction normalises to the same text as any of `golds`, else 0.

        Two answers that normalise to nothing are equal.
        """
        said = normalise_answer(prediction)
        return float(any(said == normalise_answer(gold) for gold in golds))

    def f1(self, prediction: str, golds: Sequence[str]) -> float:
        """Return the best token F1 over `golds`, in [0, 1]; 0 when there are none."""
        return max((self.f1_of_pair(prediction, gold) for gold in golds), default=0.0)


_HOTPOTQA = AnswerRule("hotpotqa", "token F1; yes, no and noanswer count only as a whole", _f1_with_verdicts)
_2WIKI = AnswerRule("2wikimultihopqa", "as hotpotqa; the best over aliases", _f1_with_verdicts)
_MUSIQUE = AnswerRule("musique", "SQuAD token F1, no rule for yes and no; the best over aliases", _f1_squad)
_OWN = AnswerRule("hopilot", "own files are scored like hotpotqa; the best over aliases", _f1_with_verdicts)

ANSWER_RULES: dict[str, AnswerRule] = {rule.name: rule for rule in (_HOTPOTQA, _2WIKI, _MUSIQUE, _OWN)}
"""The rule of each dataset name."""
