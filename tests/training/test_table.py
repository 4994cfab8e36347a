from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hopilot.errors import InputError
from hopilot.evidence.actions import Action
from hopilot.evidence.encoder import open_encoder
from hopilot.evidence.index import EvidenceIndex
from hopilot.evidence.lens import Lenses
from hopilot.evidence.passages import Corpus
from hopilot.features.extract import FeatureExtractor, state_features
from hopilot.features.registry import select
from hopilot.files import read_json, write_json
from hopilot.training.splitting import validation_questions
from hopilot.training.table import action_costs, read_table, training_table
from hopilot.trajectories.exploring import ExploreSettings, explore
from hopilot.trajectories.run import TrajectoryRun
from hopilot.trajectories.schema import state_from_row
from tiny_world import TINY_LIMITS, build_index, open_world, tiny_dataset

ONE = tiny_dataset()


@pytest.fixture(scope="module")
def explored(tmp_path_factory):
    """Return a function that explores the tiny world once a name, and gives the folder."""
    base = tmp_path_factory.mktemp("runs")

    def explore_into(name, dataset=ONE, limits=TINY_LIMITS, **settings):
        if not (base / name).exists():
            opening = partial(open_world, base / "cache", limits, scripted=True)
            explore(dataset, opening, ExploreSettings(**{"shard_questions": 3, **settings}), base / name)
        return base / name

    return explore_into


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    index = build_index(tmp_path_factory.mktemp("cache"))
    return {index.fingerprint: index}.__getitem__


def test_a_row_belongs_to_its_label(explored, opened):
    run = TrajectoryRun.load(explored("run"))
    table = training_table([run.folder], opened)
    index = opened(run.manifest["index_fingerprint"])
    extractor = FeatureExtractor(Lenses(index), TINY_LIMITS)
    states = {
        (row["question_id"], row["state"]): state_from_row(row, index) for row in run.read("states").to_pylist()
    }
    labels = run.read("labels").to_pylist()
    assert len(labels) == len(table.labels) == len(table.features)
    for row, label, features in zip(labels, table.labels.to_dict("records"), table.features, strict=True):
        assert label == {**row, "question_id": f"hopilot:{row['question_id']}"}
        action = Action(row["action"], row["candidate"])
        expected = extractor.rows(states[row["question_id"], row["state"]], [action])
        assert features.tobytes() == expected.tobytes()
    assert table.names == select()
    table.check()


def test_a_state_has_one_row_for_the_continuation_model(explored, opened):
    run = TrajectoryRun.load(explored("run"))
    table = training_table([run.folder], opened)
    assert len(table.state_labels) == len(table.state_features) == run.read("states").num_rows
    assert table.state_names == state_features()
    labels = table.labels.groupby(["question_id", "state"], sort=False).first()
    helps = (labels["best_before"] > labels["recall_before"]).tolist()
    assert table.state_labels["continue_helps"].tolist() == helps
    assert {True, False} == set(helps)
    steps = table.state_features[:, table.state_names.index("history_steps")]
    assert steps.tolist() == [len(row["history"]) for row in run.read("states").to_pylist()]


def test_the_table_says_what_it_was_made_from(explored, opened):
    table = training_table([explored("run")], opened)
    assert (table.encoder_name, table.encoder_fingerprint, table.dataset_name) == (
        "words",
        "words-1",
        "hopilot",
    )
    assert table.limits == read_json(explored("run") / "manifest.json")["limits"]
    again = training_table([explored("run")], opened)
    assert again.fingerprint == table.fingerprint
    assert again.features.tobytes() == table.features.tobytes()
    other = training_table([explored("seed", explorer="sampled", seed=14)], opened)
    assert other.fingerprint != table.fingerprint


def test_shards_do_not_change_the_table(explored, opened):
    one, many = (training_table([explored(f"by {size}", shard_questions=size)], opened) for size in (100, 1))
    assert one.features.tobytes() == many.features.tobytes()
    assert one.labels.equals(many.labels)


def test_chosen_features_are_the_columns(explored, opened):
    whole = training_table([explored("run")], opened)
    some = training_table([explored("run")], opened, features=["cost_tokens", "history_steps"])
    assert some.names == ("history_steps", "cost_tokens")
    assert some.state_names == ("history_steps",)
    columns = [whole.names.index(name) for name in some.names]
    assert np.array_equal(some.features, whole.features[:, columns])
    assert np.array_equal(
        some.state_features[:, 0], whole.state_features[:, whole.state_names.index("history_steps")]
    )


