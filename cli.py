"""The front door: one verb per job, each a thin call of the room that does it.

Rooms are imported inside the verbs, so that `hopilot --help` answers at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from .cli_data import data
from .cli_options import ENCODER, LANGUAGE_MODEL, WORLD, Overwrite, verb
from .errors import InputError, RunError
from .files import canonical_json, refuse_occupied
from .opening import limits_of, open_encoder_of, open_environment, open_index, open_language_model
from .progress import note, progress
from .settings import Settings

__all__ = ["app", "main"]

app = typer.Typer(
    name="hopilot",
    help="Train, compare and ship learned evidence controllers for multi-hop RAG.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(data, name="data")

_OutFolder = Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder to write.")]
_Dataset = Annotated[Path, typer.Option("--dataset", metavar="FILE", help="Questions with gold support.")]
_Index = Annotated[Path, typer.Option("--index", metavar="DIR", help="Folder that `hopilot index` wrote.")]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 a failed run, 2 wrong input, 130 interrupted."""
    app(args=None if arguments is None else list(arguments), prog_name="hopilot")


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"hopilot {version('hopilot')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Take the options that come before a verb."""


@verb(app, {**WORLD, **ENCODER})
def quickstart(
    settings: Settings,
    *,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder to write.")] = Path(
        "hopilot-quickstart"
    ),
    overwrite: Overwrite = False,
) -> None:
    """Tell the whole story on the fictional world: minutes, offline."""
    from .eval.quickstart import quickstart as run

    run(out, open_encoder_of(settings.encoder), limits_of(settings.world), overwrite=overwrite)


@verb(app, ENCODER)
def index(
    settings: Settings,
    *,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...")],
    out: _OutFolder,
    overwrite: Overwrite = False,
) -> None:
    """Encode the passages of question files and write an index over them."""
    from .evidence.index import EvidenceIndex
    from .evidence.passages import Corpus
    from .questions.loading import load_dataset

    corpus = Corpus.of(passage for file in files for passage in load_dataset(file).corpus())
    refuse_occupied(out, overwrite=overwrite)  # now, rather than after the encoding
    with progress("encoding", len(corpus)) as tick:
        built = EvidenceIndex.build(corpus, open_encoder_of(settings.encoder), tick=tick)
    built.save(out, overwrite=overwrite)
    cut = f" ({built.truncated} are longer than the encoder reads)" if built.truncated else ""
    note(f"indexed {len(corpus)} passages{cut} in {out}")


@verb(
    app,
    {
        "--explorer": "exploration.explorer",
        "--limit": "exploration.limit",
        "--seed": "exploration.seed",
        "--jobs": "exploration.jobs",
        "--backend": "exploration.backend",
        **WORLD,
        **LANGUAGE_MODEL,
    },
)
def explore(
    settings: Settings, *, dataset: _Dataset, index: _Index, out: _OutFolder, overwrite: Overwrite = False
) -> None:
    """Explore questions with gold at hand and label every transition; an interrupted run resumes."""
    from .questions.loading import load_dataset
    from .trajectories.exploring import ExploreSettings
    from .trajectories.exploring import explore as run

    chosen = settings.exploration.model_dump(exclude={"limit"})
    questions = load_dataset(dataset, settings.exploration.limit)
    done = run(
        questions,
        partial(open_environment, index, settings),
        ExploreSettings(**chosen),
        out,
        overwrite=overwrite,
    )
    note(f"explored {len(questions.questions)} questions in {done.folder}")


