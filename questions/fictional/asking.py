"""Puts chains into words: one relation inside another, from the entity named to the question mark."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .graph import Step
from .wording import FORWARD
from .wording_backward import BACKWARD, RULES

__all__ = ["phrase"]

_LIGHT = 7  # words of `{x}` up to which something may follow it


def _fits(template: str, x: str) -> bool:
    """Whether a template reads well around `x`: something long must come first or last."""
    return len(x.split()) <= _LIGHT or template.startswith("{X}") or template.rstrip("?").endswith("{x}")


def _filled(template: str, x: str, step: Step, spouse: str) -> str:
    big = x[0].upper() + x[1:]
    return template.format(x=x, X=big, role=step.role, spouse=spouse)


def phrase(
    start: str,
    steps: Sequence[Step],
    spouses: Sequence[str],
    random: Random,
    *,
    rules: bool = False,
    noun: bool = False,
) -> str | None:
    """Return a question, or with `noun` a noun phrase, that leads from `start` along the steps.

    `spouses` says, step by step, whether a spouse is a husband or a wife. `rules` reads two links as
    one where a rule joins them; None where no rule does, or where no wording reads well.
    """
    x, place, ruled = start, 0, False
    while place < len(steps):
        pair = tuple(step.relation for step in steps[place : place + 2] if not step.inverse)
        rule = RULES.get((pair[0], pair[1])) if rules and len(pair) == 2 and not ruled else None
        step = steps[place]
        form = rule or (BACKWARD if step.inverse else FORWARD)[step.relation]
        spouse, ruled = spouses[place], ruled or rule is not None
        place += 2 if rule else 1
        wanted = form.ask if place >= len(steps) and not noun else form.noun
        fitting = [template for template in wanted if _fits(template, x)]
        if not fitting:
            return None
        x = _filled(random.choice(fitting), x, step, spouse)
    return x if ruled or not rules else None
