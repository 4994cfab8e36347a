"""The controllers that can be named in a comparison."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from ...errors import InputError
from .base import Controller
from .fixed_k import FIXED_K
from .learned import learned, ungated, uniform_gated
from .oracle import ORACLE
from .rule import RULE
from .uniform_valid import UNIFORM_VALID

__all__ = ["ABLATIONS", "CONTROLLERS", "find_controller"]

CONTROLLERS: dict[str, Controller] = {
    controller.name: controller for controller in (FIXED_K, UNIFORM_VALID, RULE, ORACLE)
}
"""Those that need nothing but an environment, by name."""

ABLATIONS: dict[str, Callable[[str], Controller]] = {"ungated": ungated, "uniform_gated": uniform_gated}
"""Forms of a bundle's controller, named `FORM:BUNDLE`."""

_NAME = re.compile(r"[A-Za-z0-9_.+-]+")


def find_controller(name: str, bundles: Mapping[str, Path]) -> Controller:
    """Return the controller called `name`: a declared one, a bundle's, or an ablation of a bundle's.

    Raises:
        InputError: nothing bears that name, or a bundle bears the name of a declared controller.
    """
    form, _, bundle = name.partition(":")
    if name in bundles:
        return _of_bundle(name)
    if name in CONTROLLERS:
        return CONTROLLERS[name]
    if form in ABLATIONS and bundle in bundles:
        return ABLATIONS[form](bundle)
    forms = [f"{form}:{bundle}" for bundle in bundles for form in ABLATIONS]
    raise InputError(
        f"no controller is called {name!r}",
        where="controllers",
        expected=", ".join([*CONTROLLERS, *bundles, *forms]),
        remedy="a trained controller is added with --bundle NAME=DIR",
    )


def _of_bundle(name: str) -> Controller:
    if name in CONTROLLERS:
        raise InputError(
            f"a bundle may not be called {name!r}: a controller of that name exists",
            where="bundles",
            remedy="choose another name in --bundle NAME=DIR",
        )
    if not _NAME.fullmatch(name) or name in (".", ".."):
        raise InputError(
            f"a bundle may not be called {name!r}",
            where="bundles",
            expected="letters, digits and _ . + - only, since the name becomes a folder",
        )
    return learned(name)
