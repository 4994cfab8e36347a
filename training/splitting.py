"""Training and validation rows, split by question: rows of one question never stand on both sides."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["validation_mask", "validation_questions"]


def _draw(question_id: str, seed: int) -> float:
    """Return a number in [0, 1) that depends on nothing but the question and the seed."""
    digest = hashlib.blake2b(f"{seed}:{question_id}".encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(digest.digest(), "little") / 2.0**64


def validation_questions(question_ids: Iterable[str], *, share: float, seed: int) -> frozenset[str]:
    """Return the questions held out: those whose hash falls below `share`, at least one and not all.

    A question stays on its side when others are added.

    Raises:
        InputError: the share is not in (0, 1), or there are fewer than two questions.
    """
    if not 0.0 < share < 1.0:
        raise InputError(
            f"validation share {share!r}", where="validation_share", expected="a number between 0 and 1"
        )
    draws = sorted((_draw(question, seed), question) for question in set(question_ids))
    if len(draws) < 2:
        raise InputError(
            f"{len(draws)} question(s) to learn from",
            where="training table",
            expected="at least two, one of them for validation",
            remedy="explore more questions",
        )
    below = sum(draw < share for draw, _ in draws)
    return frozenset(question for _, question in draws[: min(max(below, 1), len(draws) - 1)])


def validation_mask(question_ids: Sequence[str], *, share: float, seed: int) -> NDArray[np.bool_]:
    """Return which rows belong to held-out questions, bool [rows]."""
    import numpy as np

    held_out = validation_questions(question_ids, share=share, seed=seed)
    return np.array([question in held_out for question in question_ids], dtype=bool)
