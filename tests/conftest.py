"""What all tests share: a cache of their own, and the tiny world of `tiny_world.py`."""

import os
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # no test may reach for the network


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Keep vectors of tests out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOPILOT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def minilm():
    """The real packaged encoder, loaded once."""
    from hopilot.evidence.encoder import open_encoder

    return open_encoder("minilm")
