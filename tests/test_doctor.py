from importlib import metadata

import numpy as np
import pytest
from hopilot import cli, doctor
from hopilot.errors import InputError
from hopilot.settings import Settings


class Encoder:
    def encode(self, texts):
        return np.zeros((len(texts), 7), dtype=np.float32)


@pytest.fixture(autouse=True)
def encoder(monkeypatch):
    """Do without weights and compiled imports, which are slow."""
    monkeypatch.setattr(doctor, "open_encoder_of", lambda settings: Encoder())
    monkeypatch.setattr(doctor, "import_module", lambda name: None)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)


@pytest.fixture
def without(monkeypatch):
    """Return a function that makes a library look missing."""
    known = metadata.version

    def hide(hidden: str) -> None:
        def version(name: str) -> str:
            if name == hidden:
                raise metadata.PackageNotFoundError(name)
            return known(name)

        monkeypatch.setattr(metadata, "version", version)

    return hide


def found() -> dict[str, doctor.Finding]:
    return {finding.name: finding for finding in doctor.examine(Settings())}


def ended(capsys) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        cli.main(["doctor"])
    return end.value.code or 0, *capsys.readouterr()


def test_a_healthy_installation_ends_with_code_0(capsys):
    code, out, err = ended(capsys)
    assert (code, err) == (0, "")
    assert f"numpy                   {metadata.version('numpy')}" in out
    assert "encoder minilm          7 dimensions" in out


def test_a_missing_library_is_a_fault_and_ends_with_code_1(capsys, without):
    without("lightgbm")
    code, out, err = ended(capsys)
    assert code == 1
    assert "lightgbm                FAULT: missing" in out
    assert err.startswith("error: 1 required parts")


def test_a_missing_extra_is_no_fault(without):
    without("pytest")
    dev = found()["extra dev"]
    assert not dev.fault
    assert "lacks pytest" in dev.found
    assert 'pip install "hopilot[dev]"' in dev.found


def test_an_encoder_that_does_not_load_is_a_fault(monkeypatch):
    def broken(settings):
        raise InputError("cannot be loaded", where="encoder")

    monkeypatch.setattr(doctor, "open_encoder_of", broken)
    finding = found()["encoder minilm"]
    assert finding.fault
    assert finding.found == "encoder: cannot be loaded"


def test_a_compiled_library_that_does_not_load_is_a_fault(monkeypatch):
    def refuse(name: str) -> None:
        raise OSError("libgomp.so.1: cannot open shared object file")

    monkeypatch.setattr(doctor, "import_module", refuse)
    assert found()["import lightgbm"] == doctor.Finding(
        "import lightgbm", "libgomp.so.1: cannot open shared object file", fault=True
    )


def test_the_address_of_the_tracking_store_is_shown_without_credentials(monkeypatch):
    assert "mlflow.db" in found()["MLflow store"].found
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "https://me:sk-secret@tracking.example/path")
    assert found()["MLflow store"].found == "https://tracking.example/path"
