import hashlib
import json
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hopilot.errors import InputError
from hopilot.evidence.actions import ACTION_NAMES
from hopilot.features.registry import select
from hopilot.models.bundle import copy_bundle, load_bundle
from hopilot.models.manifest import names_hash


@pytest.fixture(params=["forest", "lightgbm"])
def bundle(request, make_bundle, tmp_path):
    return make_bundle(tmp_path / "bundle", learner=request.param)


@pytest.fixture
def forest(make_bundle, tmp_path):
    return make_bundle(tmp_path / "bundle")


def edit(folder, change):
    path = folder / "bundle.json"
    described = json.loads(path.read_text())
    change(described)
    path.write_text(json.dumps(described))


def test_a_bundle_comes_back_as_it_was_saved(bundle):
    loaded = load_bundle(bundle)
    assert loaded.manifest.features == select()
    assert loaded.manifest.metrics == {"value_rmse": 0.1, "continuation_auc": None}
    assert loaded.limits == loaded.manifest.limits
    rows = np.random.default_rng(0).normal(size=(9, len(select()))).astype(np.float32)
    assert np.ptp(loaded.value.predict(rows)) > 0
    golden = json.loads((bundle / "golden.json").read_text())
    assert len(golden["value"]["rows"]) == len(golden["continuation"]["rows"]) == 32


def test_equal_controllers_have_equal_bytes(bundle, make_bundle, tmp_path):
    learner = load_bundle(bundle).manifest.learner
    again = make_bundle(tmp_path / "again", learner=learner)
    names = sorted(path.name for path in bundle.iterdir())
    assert names == sorted(path.name for path in again.iterdir())
    assert all((bundle / name).read_bytes() == (again / name).read_bytes() for name in names)


def test_a_constant_continuation_is_declared_and_has_no_file(make_bundle, tmp_path):
    folder = make_bundle(tmp_path / "bundle", continuation=0.0)
    assert json.loads((folder / "bundle.json").read_text())["models"]["continuation"] == {
        "kind": "constant",
        "value": 0.0,
    }
    assert not list(folder.glob("continuation*"))
    loaded = load_bundle(folder)
    assert loaded.constant_continuation == 0.0
    assert loaded.continuation.predict(np.zeros((2, 1), np.float32)).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("name", ["value.onnx", "continuation.onnx", "golden.json"])
def test_a_changed_file_is_refused(forest, name):
    path = forest / name
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    with pytest.raises(InputError, match="checksum") as refused:
        load_bundle(forest)
    assert name in str(refused.value)


def test_a_missing_file_is_named(forest):
    (forest / "value.onnx").unlink()
    with pytest.raises(InputError, match=r"value\.onnx: is missing"):
        load_bundle(forest)


def test_a_model_behind_a_link_is_refused(forest, tmp_path):
    (forest / "value.onnx").rename(tmp_path / "elsewhere.onnx")
    (forest / "value.onnx").symlink_to(tmp_path / "elsewhere.onnx")
    with pytest.raises(InputError, match="no plain file"):
        load_bundle(forest)


def test_features_in_another_order_are_refused(forest):
    edit(forest, lambda described: described["features"]["names"].reverse())
    with pytest.raises(InputError, match="do not fit their hash"):
        load_bundle(forest)


def test_features_that_cannot_be_computed_are_named(forest):
    def change(described):
        names = described["features"]["names"]
        names[3] = "crystal_ball"
        described["features"]["sha256"] = names_hash(names)

    edit(forest, change)
    with pytest.raises(InputError, match="unknown features: crystal_ball"):
        load_bundle(forest)


def test_another_action_set_is_refused(make_bundle, tmp_path):
    folder = make_bundle(tmp_path / "bundle", actions=(*ACTION_NAMES[:3], "web_search", *ACTION_NAMES[4:]))
    with pytest.raises(InputError, match="web_search"):
        load_bundle(folder)


def test_another_schema_is_refused(forest):
    edit(forest, lambda described: described.update(schema_version=99))
    with pytest.raises(InputError, match="bundle schema 99"):
        load_bundle(forest)


@pytest.mark.parametrize("name", ["../value.onnx", "/etc/passwd", "value.pkl", "sub/value.onnx", "..", ""])
def test_a_file_name_that_leads_elsewhere_is_refused(forest, name):
    edit(forest, lambda described: described["checksums"].update({name: "0" * 64}))
    with pytest.raises(InputError, match="does not belong in a bundle"):
        load_bundle(forest)
    with pytest.raises(InputError, match="does not belong in a bundle"):
        copy_bundle(forest, forest.parent / "copy")


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "onnx", "file": "../value.onnx"},
        {"kind": "pickle", "file": "value.onnx"},
        {"kind": "constant"},
        3,
    ],
)
def test_a_model_entry_that_is_not_a_known_kind_in_its_own_file_is_refused(forest, entry):
    edit(forest, lambda described: described["models"].update(value=entry))
    with pytest.raises(InputError, match="value"):
        load_bundle(forest)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("limits", {"max_steps": 4}),
        ("limits", {"max_steps": "four"}),
        ("lambda", "high"),
        ("costs", [1, 2]),
        ("encoder", {"name": "minilm"}),
        ("actions", "retrieve_more"),
        ("threshold", None),
    ],
)
def test_a_malformed_field_is_named(forest, field, value):
    edit(forest, lambda described: described.update({field: value}))
    with pytest.raises(InputError, match=f"field '{field}' cannot be read"):
        load_bundle(forest)


