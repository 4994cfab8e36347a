import pytest
from hopilot import opening
from hopilot.errors import InputError
from hopilot.evidence.encoder import open_encoder
from hopilot.evidence.index import EvidenceIndex
from hopilot.settings import LanguageModelSettings, load_settings


@pytest.mark.parametrize("kind", ["openai", "gguf"])
def test_a_language_model_that_is_not_there_is_refused(kind):
    with pytest.raises(InputError, match=rf"language_model.kind: '{kind}' is not available"):
        opening.open_language_model(LanguageModelSettings(kind=kind), None)


def test_limits_are_those_of_the_settings():
    world = load_settings(None, ["world.max_steps=2", "world.max_retrievals=1"]).world
    limits = opening.limits_of(world)
    assert (limits.max_steps, limits.max_retrievals, limits.passages_per_retrieval) == (2, 1, 3)


def test_the_encoder_is_opened_as_the_settings_say():
    settings = load_settings(None, ["encoder.batch_size=8", "encoder.precision=bfloat16"]).encoder
    encoder = opening.open_encoder_of(settings)
    assert (encoder.name, encoder.batch_size, encoder.precision) == ("minilm", 8, "bfloat16")


def test_an_index_opens_with_its_own_encoder_unless_the_settings_name_one(monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(EvidenceIndex, "load", lambda folder, encoder=None: opened.append(encoder))
    opening.open_index(tmp_path, load_settings())
    opening.open_index(tmp_path, load_settings(None, ["encoder.batch_size=8"]))
    assert opened[0] is None
    assert opened[1].batch_size == 8
    assert type(opened[1]) is type(open_encoder())
