"""Question files of every known shape, recognised by their content and loaded as one `Dataset`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, islice
from os import PathLike
from pathlib import Path

from ..errors import InputError
from .hotpotqa import hotpotqa_question, is_two_wiki, two_wiki_question
from .musique import musique_question
from .own import own_dataset, own_question
from .question import Dataset, Question
from .reading import read_records
from .record import Record

__all__ = ["SHAPES", "Shape", "load_dataset"]

SAMPLE = 200
"""Records looked at to recognise a file."""
REPEATED_RECORD = "identical record repeated"


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of question file: the fields it is known by, and how a record of it is read."""

    label: str
    table: str
    """The field that holds the paragraphs; besides it each shape has an id and a question."""
    read: Callable[[Record], Question | None]
    """Return the question, or None for a record to be skipped."""
    dataset: Callable[[Record], str]
    """Return the name of the dataset that a record belongs to."""
    tells: Callable[[Sequence[Record]], bool] = lambda sample: True
    """Decide between shapes that have the same fields."""

    def fits(self, sample: Sequence[Record]) -> bool:
        """Whether the sampled records have this shape; the first one has the say about fields."""
        fields = sample[0].fields.keys()
        known = {"question", self.table} <= fields and bool(fields & {"_id", "id"})
        return known and self.tells(sample)


SHAPES: tuple[Shape, ...] = (
    Shape("MuSiQue", "paragraphs", musique_question, lambda record: "musique"),
    Shape("2WikiMultiHopQA", "context", two_wiki_question, lambda record: "2wikimultihopqa", is_two_wiki),
    Shape("HotpotQA", "context", hotpotqa_question, lambda record: "hotpotqa"),
    Shape("Hopilot's own", "passages", own_question, own_dataset),
)


def load_dataset(path: str | PathLike[str], limit: int | None = None) -> Dataset:
    """Load the questions of a file, at most the first `limit`.

    HotpotQA, 2WikiMultiHopQA, MuSiQue and own files are told apart by their content, whatever their
    name, as JSON list, JSONL (both plain or gzipped) or parquet. What was wrong but could be read is
    told in `flaws`.

    Raises:
        InputError: the file cannot be read, has no known shape, or a record in it is wrong.
    """
    source = Path(path)
    if limit is not None and limit < 1:
        raise InputError(f"a limit of {limit} leaves no question", where="limit", expected="1 or more")
    with closing(read_records(source)) as records:
        sample = list(islice(records, SAMPLE))
        if not sample:
            raise InputError("the file holds no records", where=str(source))
        shape = _recognised(sample)
        found = _Collector(shape)
        for record in chain(sample, records):
            found.add(record)
            if len(found.questions) == limit:
                break
    if not found.questions:
        reasons = "; ".join(found.flaws())
        raise InputError(f"the file holds no question that can be used ({reasons})", where=str(source))
    questions = tuple(question for question, _ in found.questions.values())
    return Dataset(found.dataset, questions, str(source), found.flaws())


@dataclass(slots=True)
class _Collector:
    """Reads records in order and keeps each question once, with where it was first met."""

    shape: Shape
    dataset: str = ""
    questions: dict[str, tuple[Question, str]] = field(default_factory=dict)
    noted: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        dataset = self.shape.dataset(record)
        if dataset != (self.dataset or dataset):
            raise record.fail(
                f"belongs to {dataset}, the records before it to {self.dataset}",
                expected="one dataset per file, since each has its own scoring rules",
                remedy="split the file",
            )
        self.dataset = dataset
        question = self.shape.read(record)
        if question is None:
            self._count(record.notes, record.identifier())
            return
        known = self.questions.get(question.id)
        if known is None:
            self.questions[question.id] = question, record.where
            self._count(record.notes, question.id)
        elif known[0] == question:
            self._count([REPEATED_RECORD], question.id)
        else:
            raise record.fail(
                f"the id {question.id!r} stands for another question at {known[1]}",
                expected="one question per id",
                remedy="give each question an id of its own",
            )

    def _count(self, flaws: Iterable[str], question: str) -> None:
        for flaw in flaws:
            count, first = self.noted.get(flaw, (0, question))
            self.noted[flaw] = count + 1, first

    def flaws(self) -> tuple[str, ...]:
        return tuple(
            f"{flaw}: {count} {'time' if count == 1 else 'times'}, first in {first!r}"
            for flaw, (count, first) in sorted(self.noted.items())
        )


def _recognised(sample: Sequence[Record]) -> Shape:
    for shape in SHAPES:
        if shape.fits(sample):
            return shape
    known = "; ".join(f"{shape.label}: id or _id, question, {shape.table}" for shape in SHAPES)
    raise sample[0].fail(
        f"the fields {', '.join(sample[0].fields) or '(none)'} fit no known question file",
        expected=known,
        remedy="rename the fields, or write the questions in Hopilot's own shape",
    )
