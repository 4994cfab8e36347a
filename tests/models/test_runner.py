import json
from dataclasses import replace

import pytest
from hopilot.errors import InputError, RunError
from hopilot.evidence.actions import Action
from hopilot.evidence.environment import Environment
from hopilot.evidence.state import Limits
from hopilot.models.bundle import load_bundle
from hopilot.models.runner import Answer, Choice, PolicyRunner, run_policy
from hopilot.models.trace import TraceStep


@pytest.fixture(scope="module")
def bundle(make_bundle, tmp_path_factory):
    return make_bundle(tmp_path_factory.mktemp("bundles") / "bundle")


@pytest.fixture
def runner(bundle, index, environment):
    return PolicyRunner.from_bundle(bundle, index, environment.language_model)


def choosing(pick):
    """Return a controller from a function of state and valid actions."""
    return lambda states, valids: [Choice(pick(s, v)) for s, v in zip(states, valids, strict=True)]


FIRST = choosing(lambda state, valid: valid[0])


def test_a_bundle_answers_a_question_and_says_how(runner, questions):
    answer = runner.run(questions[0])
    assert answer.question == questions[0]
    assert answer.evidence
    assert answer.answer == answer.snippets[-1].title
    assert answer.stop_reason in ("stop_answer", "step cap")
    assert answer.usage.retrieval_calls >= 1
    assert answer.usage.model_calls >= 2  # compression and answering
    assert answer.seconds > 0
    assert [step.number for step in answer.trace] == list(range(1, len(answer.trace) + 1))
    assert {title for step in answer.trace for title in step.titles} == {p.title for p in answer.state.passages}


def test_the_trace_scores_every_option_where_there_was_a_choice(runner, questions):
    trace = runner.run(questions[1]).trace
    chosen = [step for step in trace if len(step.options) > 1]
    assert chosen
    for step in chosen:
        assert all(option.score is not None for option in step.options)
        allowed = [o for o in step.options if step.stop_allowed or o.action != "stop_answer"]
        assert step.action == max(allowed, key=lambda option: option.score).action


def test_questions_together_end_as_each_would_alone(runner, bundle, index, environment, questions):
    together = runner.run_many(questions)
    fresh = PolicyRunner.from_bundle(bundle, index, environment.language_model)
    alone = [fresh.run(question) for question in reversed(questions)]
    assert [replace(one, seconds=0) for one in together] == [replace(one, seconds=0) for one in alone[::-1]]
    assert runner.run_many([]) == []


def test_streaming_yields_the_steps_of_the_run_and_then_the_answer(runner, questions):
    *steps, answer = runner.stream(questions[2])
    whole = runner.run(questions[2])
    assert isinstance(answer, Answer)
    assert all(isinstance(step, TraceStep) for step in steps)
    assert tuple(steps) == whole.trace
    assert answer.answer == whole.answer


@pytest.mark.parametrize("cap", [1, 3])
def test_a_controller_that_always_goes_on_is_ended_by_the_step_cap(index, environment, questions, cap):
    capped = Environment(index, environment.language_model, Limits(max_steps=cap))
    (answer,) = run_policy(capped, FIRST, questions[:1])
    assert answer.stop_reason == "step cap"
    assert answer.state.steps == cap
    assert answer.trace[-1].action == "stop_answer"
    assert answer.evidence


def test_a_controller_ends_even_where_steps_are_not_counted(environment, questions, monkeypatch):
    monkeypatch.setattr(environment, "step", lambda pairs: [state for state, _ in pairs])
    (answer,) = run_policy(environment, FIRST, questions[:1])
    assert answer.stop_reason == "step cap"


@pytest.mark.parametrize("question", ["", "   "])
def test_a_blank_question_ends_without_evidence_and_without_an_answer(runner, question, questions):
    blank, full = runner.run_many([question, questions[0]])
    assert blank.answer == ""
    assert blank.evidence == ()
    assert blank.stop_reason
    assert blank.usage.model_calls == 0
    assert full.answer == runner.run(questions[0]).answer


def test_a_state_without_any_valid_action_ends_there(environment, questions, monkeypatch):
    monkeypatch.setattr(environment, "valid", lambda state: ())
    (answer,) = run_policy(environment, FIRST, questions[:1])
    assert answer.stop_reason == "no valid action"
    assert answer.trace == ()


def test_a_choice_that_is_not_valid_is_refused(environment, questions):
    with pytest.raises(RunError, match="stop_answer is not valid here"):
        run_policy(environment, choosing(lambda state, valid: Action("stop_answer")), questions[:1])


def test_a_controller_must_choose_for_every_state(environment, questions):
    with pytest.raises(ValueError, match="zip"):
        run_policy(environment, lambda states, valids: [], questions[:2])


def test_threshold_and_lambda_can_be_changed_over_one_bundle(bundle, environment, questions):
    loaded = load_bundle(bundle)
    shut = run_policy(environment, loaded.policy(environment, threshold=0.0), questions)
    assert {answer.stop_reason for answer in shut} == {"step cap"}
    costs = {**loaded.manifest.costs, "retrieve_more": 1.0, "gap_query": 1.0, "bridge_entity_expand": 1.0}
    costs["rewrite_query"] = costs["sufficiency_check"] = 1.0
    dear = replace(loaded, manifest=replace(loaded.manifest, costs=costs))
    stingy = run_policy(environment, dear.policy(environment, threshold=1.0, lam=100.0), questions)
    assert {answer.state.steps for answer in stingy} == {1}


def test_features_that_this_version_orders_otherwise_are_refused(bundle, environment):
    loaded = load_bundle(bundle)
    swapped = (loaded.manifest.features[1], loaded.manifest.features[0], *loaded.manifest.features[2:])
    changed = replace(loaded, manifest=replace(loaded.manifest, features=swapped))
    with pytest.raises(InputError, match="another order"):
        changed.policy(environment)


def test_an_answer_is_plain_json_and_readable_text(runner, questions):
    answer = runner.run(questions[3])
    plain = json.loads(json.dumps(answer.as_dict(), allow_nan=False))
    assert plain["trace"][0]["options"][0]["action"] == "retrieve_more"
    assert plain["usage"]["tokens"] == answer.usage.tokens
    text = answer.render()
    assert "▸ retrieve_more" in text
    assert "\x1b" not in text


def test_titles_that_look_like_markup_are_shown_as_they_are(environment, questions):
    (answer,) = run_policy(environment, FIRST, questions[:1])
    step = replace(answer.trace[0], titles=("[bold]Not[/bold] markup [/]",))
    assert "[bold]Not[/bold] markup [/]" in replace(answer, trace=(step,)).render()


def test_the_trace_tells_what_a_check_found(environment, questions):
    def check_when_possible(state, valid):
        return next((action for action in valid if action.kind == "sufficiency_check"), valid[0])

    (answer,) = run_policy(environment, choosing(check_when_possible), questions[:1])
    checks = [step for step in answer.trace if step.action == "sufficiency_check"]
    assert checks[0].note.startswith("insufficient (0.50), missing: the town of")
    gaps = [option for step in answer.trace for option in step.options if option.action == "gap_query"]
    assert gaps[0].candidate.startswith("the town of")
