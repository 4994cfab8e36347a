import math
from dataclasses import replace

import pytest
from hopilot.eval.answers import ANSWER_RULES
from hopilot.eval.metrics import METRIC_NAMES, METRICS, Scored, score
from hopilot.evidence.state import Usage
from hopilot.questions.question import Question

QUESTION = Question(
    id="q", text="?", kind="bridge", hops=2, answers=("Barack Obama",), support=("g1", "g2"), passages=()
)


def scored(
    question: Question = QUESTION,
    evidence=("g1", "x", "y", "z"),
    prediction="President Barack Obama",
    failure="",
):
    usage = Usage(retrieval_calls=3, model_calls=4, prompt_tokens=100, completion_tokens=20)
    return Scored(
        question, ANSWER_RULES["hotpotqa"], evidence, prediction, usage, 4, 0.25, "stop_answer", failure=failure
    )


def test_every_metric_of_a_question_done_by_hand():
    assert score(scored()) == {
        "support_recall": 0.5,
        "full_support": 0.0,
        "evidence_precision": 0.25,
        "evidence_recall": 0.5,
        "evidence_f1": pytest.approx(2 * 0.25 * 0.5 / 0.75),
        "answer_em": 0.0,
        "answer_f1": pytest.approx(0.8),
        "passages": 4.0,
        "retrieval_calls": 3.0,
        "model_calls": 4.0,
        "tokens": 120.0,
        "steps": 4.0,
        "seconds": 0.25,
    }


def test_all_support_held_is_full_support():
    values = score(scored(evidence=("x", "g2", "g1")))
    assert (values["support_recall"], values["full_support"]) == (1, 1)
    assert values["evidence_f1"] == pytest.approx(0.8)


def test_gold_that_the_dataset_lacks_stays_in_the_denominator():
    lacking = replace(QUESTION, missing_support=2)
    values = score(scored(lacking, evidence=("g1", "g2")))
    assert (values["support_recall"], values["full_support"]) == (0.5, 0)
    assert values["evidence_precision"] == 1


def test_no_evidence_scores_nothing_and_divides_by_nothing():
    values = score(scored(evidence=(), prediction=""))
    quality = [metric.name for metric in METRICS if metric.higher_is_better]
    assert [values[name] for name in quality] == [0.0] * len(quality)


def test_a_failed_question_has_no_quality_and_its_real_usage():
    values = score(scored(evidence=("g1", "g2"), prediction="Barack Obama", failure="RunError: no endpoint"))
    assert [values[m.name] for m in METRICS if m.higher_is_better] == [0.0] * 7
    assert (values["tokens"], values["retrieval_calls"], values["passages"]) == (120, 3, 2)


def test_a_question_without_gold_has_no_quality_to_speak_of():
    bare = replace(QUESTION, answers=(), support=())
    for failure in ("", "RunError: no endpoint"):
        values = score(scored(bare, failure=failure))
        assert all(math.isnan(values[metric.name]) for metric in METRICS if metric.higher_is_better)
        assert values["tokens"] == 120


def test_declared_names_are_those_of_the_results_file():
    quality = "support_recall full_support evidence_precision evidence_recall evidence_f1 answer_em answer_f1"
    spent = "passages retrieval_calls model_calls tokens steps seconds"
    assert tuple(f"{quality} {spent}".split()) == METRIC_NAMES
    assert all(metric.doc.endswith(".") and metric.unit for metric in METRICS)
