"""One raw record of a question file: typed access to its fields, with its place in every complaint."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import InputError

__all__ = ["Record"]

BROKEN_CHARACTER = "half of a character (a lone surrogate) replaced"


@dataclass(slots=True)
class Record:
    """The fields of one record, where it stands, and the flaws noted while reading it."""

    where: str
    """`file:line` for JSONL, `file:record N` otherwise; both count from 1."""
    fields: dict[str, Any]
    notes: list[str] = field(default_factory=list)

    def note(self, flaw: str) -> None:
        """Remember a flaw that the record can be read in spite of."""
        self.notes.append(flaw)

    def fail(self, what: str, *, expected: str = "", remedy: str = "") -> InputError:
        """Return, for the caller to raise, an error that names the place of this record."""
        return InputError(what, where=self.where, expected=expected, remedy=remedy)

    def need(self, *names: str) -> Any:
        """Return the value of the first of these fields that is there.

        Raises:
            InputError: none of them is.
        """
        for name in names:
            if self.fields.get(name) is not None:
                return self.fields[name]
        raise self._lacks(*names)

    def require_table(self, name: str) -> None:
        """Refuse a record without this table; an empty or null one is there.

        Raises:
            InputError: the field is missing.
        """
        if name not in self.fields:
            raise self._lacks(name)

    def _lacks(self, *names: str) -> InputError:
        wanted = " or ".join(map(repr, names))
        return self.fail(f"no {wanted} given; the record has the fields {', '.join(self.fields)}")

    def tidy(self, value: Any, name: str) -> str:
        """Return a scalar as text without outer blanks; null and NaN are empty, booleans yes and no.

        Raises:
            InputError: the value is a list, an object or binary.
        """
        match value:
            case str():
                return self._mended(value).strip()
            case None:
                return ""
            case bool():
                return "yes" if value else "no"
            case int():
                return str(value)
            case float():
                return format(value, ".15g") if math.isfinite(value) else ""
        raise self.fail(f"{name!r} is a {type(value).__name__}", expected="text")

    def _mended(self, text: str) -> str:
        # JSON can escape half of a UTF-16 pair; such text cannot be encoded, so it would fail later on.
        try:
            text.encode()
        except UnicodeEncodeError:
            self.note(BROKEN_CHARACTER)
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text

    def identifier(self) -> str:
        """Return the record's id.

        Raises:
            InputError: there is none.
        """
        name = self.tidy(self.need("_id", "id"), "id")
        if not name:
            raise self.fail("the id is blank")
        return name

    def question(self) -> str:
        """Return the text of the question.

        Raises:
            InputError: it is missing or blank.
        """
        text = self.tidy(self.need("question"), "question")
        if not text:
            raise self.fail("the question is blank", expected="the text of a question")
        return text

    def texts(self, *names: str) -> tuple[str, ...]:
        """Return the texts in these fields, each a scalar or a list; blanks and repeats left out."""
        found: dict[str, None] = {}
        for name in names:
            value = self.fields.get(name)
            for item in value if isinstance(value, list) else [value]:
                found[self.tidy(item, name)] = None
        return tuple(text for text in found if text)

    def sentences(self, value: Any, name: str) -> tuple[str, ...]:
        """Return a paragraph, one string or a list of sentences, as its sentences."""
        parts = value if isinstance(value, list) else [value]
        return tuple(self.tidy(part, name) for part in parts)

    def flag(self, value: Any, name: str) -> bool:
        """Return a boolean; 0 and 1 will do, null is false.

        Raises:
            InputError: it is anything else.
        """
        if value not in (None, False, True):
            raise self.fail(f"{name!r} is {value!r}", expected="true or false")
        return bool(value)

    def count(self, value: Any, name: str) -> int:
        """Return a whole number of at least 0; null is 0.

        Raises:
            InputError: it is anything else.
        """
        whole = isinstance(value, (int, float)) and not isinstance(value, bool) and value == value // 1
        if value is not None and not (whole and value >= 0):
            raise self.fail(f"{name!r} is {value!r}", expected="a whole number, 0 or more")
        return int(value or 0)

    def rows(
        self, name: str, required: tuple[str, ...], optional: tuple[str, ...] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a table field as (*required, *optional), in any of the shapes in use.

        Official files hold a list of lists (`[["Title", ["A sentence."]], …]`) or of objects; hub
        exports hold one object of columns (`{"title": […], "sentences": […]}`), some of them as JSON
        in a string. A missing or null table has no rows.

        Raises:
            InputError: the table has another shape, lacks a required column, or has ragged columns.
        """
        table = self._decoded(name)
        if isinstance(table, dict):
            table = self._transposed(name, table, required, optional)
        if not isinstance(table, list):
            raise self.fail(f"{name!r} is a {type(table).__name__}", expected=_wanted(required))
        for place, row in enumerate(table, start=1):
            if isinstance(row, dict) and all(column in row for column in required):
                yield tuple(row.get(column) for column in (*required, *optional))
            elif isinstance(row, (list, tuple)) and len(row) == len(required):
                yield (*row, *(None for _ in optional))
            else:
                found = f"has the fields {', '.join(row)}" if isinstance(row, dict) else f"is {row!r:.60}"
                raise self.fail(f"entry {place} of {name!r} {found}", expected=_wanted(required))

    def _decoded(self, name: str) -> Any:
        value = self.fields.get(name)
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                raise self.fail(f"{name!r} is text, and not JSON", expected="a list or columns") from None
        return [] if value is None else value

    def _transposed(
        self, name: str, table: Mapping[str, Any], required: tuple[str, ...], optional: tuple[str, ...]
    ) -> list[dict[str, Any]]:
        if all(column is None for column in table.values()):
            return []
        columns = {key: table[key] for key in (*required, *optional) if table.get(key) is not None}
        if any(key not in columns for key in required):
            raise self.fail(f"{name!r} has the columns {', '.join(table)}", expected=_wanted(required))
        if any(not isinstance(column, list) for column in columns.values()):
            raise self.fail(f"a column of {name!r} is no list", expected=_wanted(required))
        sizes = {key: len(column) for key, column in columns.items()}
        if len(set(sizes.values())) > 1:
            raise self.fail(f"the columns of {name!r} differ in length: {sizes}", expected="equal lengths")
        return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def _wanted(columns: tuple[str, ...]) -> str:
    return f"rows, or columns, of {', '.join(columns)}" if columns else "rows or columns"
