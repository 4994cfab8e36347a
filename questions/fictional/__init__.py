"""A world that does not exist, to learn and to test on without any download."""

from __future__ import annotations

from .world import FictionalWorld, Split, fictional_world

__all__ = ["FictionalWorld", "Split", "fictional_world"]
