import json
import logging
import os
import shutil
import time
from pathlib import Path

import pandas as pd
import pytest
from hopilot.errors import InputError
from hopilot.models.bundle import load_bundle
from hopilot.training.exporting import export, train
from hopilot.training.tracking import metric_name, scrubbed, scrubbed_text, track


@pytest.fixture(scope="module")
def store(table, quick, tmp_path_factory):
    """One training run, tracked in the default store."""
    out = tmp_path_factory.mktemp("tracked") / "out"
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        patch.setenv("HOPILOT_API_KEY", "very-secret-value-123")
        parameters = {
            "base_url": "http://host/very-secret-value-123",
            "api_key": "sk-abcdefghijkl",
            "recall@5": 1,
        }
        fitted = train(table, quick, out, parameters=parameters, tags={"purpose": "test"})
    return fitted, out, f"sqlite:///{out / 'mlflow.db'}"


@pytest.fixture(scope="module")
def logged(store):
    import mlflow

    client = mlflow.MlflowClient(tracking_uri=store[2])
    experiment = client.get_experiment_by_name("hopilot")
    (run,) = client.search_runs([experiment.experiment_id])
    return client, run


def test_a_run_holds_parameters_fingerprints_metrics_and_tags(store, logged):
    fitted, _, _ = store
    _, run = logged
    assert run.info.status == "FINISHED"
    assert run.data.params["learner"] == "forest"
    assert run.data.params["recall_at_5"] == "1"
    assert run.data.tags["data_fingerprint"] == fitted.manifest.dataset_fingerprint
    assert run.data.tags["purpose"] == "test"
    assert run.data.metrics["value_rmse"] == pytest.approx(fitted.metrics["value_rmse"])


def test_everything_lies_under_the_output_folder_and_nothing_is_a_pickle(store):
    _, out, _ = store
    assert not Path("mlruns").exists()
    names = [path.name for path in out.rglob("*") if path.is_file()]
    assert {"importances.json", "importances.csv", "bundle.json", "MLmodel", "served_model.py"} <= set(names)
    assert not [name for name in names if name.endswith((".pkl", ".pickle", ".joblib"))]


def test_secrets_reach_neither_parameters_nor_files(store, logged):
    _, out, _ = store
    _, run = logged
    assert run.data.params["api_key"] == "[hidden]"
    assert run.data.params["base_url"] == "http://host/[hidden]"
    for path in out.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert b"very-secret-value-123" not in data
            assert b"sk-abcdefghijkl" not in data


def test_the_logged_model_scores_rows_as_the_bundle_does(store, table, monkeypatch):
    import mlflow

    fitted, out, uri = store
    monkeypatch.setenv("MLFLOW_TRACKING_URI", uri)
    (folder,) = {path.parent for path in (out / "mlartifacts").rglob("MLmodel")}
    model = mlflow.pyfunc.load_model(str(folder))
    columns = fitted.manifest.columns
    assert tuple(model.metadata.get_input_schema().input_names()) == columns
    rows = pd.DataFrame(table.features[:5].astype("float64"), columns=list(columns))
    bundle = load_bundle(out / "bundle")
    expected = bundle.value.predict(table.features[:5])
    assert model.predict(rows)["value"].tolist() == pytest.approx(expected.tolist())
    assert model.predict(rows)["continuation"].between(0, 1).all()
    assert model.input_example is not None


def test_a_second_run_elsewhere_has_a_store_of_its_own(store, table, quick, tmp_path, monkeypatch):
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    assert track(store[0], _copied(store[1], tmp_path / "second")) is not None
    assert (tmp_path / "second" / "mlflow.db").exists()
    assert list((tmp_path / "second" / "mlartifacts").rglob("MLmodel"))
    assert "MLFLOW_TRACKING_URI" not in os.environ


def test_tracking_says_nothing_when_all_is_well(store, tmp_path, monkeypatch, capfd):
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    track(store[0], _copied(store[1], tmp_path / "third"))
    assert capfd.readouterr() == ("", "")


def _copied(out, folder):
    shutil.copytree(out / "bundle", folder / "bundle")
    shutil.copy(out / "importances.csv", folder)
    return folder


def test_a_bundle_comes_back_from_the_tracking_store(store, logged, tmp_path, monkeypatch):
    fitted, _, uri = store
    _, run = logged
    monkeypatch.setenv("MLFLOW_TRACKING_URI", uri)
    found = export(f"runs:/{run.info.run_id}", tmp_path / "exported")
    assert found.manifest == fitted.manifest
    with pytest.raises(InputError, match="cannot be downloaded"):
        export("runs:/0123456789abcdef0123456789abcdef", tmp_path / "none")


def test_a_server_that_is_down_costs_one_line_and_no_results(table, quick, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://user:hidden-password@127.0.0.1:9")
    begun = time.perf_counter()
    with caplog.at_level(logging.WARNING, logger="hopilot"):
        fitted = train(table, quick, tmp_path / "out")
    assert time.perf_counter() - begun < 20
    assert load_bundle(tmp_path / "out" / "bundle").manifest == fitted.manifest
    assert json.loads((tmp_path / "out" / "metrics.json").read_text())["metrics"] == dict(fitted.metrics)
    (warning,) = [record.getMessage() for record in caplog.records if record.name.startswith("hopilot")]
    assert warning.startswith("not tracked in MLflow")
    assert "\n" not in warning
    assert "hidden-password" not in warning
    assert "MLFLOW_HTTP_REQUEST_MAX_RETRIES" not in os.environ


def test_metric_names_that_mlflow_refuses_are_translated():
    assert metric_name("recall@5") == "recall_at_5"
    assert metric_name("f1 [dev], %") == "f1 _dev__ _"
    assert metric_name("value_rmse") == "value_rmse"


def test_secrets_are_hidden_by_name_and_by_look_and_token_counts_are_kept():
    found = scrubbed(
        {
            "api_key": "abc",
            "OPENAI_API_KEY": "abc",
            "model": {"password": "x", "name": "m"},
            "max_tokens": 48,
            "snippet_tokens": 256,
            "header": "Authorization: Bearer abc.def",
            "monkey": "banana",
            "url": "https://user:pass@host/v1",
        }
    )
    assert found == {
        "api_key": "[hidden]",
        "OPENAI_API_KEY": "[hidden]",
        "model": {"password": "[hidden]", "name": "m"},
        "max_tokens": 48,
        "snippet_tokens": 256,
        "header": "Authorization: Bearer [hidden]",
        "monkey": "banana",
        "url": "https://[hidden]@host/v1",
    }


def test_the_value_of_a_secret_variable_is_hidden_wherever_it_stands(monkeypatch):
    monkeypatch.setenv("SOME_TOKEN", "plainlookingvalue")
    assert scrubbed_text("sent plainlookingvalue here") == "sent [hidden] here"
