from pathlib import Path

import pytest
from hopilot.questions import load_dataset
from hopilot.questions.converting import convert
from hopilot.questions.stats import stats

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"real question files are not at {DATA}")

FILES = {
    "hotpotqa/dev.json.gz": ("hotpotqa", 1670, {2}),
    "2wikimultihopqa/dev.json.gz": ("2wikimultihopqa", 617, {2, 4}),
    "musique/dev.jsonl.gz": ("musique", 338, {2, 3, 4}),
}


@pytest.mark.parametrize("name", FILES)
def test_a_real_file_loads_complete_and_labelled(name, tmp_path):
    dataset_name, count, gold = FILES[name]
    dataset = load_dataset(DATA / name)
    assert (dataset.name, len(dataset)) == (dataset_name, count)
    dataset.require_labels("this test")
    position = dataset.corpus().position
    assert all(gold in position for question in dataset.questions for gold in question.support)
    found = stats(dataset)
    assert (set(found.support), found.missing_support) == (gold, 0)
    assert found.support == found.hops
    again = load_dataset(convert(dataset, tmp_path / "own.jsonl"))
    assert again.questions == dataset.questions
    assert again.corpus().fingerprint == dataset.corpus().fingerprint


def test_musique_has_titles_that_name_several_passages():
    assert stats(load_dataset(DATA / "musique/dev.jsonl.gz")).titles_with_several_texts > 100


def test_the_eleven_known_slips_of_the_originals_are_reported():
    files = [
        f"{folder}/{split}.json.gz" for folder in ("hotpotqa", "2wikimultihopqa") for split in ("train", "dev")
    ]
    flaws = [flaw for name in files for flaw in load_dataset(DATA / name).flaws]
    assert sum(int(flaw.split(": ")[1].split()[0]) for flaw in flaws) == 11
    assert all(flaw.startswith("supporting sentence number past the end") for flaw in flaws)