def test_a_missing_field_is_named(forest):
    edit(forest, lambda described: described.pop("threshold"))
    with pytest.raises(InputError, match="field 'threshold' is missing"):
        load_bundle(forest)


@pytest.mark.parametrize("content", ["", "[]", "{", '{"schema_version": 1}'])
def test_a_broken_manifest_is_refused_without_a_traceback(forest, content):
    (forest / "bundle.json").write_text(content)
    with pytest.raises(InputError, match=r"bundle\.json"):
        load_bundle(forest)


def test_a_folder_without_a_bundle_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no bundle"):
        load_bundle(tmp_path)


@pytest.mark.parametrize("learner", ["forest", "lightgbm"])
def test_bytes_that_are_no_model_are_refused_although_their_checksum_fits(make_bundle, tmp_path, learner):
    folder = make_bundle(tmp_path / "bundle", learner=learner)
    put(folder, "value.onnx" if learner == "forest" else "value.txt", b"nonsense")
    with pytest.raises(InputError, match="not a usable"):
        load_bundle(folder)


def put(folder, name, data):
    """Replace a file and its checksum, as someone would who knows the format."""
    (folder / name).write_bytes(data)
    checksum = hashlib.sha256(data).hexdigest()
    edit(folder, lambda described: described["checksums"].update({name: checksum}))


def test_a_model_that_gives_other_outputs_than_its_golden_rows_is_refused(forest):
    golden = json.loads((forest / "golden.json").read_text())
    golden["value"]["expected"][4] += 1e-3
    put(forest, "golden.json", json.dumps(golden).encode())
    with pytest.raises(InputError, match="golden rows give other outputs"):
        load_bundle(forest)


@pytest.mark.parametrize(
    "data", [b"{", b"[]", b"{}", b'{"value": {"rows": [[1]], "expected": [1]}}', b'{"value": 1}']
)
def test_malformed_golden_rows_are_refused(forest, data):
    put(forest, "golden.json", data)
    with pytest.raises(InputError, match=r"golden\.json"):
        load_bundle(forest)


def test_a_model_of_another_width_is_refused(forest):
    put(forest, "value.onnx", (forest / "continuation.onnx").read_bytes())
    with pytest.raises(InputError, match="the model refuses its golden rows"):
        load_bundle(forest)


def test_an_index_of_another_encoder_is_refused(forest, index):
    bundle = load_bundle(forest)
    bundle.check_index(index)
    other = SimpleNamespace(encoder=SimpleNamespace(name="other", fingerprint="other-1"))
    with pytest.raises(InputError, match="'other'"):
        bundle.check_index(other)
    changed = replace(bundle, manifest=replace(bundle.manifest, encoder_fingerprint="word-counts-2"))
    with pytest.raises(InputError, match="the same encoder"):
        changed.check_index(index)


def test_saving_does_not_overwrite_unasked_and_leaves_no_scratch(forest, make_bundle):
    before = (forest / "bundle.json").read_bytes()
    with pytest.raises(InputError, match="--overwrite"):
        make_bundle(forest, lam=0.5)
    assert (forest / "bundle.json").read_bytes() == before
    assert [path.name for path in forest.parent.iterdir()] == ["bundle"]


@pytest.mark.parametrize("learner", ["forest", "lightgbm"])
def test_loading_needs_no_training_library(make_bundle, tmp_path, learner):
    """Training libraries are made unimportable: LightGBM itself looks for scikit-learn and pandas."""
    folder = make_bundle(tmp_path / "bundle", learner=learner)
    code = f"""
import sys
barred = ("sklearn", "torch", "mlflow", "pandas", "onnx", "skl2onnx", "faiss", "sentence_transformers")
for name in barred + {("lightgbm",) if learner == "forest" else ("onnxruntime",)!r}:
    sys.modules[name] = None
from pathlib import Path
import numpy as np
from hopilot.models.bundle import load_bundle
bundle = load_bundle(Path({str(folder)!r}))
print(len(bundle.value.predict(np.zeros((6, len(bundle.manifest.features)), np.float32))))
assert not [name for name in sys.modules if name.split(".")[0] in barred and sys.modules[name]]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "6"
