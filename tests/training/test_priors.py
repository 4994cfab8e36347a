import numpy as np
import pytest
from hopilot.errors import InputError
from hopilot.evidence.encoder import open_encoder
from hopilot.evidence.index import EvidenceIndex
from hopilot.questions.converting import convert
from hopilot.questions.fictional import fictional_world
from hopilot.training.priors import fit_weights, main


def test_weights_follow_the_fact_that_foretells():
    random = np.random.default_rng(13)
    samples = [({"intercept": 1.0, "tells": x, "noise": y}, bool(x > 0.5)) for x, y in random.random((200, 2))]
    weights = fit_weights(samples)
    assert weights["tells"] > 5 * abs(weights["noise"])


def test_samples_of_one_kind_are_refused():
    with pytest.raises(InputError, match="one kind"):
        fit_weights([({"intercept": 1.0, "tells": 1.0}, True)] * 3)


def test_priors_are_fitted_to_files_and_indexes(tmp_path, capsys):
    dataset = fictional_world(questions=40, articles=200).dataset("train").head(6)
    convert(dataset, tmp_path / "train.jsonl")
    EvidenceIndex.build(dataset.corpus(), open_encoder()).save(tmp_path / "index")
    main([str(tmp_path / "train.jsonl"), str(tmp_path / "index")])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["TITLED", "UNTITLED", "JUDGE_WEIGHTS"]


def test_a_file_without_its_index_is_a_wrong_call():
    with pytest.raises(SystemExit, match="usage"):
        main(["only-a-file"])
