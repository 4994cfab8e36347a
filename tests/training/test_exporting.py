import json

import numpy as np
import pytest
from hopilot.errors import InputError
from hopilot.models.bundle import load_bundle
from hopilot.training.exporting import export, train


@pytest.fixture(scope="module")
def trained(table, quick, tmp_path_factory):
    out = tmp_path_factory.mktemp("trained") / "out"
    return train(table, quick, out, tracked=False), out


def test_training_writes_bundle_metrics_and_importances(trained, table):
    fitted, out = trained
    assert sorted(one.name for one in out.iterdir()) == ["bundle", "importances.csv", "metrics.json"]
    bundle = load_bundle(out / "bundle")
    assert bundle.manifest == fitted.manifest
    assert np.ptp(bundle.value.predict(table.features)) > 0
    written = json.loads((out / "metrics.json").read_text())
    assert written["metrics"] == dict(fitted.metrics)
    lines = (out / "importances.csv").read_text().splitlines()
    assert lines[0] == "model,feature,share"
    assert len(lines) == 1 + len(table.names) + len(table.state_names)


def test_the_same_seed_writes_the_same_bytes(trained, table, quick, tmp_path):
    _, out = trained
    train(table, quick, tmp_path / "again", tracked=False)
    for path in sorted((out / "bundle").iterdir()):
        assert path.read_bytes() == (tmp_path / "again" / "bundle" / path.name).read_bytes(), path.name


def test_an_occupied_folder_is_refused_before_and_replaced_on_demand(trained, table, quick, tmp_path):
    (tmp_path / "metrics.json").write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        train(table, quick, tmp_path, tracked=False)
    assert (tmp_path / "metrics.json").read_text() == "mine"
    train(table, quick, tmp_path, tracked=False, overwrite=True)
    assert (tmp_path / "metrics.json").read_text() != "mine"


def test_a_failing_fit_leaves_the_old_result(table, quick, tmp_path):
    (tmp_path / "metrics.json").write_text("old")
    bad = table.features.copy()
    bad[0, 0] = np.inf
    with pytest.raises(InputError, match="history_steps"):
        train(type(table)(**{**vars(table), "features": bad}), quick, tmp_path, tracked=False, overwrite=True)
    assert (tmp_path / "metrics.json").read_text() == "old"


def test_export_takes_a_run_folder_or_a_bundle_and_leaves_strange_files_behind(trained, tmp_path):
    _, out = trained
    first = export(out, tmp_path / "one")
    (first.path / "stray.txt").write_text("not of the bundle")
    second = export(tmp_path / "one", tmp_path / "two")
    assert second.manifest == first.manifest
    names = {path.name for path in (out / "bundle").iterdir()}
    assert {path.name for path in (tmp_path / "two").iterdir()} == names


def test_export_refuses_a_folder_without_a_bundle(tmp_path):
    with pytest.raises(InputError, match="holds no bundle"):
        export(tmp_path, tmp_path / "out")


def test_export_refuses_a_damaged_bundle_and_writes_nothing(trained, tmp_path):
    export(trained[1], tmp_path / "copy")
    (tmp_path / "copy" / "golden.json").write_text("{}")
    with pytest.raises(InputError, match="checksum"):
        export(tmp_path / "copy", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_export_does_not_overwrite_unasked(trained, tmp_path):
    (tmp_path / "bundle.json").write_text("{}")
    with pytest.raises(InputError, match="--overwrite"):
        export(trained[1], tmp_path)
    assert export(trained[1], tmp_path, overwrite=True).path == tmp_path
