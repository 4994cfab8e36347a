"""The settings of every command: declared once, with a line of doc and a default for each.

Secrets are no settings: keys are read from the environment where they are used.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from .errors import InputError

__all__ = [
    "ComparisonSettings",
    "EncoderSettings",
    "ExplorationSettings",
    "LanguageModelSettings",
    "Settings",
    "TrainingSettings",
    "WorldSettings",
    "known_keys",
    "load_settings",
]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class WorldSettings(_Frozen):
    """The hard caps of one question (defaults: DynaKRAG, experimental setup)."""

    max_steps: int = Field(default=4, ge=1)
    """Control steps; terminal compression and answering are not counted."""
    max_retrievals: int | None = Field(default=None, ge=0)
    """Retrieval calls, or null for no cap but the steps."""
    passages_per_retrieval: int = Field(default=3, ge=1)
    """Unseen passages that one retrieval adds at the most."""
    context_passages: int = Field(default=12, ge=1)
    """Passages that reach the answerer at the most."""
    frontier_depth: int = Field(default=24, ge=1)
    """Length of the initial ranking that `retrieve_more` walks down."""
    candidates_per_action: int = Field(default=1, ge=1)
    """Candidates (bridge entities, gaps) offered as actions of their own; 1 is the paper."""
    snippets: int = Field(default=8, ge=1)
    """Sentences that compression keeps at the most (the paper: 8; 12 on MuSiQue)."""
    snippet_tokens: int = Field(default=256, ge=1)
    """Tokens of those sentences together at the most (the paper: 256; 384 on MuSiQue)."""
    answer_tokens: int = Field(default=48, ge=1)
    """Length of an answer at the most."""


class EncoderSettings(_Frozen):
    """The sentence encoder behind an index."""

    name: str = Field(default="minilm", min_length=1)
    """An alias (minilm is packaged and needs no network), a model folder, or a hub name."""
    batch_size: int = Field(default=16, ge=1)
    """Texts encoded at once; part of what a vector depends on, to the last bit."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """Number format of the weights; bfloat16 is faster on processors that have it."""


class LanguageModelSettings(_Frozen):
    """The language model that judges, rewrites, compresses and answers."""

    kind: Literal["extractive", "openai", "gguf"] = "extractive"
    """extractive needs no weights and no network; openai is any OpenAI-compatible endpoint; gguf is a file."""
    base_url: str | None = None
    """Address of the endpoint, without credentials; null for the client's own default."""
    model: str | None = None
    """Name of the model at the endpoint, or path of the GGUF file."""

    @field_validator("base_url")
    @classmethod
    def _no_credentials(cls, value: str | None) -> str | None:
        if value is not None and "@" in urlsplit(value).netloc:
            raise ValueError("an address without user name and password: a key belongs in the environment")
        return value


class ExplorationSettings(_Frozen):
    """How trajectories are gathered."""

    explorer: Literal["exhaustive", "sampled"] = "exhaustive"
    """exhaustive takes every valid action to the step cap; sampled expands what seeded roll-outs meet."""
    limit: int | None = Field(default=None, ge=1)
    """Questions explored, the first of the dataset; null for all."""
    seed: int = Field(default=13, ge=0)
    """Seed of the roll-outs."""
    rollouts: int = Field(default=4, ge=1)
    """Roll-outs per question of the sampled explorer."""
    shard_questions: int = Field(default=32, ge=1)
    """Questions per shard: what a crash can lose at the most."""
    jobs: int = Field(default=1, ge=1)
    """Shards explored side by side."""
    backend: Literal["loky", "threading"] = "loky"
    """Processes or threads for those jobs."""


class TrainingSettings(_Frozen):
    """How a controller is fitted (defaults: DynaKRAG, experimental setup)."""

    learner: Literal["forest", "lightgbm"] = "forest"
    """Random forest or gradient-boosted trees, for action value and for continuation."""
    target: str = Field(default="one_step", min_length=1)
    """Name of the registered function of the labels that action values are fitted to."""
    trees: int = Field(default=300, ge=1)
    """Trees of a forest, or boosting rounds at the most."""
    min_leaf: int | None = Field(default=None, ge=1)
    """Rows in a leaf at the least; null for the learner's own (8 in forests, 40 in boosted trees)."""
    max_features: float = Field(default=1 / 3, gt=0, le=1)
    """Share of the features tried at a split of the value forest."""
    seed: int = Field(default=13, ge=0)
    """Seed of the learner and of the split."""
    validation_share: float = Field(default=0.2, gt=0, lt=1)
    """Share of the questions held out for validation; a question never stands on both sides."""
    refit: bool = True
    """Whether the shipped models are fitted again to all questions once they are measured."""
    threshold: float = Field(default=0.05, ge=0, le=1)
    """Stopping is allowed where the probability that going on helps lies below this."""
    lam: float = Field(default=0.0, ge=0)
    """λ: the weight of an action's cost against its value."""


