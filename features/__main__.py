"""Print the table of declared features: `python -m hopilot.features > docs/features.md`."""

from __future__ import annotations

from .registry import GROUPS, registered

__all__ = ["page"]


def page() -> str:
    """Return the page of docs/features.md."""
    known = registered().values()
    lines = [
        "# Features",
        "",
        f"{len(known)} declared features in {len(GROUPS)} groups. They read run-time facts and nothing else.",
        "`question` features are found once a question, `state` features once a state, `action` features once",
        "a valid action; the continuation model sees the first two levels only. All are float32.",
        "",
        "This page is made by `python -m hopilot.features > docs/features.md`.",
    ]
    for group, about in GROUPS.items():
        lines += ["", f"## {group}: {about}", "", "| name | level | unit | what it is |", "|---|---|---|---|"]
        lines += [
            f"| `{found.name}` | {found.level} | {found.unit} | {found.doc} |"
            for found in known
            if found.group == group
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
