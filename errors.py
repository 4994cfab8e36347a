"""The two ways in which a command can fail, each with one clear message."""

from __future__ import annotations

__all__ = ["HopilotError", "InputError", "RunError"]


class HopilotError(Exception):
    """A failure that a user can act on; the command line prints it without a traceback."""

    exit_code = 1


class RunError(HopilotError):
    """Work that started and could not be finished (exit code 1)."""


class InputError(HopilotError):
    """Wrong input (exit code 2): what is wrong, where, what was expected, what to do about it."""

    exit_code = 2

    def __init__(self, what: str, *, where: str = "", expected: str = "", remedy: str = "") -> None:
        self.what, self.where, self.expected, self.remedy = what, where, expected, remedy
        lines = [f"{where}: {what}" if where else what]
        if expected:
            lines.append(f"expected: {expected}")
        if remedy:
            lines.append(f"what to do: {remedy}")
        super().__init__("\n".join(lines))