def test_a_question_explored_twice_stays_on_one_side_of_a_split(explored, opened):
    """Two explorations of one data set share their questions: they must not leak across the split."""
    first, second = explored("run"), explored("sampled", explorer="sampled", rollouts=2)
    alone = [training_table([folder], opened) for folder in (first, second)]
    both = training_table([first, second], opened)
    assert set(both.labels["question_id"]) == {f"hopilot:q{place}" for place in range(8)}
    assert len(both.labels) == sum(len(table.labels) for table in alone)
    assert len(both.state_labels) == sum(len(table.state_labels) for table in alone)
    assert not both.labels.duplicated(["question_id", "state", "action", "candidate"]).any()
    assert not both.state_labels.duplicated(["question_id", "state"]).any()
    assert both.features.tobytes() == alone[0].features.tobytes() + alone[1].features.tobytes()
    both.check()
    sides = [validation_questions(table.labels["question_id"], share=0.3, seed=13) for table in (*alone, both)]
    assert sides[0] == sides[1] == sides[2]


def test_questions_of_two_data_sets_keep_to_themselves(explored, opened):
    other = replace(ONE, name="musique")
    table = training_table([explored("run"), explored("musique", other)], opened)
    assert table.dataset_name == "hopilot+musique"
    assert table.labels["question_id"].nunique() == 16


def test_costs_are_means_in_units_of_the_dearest_action(explored):
    run = TrajectoryRun.load(explored("run"))
    costs = action_costs([run])
    rows = run.read("transitions").to_pylist()
    means = {}
    for action in costs:
        spent = [
            row["prompt_tokens"]
            + row["completion_tokens"]
            + 500 * (row["retrieval_calls"] + row["model_calls"])
            for row in rows
            if row["action"] == action
        ]
        means[action] = sum(spent) / len(spent) if spent else 0.0
    assert costs == pytest.approx({action: mean / max(means.values()) for action, mean in means.items()})
    assert max(costs.values()) == 1.0
    assert costs["stop_answer"] == costs["compress_answer_evidence"] == 0.0
    assert costs["rewrite_query"] > costs["retrieve_more"] > costs["stop_answer"]


def test_runs_under_other_limits_do_not_mix(explored, opened):
    other = explored("short", limits=replace(TINY_LIMITS, max_steps=2))
    with pytest.raises(InputError, match="limits is") as refused:
        training_table([explored("run"), other], opened)
    assert refused.value.where == str(other)


def test_no_runs_and_unfinished_runs_are_refused(explored, opened, tmp_path):
    with pytest.raises(InputError, match="no trajectories named"):
        training_table([], opened)
    with pytest.raises(InputError, match="holds no trajectories"):
        training_table([tmp_path], opened)
    unfinished = explored("unfinished")
    (unfinished / "progress" / "part-00001.json").unlink(missing_ok=True)
    with pytest.raises(InputError, match="1 of 3 shards are missing"):
        training_table([unfinished], opened)


# -- finding the index ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """A run over a saved index of the packaged encoder: two questions and their gold passages."""
    folder = tmp_path_factory.mktemp("real")
    dataset = tiny_dataset(2)
    gold = {passage.id: passage for passage in dataset.corpus()}
    corpus = Corpus.of(gold[one] for question in dataset.questions for one in question.support)
    EvidenceIndex.build(corpus, open_encoder(), cache=folder / "cache").save(folder / "index")

    def opening():
        from hopilot.evidence.environment import Environment
        from tiny_world import Scripted

        index = EvidenceIndex.load(folder / "index", cache=folder / "cache")
        return Environment(index, Scripted(), replace(TINY_LIMITS, passages_per_retrieval=1))

    explore(dataset, opening, ExploreSettings(), folder / "run")
    return folder


def test_the_index_is_found_where_it_was_and_where_it_is_said_to_be(real, tmp_path):
    there = read_table([real / "run"])
    (real / "index").rename(tmp_path / "moved")
    try:
        with pytest.raises(InputError, match="is not there") as refused:
            read_table([real / "run"])
        assert refused.value.where == str(real / "index")
        moved = read_table([real / "run"], tmp_path / "moved")
    finally:
        (tmp_path / "moved").rename(real / "index")
    assert there.features.tobytes() == moved.features.tobytes()


def test_another_index_is_refused(real, tmp_path):
    corpus = Corpus.of(tiny_dataset().corpus().passages[:2])
    EvidenceIndex.build(corpus, open_encoder(), cache=tmp_path).save(tmp_path / "other")
    with pytest.raises(InputError, match="not the index that was explored"):
        read_table([real / "run"], tmp_path / "other")


def test_a_run_whose_index_was_never_saved_says_so(explored):
    write_json(explored("run") / "local.json", {"index": "/nowhere/at/all"})
    with pytest.raises(InputError, match="is not there") as refused:
        read_table([explored("run")])
    assert "--index" in refused.value.remedy