@verb(
    app,
    {
        "--learner": "training.learner",
        "--target": "training.target",
        "--trees": "training.trees",
        "--seed": "training.seed",
    },
)
def train(
    settings: Settings,
    *,
    trajectories: Annotated[
        list[Path],
        typer.Option("--trajectories", metavar="DIR...", help="Folders that `hopilot explore` wrote."),
    ],
    out: _OutFolder,
    index: Annotated[
        Path | None, typer.Option("--index", metavar="DIR", help="Their index, should it have moved since.")
    ] = None,
    more: Annotated[list[Path] | None, typer.Argument(hidden=True)] = None,
    overwrite: Overwrite = False,
) -> None:
    """Fit action values and continuation to trajectories and write a bundle."""
    from .training.exporting import train as fit
    from .training.fitting import FitSettings
    from .training.table import read_table

    fitted = fit(
        read_table([*trajectories, *(more or [])], index),
        FitSettings.of(settings.training),
        out,
        overwrite=overwrite,
        parameters=settings.model_dump(),
    )
    for text in fitted.notes:
        note(f"note: {text}")
    note(f"trained {settings.training.learner} on {settings.training.target} in {out}")


@verb(
    app,
    {
        "--base": "comparison.base",
        "--limit": "comparison.limit",
        "--seed": "comparison.seed",
        **WORLD,
        **LANGUAGE_MODEL,
    },
)
def compare(
    settings: Settings,
    *,
    dataset: _Dataset,
    index: _Index,
    controllers: Annotated[str, typer.Option("--controllers", metavar="A,B,C", help="Controllers by name.")],
    out: _OutFolder,
    bundle: Annotated[
        list[str] | None, typer.Option("--bundle", metavar="NAME=DIR", help="A trained controller to add.")
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Run controllers over the same questions and compare them, question by question."""
    from .eval.comparing import compare as run
    from .eval.table import show
    from .questions.loading import load_dataset

    bundles = _named_folders(bundle or [])
    results = run(
        load_dataset(dataset, settings.comparison.limit),
        open_environment(index, settings),
        [name.strip() for name in controllers.split(",") if name.strip()],
        bundles,
        settings.comparison,
        out,
        overwrite=overwrite,
    )
    show(results)


@verb(app)
def export(
    settings: Settings,
    *,
    run: Annotated[
        str, typer.Option("--run", metavar="DIR|runs:/ID", help="What `hopilot train` wrote or logged.")
    ],
    out: _OutFolder,
    overwrite: Overwrite = False,
) -> None:
    """Copy the bundle of a training run and verify it."""
    from .training.exporting import export as copy

    copy(run, out, overwrite=overwrite)
    note(f"exported {run} to {out}")


@verb(app, LANGUAGE_MODEL)
def ask(
    settings: Settings,
    *,
    question: Annotated[str, typer.Argument(metavar="QUESTION")],
    bundle: Annotated[Path, typer.Option("--bundle", metavar="DIR", help="The trained controller.")],
    index: _Index,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer and its trace as JSON.")] = False,
) -> None:
    """Answer one question with a trained controller, and show how it went about it."""
    from .models.runner import PolicyRunner

    if not question.strip():
        raise InputError("the question is blank", where="QUESTION", expected="a question")
    opened = open_index(index, settings)
    runner = PolicyRunner.from_bundle(bundle, opened, open_language_model(settings.language_model, opened))
    reply = runner.run(question)
    if as_json:
        print(canonical_json(reply.as_dict()), end="")
        return
    print(reply.render())
    print(reply.answer or f"no answer ({reply.stop_reason})")


@verb(app)
def doctor(settings: Settings) -> None:
    """Say what is installed and what is missing."""
    from .doctor import examine

    faults = 0
    for finding in examine(settings):
        print(finding, flush=True)
        faults += finding.fault
    if faults:
        raise RunError(f"{faults} required parts are missing or broken (marked FAULT above)")


def _named_folders(texts: Sequence[str]) -> dict[str, Path]:
    """Read NAME=DIR pairs."""
    folders: dict[str, Path] = {}
    for text in texts:
        name, _, folder = text.partition("=")
        if not name or not folder or name in folders:
            raise InputError(f"{text!r}", where="--bundle", expected="NAME=DIR, each name once")
        folders[name] = Path(folder)
    return folders
