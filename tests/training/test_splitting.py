import subprocess
import sys

import pytest
from hopilot.errors import InputError
from hopilot.training.splitting import validation_mask, validation_questions

IDS = [f"question {number}" for number in range(500)]


def test_rows_of_one_question_stand_on_one_side():
    rows = [question for question in IDS for _ in range(5)]
    mask = validation_mask(rows, share=0.2, seed=13)
    sides = {}
    for question, held_out in zip(rows, mask, strict=True):
        sides.setdefault(question, set()).add(bool(held_out))
    assert all(len(side) == 1 for side in sides.values())
    assert {True, False} == set.union(*sides.values())


def test_the_share_is_met_roughly_and_the_seed_changes_the_questions():
    held_out = validation_questions(IDS, share=0.2, seed=13)
    assert 70 <= len(held_out) <= 130
    assert held_out != validation_questions(IDS, share=0.2, seed=14)


def test_a_question_keeps_its_side_when_others_come():
    few = validation_questions(IDS[:250], share=0.2, seed=13)
    assert few == validation_questions(IDS, share=0.2, seed=13) & set(IDS[:250])


def test_two_questions_give_one_to_each_side_whatever_the_share():
    for share in (0.01, 0.99):
        assert len(validation_questions(["a", "b"], share=share, seed=13)) == 1


@pytest.mark.parametrize("share", [0.0, 1.0, float("nan")])
def test_a_share_outside_zero_and_one_is_refused(share):
    with pytest.raises(InputError, match="validation_share"):
        validation_questions(IDS, share=share, seed=13)


def test_one_question_is_too_few():
    with pytest.raises(InputError, match="explore more questions"):
        validation_questions(["only"] * 9, share=0.2, seed=13)


def test_the_split_does_not_depend_on_the_hash_seed():
    code = (
        "from hopilot.training.splitting import validation_questions as v;"
        "print(sorted(v([f'q{n}' for n in range(50)], share=.3, seed=1)))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
