import pytest
from hopilot.eval.answers import ANSWER_RULES, normalise_answer

HOTPOT, WIKI, MUSIQUE, OWN = (ANSWER_RULES[n] for n in ("hotpotqa", "2wikimultihopqa", "musique", "hopilot"))
ALL = pytest.mark.parametrize("rule", [HOTPOT, WIKI, MUSIQUE, OWN], ids=lambda rule: rule.name)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The  Beatles!", "beatles"),
        ("a U.S. Navy ship", "us navy ship"),
        ("Theatre", "theatre"),
        ("An (the) a", ""),
        ("well-known", "wellknown"),
        ("", ""),
    ],
)
def test_answers_are_compared_without_case_punctuation_and_articles(text: str, normal: str):
    assert normalise_answer(text) == normal


@ALL
def test_exact_match_and_f1_of_a_partly_right_answer(rule):
    # prediction: 3 tokens, gold: 2 tokens, shared 2: P = 2/3, R = 1, F1 = 4/5.
    assert rule.exact_match("President Barack Obama", ("Barack Obama",)) == 0
    assert rule.f1("President Barack Obama", ("Barack Obama",)) == pytest.approx(0.8)


@ALL
def test_repeated_words_count_as_often_as_they_occur(rule):
    # prediction 3, gold 2, shared 1: P = 1/3, R = 1/2, F1 = 2/5.
    assert rule.f1("york york york", ("new york",)) == pytest.approx(0.4)


@ALL
def test_the_best_of_the_aliases_counts(rule):
    assert rule.exact_match("NYC", ("New York City", "NYC")) == 1
    assert rule.f1("York", ("New York City", "New York")) == pytest.approx(2 / 3)


@pytest.mark.parametrize("rule", [HOTPOT, WIKI, OWN], ids=lambda rule: rule.name)
@pytest.mark.parametrize(
    ("said", "meant"), [("no doubt", "no"), ("yes", "yes sir"), ("noanswer", "noanswer given")]
)
def test_sharing_a_verdict_word_earns_nothing(rule, said: str, meant: str):
    assert rule.f1(said, (meant,)) == 0
    assert rule.f1(meant, (meant,)) == 1


def test_musique_has_no_rule_for_verdicts():
    assert MUSIQUE.f1("no doubt", ("no",)) == pytest.approx(2 / 3)


def test_answers_that_normalise_to_nothing_follow_the_official_scripts():
    assert HOTPOT.exact_match("the", ("A",)) == 1
    assert HOTPOT.f1("the", ("A",)) == 0
    assert MUSIQUE.exact_match("the", ("A",)) == 1
    assert MUSIQUE.f1("the", ("A",)) == 1
    assert MUSIQUE.f1("", ("river",)) == MUSIQUE.f1("river", ("the",)) == 0


def test_every_dataset_has_a_rule_of_its_name():
    assert all(name == rule.name for name, rule in ANSWER_RULES.items())
    assert set(ANSWER_RULES) == {"hotpotqa", "2wikimultihopqa", "musique", "hopilot"}
