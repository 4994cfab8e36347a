import random

import numpy as np
import pytest
from hopilot.errors import InputError
from hopilot.evidence.encoder import Prompts, SentenceEncoder, open_encoder, prompts_for

BGE = Prompts(query="Represent this sentence for searching relevant passages: ")
E5 = Prompts(query="query: ", passage="passage: ")
TEXTS = ["", " ", "A town.", "The Ister is a river.", "painter " * 30, "river " * 9, "Ünïcödé 河 🙂", "x" * 500]


@pytest.fixture(scope="module")
def alone(minilm):
    """Vectors of texts that were encoded one at a time."""
    return np.concatenate([minilm.encode([text]) for text in TEXTS])


@pytest.mark.parametrize("seed", range(3))
def test_a_text_has_the_same_vector_in_any_company_and_order(minilm, alone, seed):
    generator = random.Random(seed)
    company = [f"{'word ' * generator.randrange(1, 60)}{number}" for number in range(20)]
    mixed = [*TEXTS, *company]
    generator.shuffle(mixed)
    vectors = minilm.encode(mixed)
    for text, vector in zip(TEXTS, alone, strict=True):
        assert vectors[mixed.index(text)].tobytes() == vector.tobytes()


def test_vectors_are_normalised_float32(minilm, alone):
    assert alone.dtype == np.float32
    assert alone.shape == (len(TEXTS), minilm.dimension)
    assert np.linalg.norm(alone, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_what_is_alike_lies_close(minilm):
    river, stream, tax = minilm.encode(["a river in Spain", "a Spanish stream", "tax law"])
    assert river @ stream > river @ tax + 0.2


def test_padding_and_batches_do_not_change_what_the_model_says(minilm, alone):
    expected = minilm._model.encode(TEXTS, normalize_embeddings=True, batch_size=1)
    assert (expected * alone).sum(axis=1) == pytest.approx(1.0, abs=1e-5)


def test_no_texts_give_no_vectors(minilm):
    assert minilm.encode([]).shape == (0, minilm.dimension)
    assert minilm.count_truncated([]) == 0


def test_long_texts_are_cut_at_the_window_and_counted(minilm):
    head = "river " * (minilm.window - 2)  # two tokens frame a text
    assert minilm.count_truncated([head, head + "town", "short"]) == 1
    kept, cut = minilm.encode([head, head + "town " * 5000])
    assert kept.tobytes() == cut.tobytes()


def test_half_a_character_does_not_stop_the_encoder(minilm):
    assert minilm.encode(["\ud800 town"]).tobytes() == minilm.encode(["? town"]).tobytes()
    assert minilm.count_truncated(["\ud800 town"]) == 0


def test_progress_counts_every_text_once(minilm):
    done = []
    minilm.encode(["a", "b " * 40, "c"] * 11, tick=done.append)
    assert sum(done) == 33
    assert max(done) <= minilm.batch_size


def test_bfloat16_is_another_encoder_with_nearly_the_same_vectors(minilm, alone):
    coarse = open_encoder("minilm", precision="bfloat16")
    assert coarse.fingerprint != minilm.fingerprint
    vectors = coarse.encode(TEXTS[2:6])
    assert vectors.dtype == np.float32
    cosines = (vectors * alone[2:6]).sum(axis=1)
    assert cosines.min() > 0.99
    assert cosines.max() < 1 - 1e-7


def test_whatever_a_vector_depends_on_is_in_the_fingerprint(minilm):
    def made(prompts=None, **changes):
        return SentenceEncoder("minilm", minilm._path, prompts or Prompts(), **changes).fingerprint

    found = [made(), made(batch_size=8), made(precision="bfloat16"), made(E5), made(BGE)]
    assert found[0] == minilm.fingerprint
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("name", "prompts"),
    [
        ("BAAI/bge-large-en-v1.5", BGE),
        ("/models/bge-small-en-v1.5/", BGE),
        ("BAAI/bge-m3", Prompts()),
        ("intfloat/e5-large-v2", E5),
        ("/models/E5-base", E5),
        ("intfloat/multilingual-e5-small", E5),
        ("sentence-transformers/all-MiniLM-L6-v2", Prompts()),
        ("/bge/e5/minilm", Prompts()),
        ("thenlper/gte5-large", Prompts()),
    ],
)
def test_prompts_are_those_of_the_family_that_the_last_part_of_a_name_tells(name, prompts):
    assert prompts_for(name) == prompts


def test_instructed_e5_models_want_an_instruction_and_bare_passages():
    prompts = prompts_for("intfloat/e5-mistral-7b-instruct")
    assert prompts.query.startswith("Instruct: ")
    assert prompts.query.endswith("\nQuery: ")
    assert prompts.passage == ""


@pytest.mark.parametrize(("alias", "prompts"), [("minilm", Prompts()), ("bge", BGE), ("e5", E5)])
def test_aliases_have_the_prompts_of_their_models(alias, prompts):
    encoder = open_encoder(alias)  # loads nothing yet
    assert (encoder.name, encoder.query_prompt, encoder.passage_prompt) == (
        alias,
        prompts.query,
        prompts.passage,
    )


@pytest.mark.parametrize("name", ["no-such-model", "./no/such/folder", "{empty}"])
def test_an_encoder_that_cannot_be_loaded_is_named_with_a_remedy(name, tmp_path):
    name = name.format(empty=tmp_path)
    with pytest.raises(InputError, match="cannot be loaded") as refused:
        open_encoder(name).encode(["text"])
    assert name in refused.value.where
    assert "--encoder minilm" in str(refused.value)


@pytest.mark.parametrize(
    ("name", "precision", "what"), [("minilm", "float16", "precision"), (" ", "float32", "name")]
)
def test_what_names_no_encoder_is_refused_at_once(name, precision, what):
    with pytest.raises(InputError, match=what):
        open_encoder(name, precision=precision)