class ComparisonSettings(_Frozen):
    """How controllers are compared."""

    base: str | None = None
    """Controller that the others are compared with; null for fixed_k, or the first where it is not listed."""
    limit: int | None = Field(default=None, ge=1)
    """Questions compared, the first of the dataset; null for all."""
    bootstrap_samples: int = Field(default=2000, ge=1)
    """Resamples behind each interval."""
    seed: int = Field(default=13, ge=0)
    """Seed of the resamples and of the controllers that draw at random."""


class Settings(_Frozen):
    """All settings, grouped by what they govern."""

    world: WorldSettings = WorldSettings()
    """The hard caps of one question."""
    encoder: EncoderSettings = EncoderSettings()
    """The sentence encoder."""
    language_model: LanguageModelSettings = LanguageModelSettings()
    """The language model."""
    exploration: ExplorationSettings = ExplorationSettings()
    """How trajectories are gathered."""
    training: TrainingSettings = TrainingSettings()
    """How a controller is fitted."""
    comparison: ComparisonSettings = ComparisonSettings()
    """How controllers are compared."""


def known_keys() -> dict[str, str]:
    """Map each dotted key to its line of doc, in the order of declaration."""
    return {
        f"{group}.{name}": field.description or ""
        for group, declared in Settings.model_fields.items()
        for name, field in type(declared.default).model_fields.items()
    }


def load_settings(
    config: Path | None = None, sets: Sequence[str] = (), options: Mapping[str, str | None] | None = None
) -> Settings:
    """Return defaults < `config` (YAML) < `sets` (key=value) < `options` (key to value, None if not given).

    Keys are dotted, as in training.trees=50; `null` and `none` stand for no value.

    Raises:
        InputError: no such file, not YAML, an unknown key, or a value of the wrong type or range.
    """
    merged: dict[str, Any] = {}
    if config is not None:
        merged = _read_yaml(config)
        _checked(merged, source=config)
    given = [_split(text) for text in sets]
    given += [(key, value) for key, value in (options or {}).items() if value is not None]
    for key, text in given:
        layer: Any = None if text.lower() in ("null", "none") else text
        for part in reversed(key.split(".")):
            layer = {part: layer}
        _checked(layer)
        for group, fields in layer.items():
            merged.setdefault(group, {}).update(fields)
    return _checked(merged)


def _split(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise InputError(f"{text!r} has no key", where="--set", expected="key=value, as in training.trees=50")
    return key.strip(), value.strip()


def _read_yaml(path: Path) -> dict[str, Any]:
    import yaml

    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path)) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", where=str(path), expected="a YAML file") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        raise InputError(f"not valid YAML ({getattr(error, 'problem', error)})", where=where) from None
    if not isinstance(found, dict | None):
        raise InputError(
            "holds no settings", where=str(path), expected=f"groups {', '.join(Settings.model_fields)}"
        )
    return {group: {} if fields is None else fields for group, fields in (found or {}).items()}


def _checked(values: Mapping[str, Any], source: Path | None = None) -> Settings:
    """Validate; values of a file must have their type already, those of the command line are text."""
    try:
        return Settings.model_validate(values, strict=source is not None)
    except ValidationError as error:
        raise _explained(error, source) from None


def _explained(error: ValidationError, source: Path | None) -> InputError:
    first = error.errors(include_url=False)[0]
    key, value = ".".join(str(part) for part in first["loc"]), first["input"]
    unknown = first["type"] in ("extra_forbidden", "invalid_key")
    if unknown and isinstance(value, dict) and value:
        key += f".{next(iter(value))}"
    where = f"{source}: {key}" if source else key
    if unknown:
        return _unknown(key, where)
    meaning = _MEANINGS.get(first["type"], first["msg"]).format(**first.get("ctx", {}))
    if first["type"] == "value_error":  # the value may hold what must not be shown
        return InputError("not a value of this setting", where=where, expected=meaning)
    shown = "null" if value is None else repr(value)[:80]
    return InputError(f"{shown} is not a value of this setting", where=where, expected=meaning)


def _unknown(key: str, where: str) -> InputError:
    keys = list(known_keys())
    name = key.rpartition(".")[2]
    near = [known for known in keys if known.endswith(f".{name}")] or difflib.get_close_matches(key, keys, n=1)
    secret = any(word in name.lower() for word in ("key", "password", "secret", "token"))
    return InputError(
        "unknown setting",
        where=where,
        expected=f"perhaps {' or '.join(near)}" if near else f"one of {', '.join(keys)}",
        remedy="give secrets in the environment, never as settings" if secret else "",
    )


_MEANINGS = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "string_type": "text",
    "string_too_short": "text that is not empty",
    "greater_than": "a number above {gt}",
    "greater_than_equal": "a number of at least {ge}",
    "less_than": "a number below {lt}",
    "less_than_equal": "a number of at most {le}",
    "literal_error": "{expected}",
    "value_error": "{error}",
    "model_type": "a group of settings, each as key: value",
}
"""What pydantic's errors mean in plain words, by their type."""
