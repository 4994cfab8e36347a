import ast
from pathlib import Path

import hopilot
import pytest
from hopilot.errors import InputError
from hopilot.evidence.actions import ACTION_NAMES
from hopilot.evidence.lens import Lenses
from hopilot.evidence.state import Limits
from hopilot.features.extract import FeatureExtractor, state_features
from hopilot.features.registry import GROUPS, LEVELS, Feature, declare, registered, select

NAMES = list(registered())

# Features that DynaKRAG names for its action-value model, and where they live here.
NAMED_BY_THE_PAPER = {
    "question length": ["question_words", "question_terms"],
    "question shape": ["question_yes_no", "question_who", "question_alternatives", "question_capitals"],
    "documents": ["evidence_passages"],
    "distinct titles": ["evidence_titles"],
    "frontier position": ["frontier_position"],
    "retrieval-score statistics": ["score_best", "score_mean", "score_worst", "score_spread", "score_lead"],
    "lexical question–evidence overlap": ["overlap_coverage", "overlap_best_passage", "overlap_best_sentence"],
    "bridge-entity count": ["bridge_candidates"],
    "action identity": [f"is_{name}" for name in ACTION_NAMES],
    "prior action counts": ["action_taken_before", *(f"taken_{name}" for name in ACTION_NAMES[:5])],
    "estimated action cost": ["cost_retrievals", "cost_model_calls", "cost_tokens"],
    "evidence burden (continuation)": ["evidence_tokens", "evidence_room"],
    "trajectory history (continuation)": [
        "history_steps",
        "history_retrievals",
        "history_tokens",
        "history_idle",
    ],
}


@pytest.mark.parametrize("name", NAMES)
def test_every_feature_is_declared_in_full(name):
    found = registered()[name]
    assert found.name == name
    assert found.group in GROUPS
    assert found.level in LEVELS
    assert found.doc.endswith(".")
    assert found.doc[0].isupper() or found.doc[0] == '"'
    assert found.unit
    assert found.dtype == "float32"
    assert not set(name) & set(',:[]{}" ')  # LightGBM refuses these


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_holds_something(group):
    assert select(groups=[group])
    assert GROUPS[group]


@pytest.mark.parametrize("what", NAMED_BY_THE_PAPER)
def test_what_the_paper_names_is_covered(what):
    assert [name for name in NAMED_BY_THE_PAPER[what] if name not in NAMES] == []


def test_docs_are_unique():
    docs = [found.doc for found in registered().values()]
    assert sorted({doc for doc in docs if docs.count(doc) > 1}) == []


def test_names_come_question_first_then_state_then_action():
    levels = [LEVELS.index(registered()[name].level) for name in NAMES]
    assert levels == sorted(levels)
    assert tuple(NAMES) == select()


def test_selection_by_name_keeps_registry_order():
    assert select(["history_steps", "question_words"]) == ("question_words", "history_steps")
    assert select([]) == ()


def test_selection_by_group_and_without():
    cost = ("cost_retrievals", "cost_model_calls", "cost_tokens")
    assert select(groups=["cost"]) == cost
    assert select(["question_words"], groups=["cost"]) == ("question_words", *cost)
    assert select(groups=["cost"], without=["cost_tokens"]) == cost[:2]
    assert select(without=[group for group in GROUPS if group != "cost"]) == cost
    assert select(["cost_tokens"], without=["cost"]) == ()


@pytest.mark.parametrize(
    ("chosen", "unknown"),
    [
        ({"names": ["question_words", "gold_recall"]}, "gold_recall"),
        ({"groups": ["gold"]}, "gold"),
        ({"without": ["nothing_such"]}, "nothing_such"),
    ],
)
def test_what_is_not_declared_is_refused_by_name(chosen, unknown):
    with pytest.raises(InputError, match=f"unknown {unknown}"):
        select(**chosen)


def test_state_features_leave_out_all_that_belongs_to_an_action():
    found = state_features()
    assert found == tuple(name for name in NAMES if registered()[name].level != "action")
    assert not {"action", "cost"} & {registered()[name].group for name in found}
    assert state_features(["cost_tokens", "history_steps"]) == ("history_steps",)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [({"group": "gold"}, "unknown group"), ({"level": "gold"}, "unknown group"), ({}, "twice")],
)
def test_bad_declarations_are_refused(changed, reason):
    fields = {
        "name": "question_words",
        "group": "question",
        "doc": "A.",
        "unit": "count",
        "level": "state",
        "compute": len,
    }
    with pytest.raises(ValueError, match=reason):
        declare(Feature(**{**fields, **changed}))
    assert list(registered()) == NAMES


def test_an_extractor_knows_its_declarations():
    extractor = FeatureExtractor(Lenses.__new__(Lenses), Limits(), ["history_steps", "question_words"])
    assert (
        [found.name for found in extractor.declared]
        == list(extractor.names)
        == ["question_words", "history_steps"]
    )


def test_features_read_nothing_but_run_time_facts():
    for path in (Path(hopilot.__file__).parent / "features").glob("*.py"):
        words = {
            node.attr
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Attribute)
        }
        assert not words & {"support", "answers", "gold", "labelled", "support_recall"}, path.name
