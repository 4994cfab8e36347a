"""Opens what the settings name: an index, a language model, an environment.

A top-level function with plain arguments, so that worker processes can open their own.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .errors import InputError
from .settings import EncoderSettings, LanguageModelSettings, Settings, WorldSettings

if TYPE_CHECKING:
    from .evidence.encoder import SentenceEncoder
    from .evidence.environment import Environment
    from .evidence.index import EvidenceIndex
    from .evidence.language_model import LanguageModel
    from .evidence.lens import Lenses
    from .evidence.state import Limits

__all__ = [
    "limits_of",
    "open_encoder_of",
    "open_environment",
    "open_index",
    "open_language_model",
]


def limits_of(world: WorldSettings) -> Limits:
    """Return the hard caps as the environment takes them."""
    from .evidence.state import Limits

    return Limits(**world.model_dump())


def open_encoder_of(settings: EncoderSettings) -> SentenceEncoder:
    """Return the encoder that the settings name; its weights load at first use."""
    from .evidence.encoder import open_encoder

    return open_encoder(settings.name, batch_size=settings.batch_size, precision=settings.precision)


def open_index(folder: Path, settings: Settings) -> EvidenceIndex:
    """Open an index with the encoder of the settings, or where they name none with the one that made it."""
    from .evidence.index import EvidenceIndex

    chosen = settings.encoder != EncoderSettings()
    return EvidenceIndex.load(folder, open_encoder_of(settings.encoder) if chosen else None)


def open_language_model(
    settings: LanguageModelSettings, index: EvidenceIndex, lenses: Lenses | None = None
) -> LanguageModel:
    """Return the language model of the settings; `lenses` are shared with the environment where given.

    Raises:
        InputError: a kind that this version does not offer.
    """
    if settings.kind != "extractive":
        raise InputError(
            f"{settings.kind!r} is not available in this version",
            where="language_model.kind",
            expected="extractive",
        )
    from .evidence.extractive import Extractive

    return Extractive(index, lenses)


def open_environment(folder: Path, settings: Settings) -> Environment:
    """Open the world over an index folder under the limits of the settings."""
    from .evidence.environment import Environment
    from .evidence.lens import Lenses

    index = open_index(folder, settings)
    lenses = Lenses(index)  # what has been read of a passage is read once
    model = open_language_model(settings.language_model, index, lenses)
    return Environment(index, model, limits_of(settings.world), lenses=lenses)
