"""A tiny world of word-count vectors, a scripted language model, and a controller over it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hopilot.evidence.actions import ACTION_NAMES
from hopilot.evidence.environment import Environment
from hopilot.evidence.index import EvidenceIndex
from hopilot.evidence.language_model import Metered, Snippet
from hopilot.evidence.passages import Corpus, Passage
from hopilot.evidence.state import Limits, Usage, Verdict
from hopilot.features.extract import state_features
from hopilot.features.registry import select
from hopilot.models.bundle import save_bundle
from hopilot.models.golden import golden_of
from hopilot.models.manifest import Manifest
from hopilot.models.predictors import ModelFile, open_predictor
from hopilot.training.learners import LEARNERS, LearnerSettings, Rows

TOWNS = ("Ambrel", "Birkham", "Corvale", "Dunmoor", "Eastry", "Farlow")
PEOPLE = ("Ada Quill", "Bruno Marsh", "Clara Finch", "Dario Holt", "Edith Penn", "Felix Rowe")


@dataclass
class WordCounts:
    """An encoder whose vectors are hashed word counts."""

    name: str = "word-counts"
    fingerprint: str = "word-counts-1"
    revision: str = "1"
    dimension: int = 96
    query_prompt: str = ""
    passage_prompt: str = ""

    def encode(self, texts: Sequence[str], *, tick=lambda count: None):
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().replace(".", " ").replace("?", " ").split():
                place = int(hashlib.blake2b(word.encode(), digest_size=4).hexdigest(), 16)
                vectors[row, place % self.dimension] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    def count_truncated(self, texts: Sequence[str]) -> int:
        return 0


class Scripted:
    """A language model that judges by count, rewrites by appending, and answers with the last snippet."""

    name = "scripted"

    def judge_sufficiency(self, question, passages):
        enough = len(passages) > 6
        missing = () if enough else (f"the town of {passages[-1].title}",)
        return Metered(Verdict(enough, 0.5, missing), Usage(model_calls=1, prompt_tokens=9))

    def rewrite_query(self, question, query, passages):
        return Metered(f"{query} {passages[-1].title}", Usage(model_calls=1, prompt_tokens=5))

    def compress(self, question, passages, *, snippets, tokens):
        kept = tuple(Snippet(one.id, one.title, one.text) for one in passages[:snippets])
        return Metered(kept, Usage(model_calls=1, prompt_tokens=7))

    def answer(self, question, evidence, *, tokens=48):
        return Metered(evidence[-1].title if evidence else "", Usage(model_calls=1, completion_tokens=2))


@pytest.fixture(scope="session")
def questions() -> list[str]:
    return [f"What river flows through the birthplace of {person}?" for person in PEOPLE]


@pytest.fixture(scope="session")
def index(tmp_path_factory) -> EvidenceIndex:
    passages = [
        passage
        for person, town in zip(PEOPLE, TOWNS, strict=True)
        for passage in (
            Passage.of(person, f"{person} was a painter. {person} was born in {town}."),
            Passage.of(town, f"{town} is a town. The river {town[:3]}ene flows through {town}."),
            Passage.of(f"{town} Hall", f"{town} Hall is a house that stands near {town}."),
        )
    ]
    cache = tmp_path_factory.mktemp("vectors")
    return EvidenceIndex.build(Corpus.of(passages), WordCounts(), cache=cache)


@pytest.fixture
def environment(index) -> Environment:
    return Environment(index, Scripted(), Limits())


@pytest.fixture(scope="session")
def make_bundle():
    """Return a function that writes a bundle of small models fitted to noise over real feature names."""

    def make(folder, *, learner="forest", continuation=None, **changes):
        names, state_names = select(), state_features()
        generator = np.random.default_rng(5)

        def rows(width, binary):
            features = generator.normal(size=(160, width)).astype(np.float32)
            labels = features[:, 0] + features[:, -1] > 0
            labels = labels.astype(float) if binary else labels + generator.normal(size=160)
            return Rows(features[:120], labels[:120], features[120:], labels[120:])

        value_rows, state_rows = rows(len(names), False), rows(len(state_names), True)
        how, chosen = LearnerSettings(trees=10, min_leaf=5), LEARNERS[learner]
        models = {
            "value": chosen.export(chosen.make_value(value_rows, how)),
            "continuation": ModelFile("constant", value=continuation)
            if continuation is not None
            else chosen.export(chosen.make_continuation(state_rows, how)),
        }
        manifest = Manifest(
            **{
                "features": names,
                "state_features": state_names,
                "actions": ACTION_NAMES,
                "limits": Limits(),
                "lam": 0.0,
                "threshold": 0.5,
                "costs": dict.fromkeys(ACTION_NAMES, 0.0),
                "encoder_name": "word-counts",
                "encoder_fingerprint": "word-counts-1",
                "dataset_name": "hopilot",
                "dataset_fingerprint": "d" * 32,
                "target": "lookahead",
                "learner": learner,
                "seed": 13,
                "metrics": {"value_rmse": 0.1, "continuation_auc": None},
                "versions": {"numpy": np.__version__},
                **changes,
            }
        )
        golden = {
            role: golden_of(open_predictor(models[role]), found.features)
            for role, found in (("value", value_rows), ("continuation", state_rows))
        }
        return save_bundle(folder, manifest, models, golden)

    return make
