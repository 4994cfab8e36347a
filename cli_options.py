"""How a verb of the command line is declared, and how every verb fails."""

from __future__ import annotations

import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from .errors import HopilotError
from .progress import silence
from .settings import Settings, load_settings

__all__ = ["ENCODER", "LANGUAGE_MODEL", "WORLD", "Overwrite", "verb"]

ENCODER = {"--encoder": "encoder.name"}
LANGUAGE_MODEL = {
    "--language-model": "language_model.kind",
    "--base-url": "language_model.base_url",
    "--model": "language_model.model",
}
WORLD = {
    "--max-steps": "world.max_steps",
    "--max-retrievals": "world.max_retrievals",
    "--passages-per-retrieval": "world.passages_per_retrieval",
}
"""Flags that stand for settings, by the setting's dotted key; `verb` takes such tables."""

Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what the output holds.")]

_Config = Annotated[Path | None, typer.Option("--config", metavar="FILE.yaml", help="Settings to start from.")]
_Sets = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any setting, as in training.trees=50.")
]
_Quiet = Annotated[bool, typer.Option("--quiet", help="Show results and errors only.")]
_Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]
_SHARED = {"config": (_Config, None), "sets": (_Sets, None), "quiet": (_Quiet, False), "debug": (_Debug, False)}

Body = Callable[..., None]


def verb(app: typer.Typer, flags: Mapping[str, str] | None = None) -> Callable[[Body], Body]:
    """Add a function of (settings, its own options) to `app` as a verb named like the function.

    The verb also takes the options that all verbs share, and one option for each flag in `flags`,
    which overrides the setting that it stands for.
    """
    keys = {key.replace(".", "_"): key for key in (flags or {}).values()}

    def declare(body: Body) -> Body:
        def command(
            *, config: Path | None, sets: list[str] | None, quiet: bool, debug: bool, **given: Any
        ) -> None:
            options = {key: given.pop(name) for name, key in keys.items()}
            silence(quiet)
            with _reporting(debug):
                body(load_settings(config, sets or (), options), **given)
                sys.stdout.flush()

        own = list(inspect.signature(body, eval_str=True).parameters.values())[1:]
        found = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
        found += [_option(key, _flag(flag, key)) for flag, key in (flags or {}).items()]
        found = [*found, *(_option(name, hint, default) for name, (hint, default) in _SHARED.items())]
        command.__signature__ = inspect.Signature(found)  # type: ignore[attr-defined]
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in found}
        app.command(body.__name__, help=inspect.getdoc(body))(command)
        return body

    return declare


def _option(name: str, hint: Any, default: Any = None) -> inspect.Parameter:
    return inspect.Parameter(
        name.replace(".", "_"), inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint
    )


def _flag(flag: str, key: str) -> Any:
    """Return the annotation of a flag that stands for a setting; the setting's own doc is its help."""
    group, _, name = key.partition(".")
    field = type(Settings.model_fields[group].default).model_fields[name]
    default = "" if field.default is None else f" (default: {field.default})"
    if get_origin(field.annotation) is Literal:
        metavar = "|".join(get_args(field.annotation))
    else:
        metavar = "NUMBER" if {int, float} & {field.annotation, *get_args(field.annotation)} else "TEXT"
    return Annotated[
        str | None,
        typer.Option(flag, metavar=metavar, help=f"{field.description}{default}", show_default=False),
    ]


@contextmanager
def _reporting(debug: bool) -> Iterator[None]:
    """Turn whatever goes wrong into one message on stderr and an exit code."""
    try:
        yield
    except typer.Exit:
        raise
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        raise typer.Exit(130) from None
    except BrokenPipeError:  # the reader of our output has gone, which is its good right
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(141) from None
    except Exception as error:
        if debug:
            traceback.print_exc()
        print(f"error: {_message(error, debug)}", file=sys.stderr)
        raise typer.Exit(error.exit_code if isinstance(error, HopilotError) else 1) from None


def _message(error: Exception, debug: bool) -> str:
    if isinstance(error, HopilotError):
        return str(error)
    first = next(iter(str(error).splitlines()), "")
    named = f"{type(error).__name__}: {first}" if first else type(error).__name__
    return named if debug else f"{named} (run again with --debug to see where)"
