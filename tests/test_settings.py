from dataclasses import fields
from pathlib import Path

import pytest
from hopilot.errors import InputError
from hopilot.evidence.state import Limits
from hopilot.opening import limits_of
from hopilot.settings import Settings, known_keys, load_settings
from pydantic import ValidationError


def write(folder: Path, text: str) -> Path:
    path = folder / "settings.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(*arguments) -> str:
    with pytest.raises(InputError) as caught:
        load_settings(*arguments)
    return str(caught.value)


def test_world_defaults_are_those_of_the_environment():
    assert limits_of(Settings().world) == Limits()
    assert set(type(Settings().world).model_fields) == {field.name for field in fields(Limits)}


def test_every_setting_has_a_line_of_doc():
    undocumented = [key for key, doc in known_keys().items() if not doc.strip() or "\n" in doc]
    assert undocumented == []
    assert known_keys()["training.trees"].startswith("Trees of a forest")


def test_settings_cannot_be_changed_in_place():
    with pytest.raises(ValidationError):
        Settings().training.trees = 3


def test_each_level_overrides_the_one_before(tmp_path):
    config = write(tmp_path, "training: {trees: 50, seed: 1, min_leaf: 2}\nworld: {max_steps: 2}\n")
    settings = load_settings(config, ["training.trees=60", "training.seed=2"], {"training.trees": "70"})
    assert (settings.training.trees, settings.training.seed, settings.training.min_leaf) == (70, 2, 2)
    assert settings.world.max_steps == 2
    assert settings.encoder == Settings().encoder


def test_options_that_were_not_given_leave_the_rest_alone():
    assert load_settings(None, ["training.trees=60"], {"training.trees": None}).training.trees == 60


def test_the_last_of_two_equal_keys_counts():
    assert load_settings(None, ["training.trees=1", "training.trees=2"]).training.trees == 2


@pytest.mark.parametrize("text", ["null", "none", "NULL"])
def test_null_takes_a_value_away(tmp_path, text):
    config = write(tmp_path, "world: {max_retrievals: 2}\n")
    assert load_settings(config).world.max_retrievals == 2
    assert load_settings(config, [f"world.max_retrievals={text}"]).world.max_retrievals is None


def test_a_value_may_hold_an_equals_sign():
    assert load_settings(None, ["language_model.model=a=b"]).language_model.model == "a=b"


def test_empty_files_and_empty_groups_change_nothing(tmp_path):
    assert load_settings(write(tmp_path, "")) == Settings()
    assert load_settings(write(tmp_path, "training:\n")) == Settings()


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("training.tres=5", "training.trees"),
        ("trainig.trees=5", "training.trees"),
        ("trees=5", "training.trees"),
        ("seed=5", "exploration.seed or training.seed or comparison.seed"),
    ],
)
def test_an_unknown_key_is_answered_with_the_nearest_known_one(text, nearest):
    message = refusal(None, [text])
    assert message == f"{text.partition('=')[0]}: unknown setting\nexpected: perhaps {nearest}"


def test_a_key_like_no_other_is_answered_with_all_keys():
    assert all(key in refusal(None, ["zzzzzz=5"]) for key in known_keys())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("training.trees=many", "a whole number"),
        ("training.trees=1.5", "a whole number"),
        ("training.trees=0", "a number of at least 1"),
        ("training.trees=null", "a whole number"),
        ("training.lam=nan", "a finite number"),
        ("training.threshold=2", "a number of at most 1"),
        ("training.validation_share=1", "a number below 1"),
        ("training.validation_share=0", "a number above 0"),
        ("training.learner=svm", "'forest' or 'lightgbm'"),
        ("encoder.name=", "text that is not empty"),
        ("training=5", "a group of settings"),
    ],
)
def test_a_wrong_value_names_the_field_and_what_was_expected(text, expected):
    message = refusal(None, [text])
    assert message.startswith(text.partition("=")[0] + ": ")
    assert f"expected: {expected}" in message


@pytest.mark.parametrize("text", ["training.trees", "=5", ""])
def test_a_set_without_key_or_value_is_refused(text):
    assert "key=value" in refusal(None, [text])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("training: {trees: '300'}", "training.trees: '300' is not a value"),
        ("training: {trees: true}", "training.trees: True is not a value"),
        ("encoder: {name: 12}", "encoder.name: 12 is not a value"),
        ("training: {tres: 3}", "training.tres: unknown setting"),
        ("training: 5", "training: 5 is not a value"),
        ("- training", "holds no settings"),
        ("a: 1\nb: [", ":2: not valid YAML"),
        ("1: {2: 3}", "1: unknown setting"),
    ],
)
def test_a_wrong_file_is_named_with_its_field_or_line(tmp_path, text, said):
    message = refusal(write(tmp_path, text))
    assert message.startswith(str(tmp_path / "settings.yaml"))
    assert said in message


def test_unreadable_files_are_named(tmp_path):
    (tmp_path / "latin.yaml").write_bytes(b"encoder: {name: caf\xe9}")
    for path in (tmp_path / "none.yaml", tmp_path, tmp_path / "latin.yaml"):
        assert refusal(path).startswith(str(path))


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path):
    path = tmp_path / "bom.yaml"
    path.write_bytes(b"\xef\xbb\xbftraining: {trees: 7}\n")
    assert load_settings(path).training.trees == 7


@pytest.mark.parametrize(
    "text", ["language_model.api_key=sk-secret", "language_model.base_url=http://me:sk-secret@host/v1"]
)
def test_secrets_are_refused_and_not_repeated(text):
    message = refusal(None, [text])
    assert "environment" in message
    assert "sk-secret" not in message


def test_training_defaults_are_those_of_the_fit():
    from hopilot.training.fitting import FitSettings

    assert FitSettings.of(Settings().training) == FitSettings()
    assert set(type(Settings().training).model_fields) == {field.name for field in fields(FitSettings)}


def test_exploration_defaults_are_those_of_the_explorer():
    from hopilot.trajectories.exploring import ExploreSettings

    chosen = Settings().exploration.model_dump(exclude={"limit"})
    assert ExploreSettings(**chosen) == ExploreSettings()
    assert set(chosen) == {field.name for field in fields(ExploreSettings)}
