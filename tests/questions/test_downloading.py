import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from hopilot.errors import InputError, RunError
from hopilot.questions.downloading import RELEASES, Release, download

REPLIES = {
    "/good.json": (200, b'[{"_id": "h1"}]', None),
    "/cut.json": (200, b"[1, 2", 99),
    "/portal.json": (200, b"<html>sign in</html>", None),
    "/gone.json": (404, b"", None),
    "/empty.json": (200, b"", None),
}


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        status, body, length = REPLIES[self.path]
        self.send_response(status)
        self.send_header("Content-Length", str(length or len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def address(monkeypatch):
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    root = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setenv("no_proxy", "*")
    for path in REPLIES:
        monkeypatch.setitem(RELEASES, path[1:-5], Release(root + path))
    yield root
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_release_is_fetched_with_progress_and_never_overwritten_unasked(address, tmp_path):
    seen = []
    path = download("good", tmp_path / "data", lambda done, total: seen.append((done, total)))
    assert (path.name, path.read_bytes()) == ("good.json", REPLIES["/good.json"][1])
    assert seen[-1] == (15, 15)
    with pytest.raises(InputError, match="the file exists"):
        download("good", tmp_path / "data")
    assert download("good", tmp_path / "data", overwrite=True) == path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cut", "could not be fetched|broke off"),
        ("portal", "something else than JSON"),
        ("gone", "answered 404"),
        ("empty", "broke off"),
    ],
)
def test_a_failed_download_is_told_and_leaves_nothing(address, tmp_path, name, message):
    with pytest.raises(RunError, match=message):
        download(name, tmp_path / "data")
    assert list((tmp_path / "data").iterdir()) == []


def test_an_unreachable_server_is_told(address, tmp_path, monkeypatch):
    monkeypatch.setitem(RELEASES, "far", Release("http://127.0.0.1:9/far.json"))
    with pytest.raises(RunError, match=r"could not be fetched .*is there a network"):
        download("far", tmp_path)


@pytest.mark.parametrize("name", ["2wikimultihopqa", "musique"])
def test_a_release_without_an_address_is_explained(name, tmp_path):
    with pytest.raises(InputError, match="no direct address") as failure:
        download(name, tmp_path)
    assert "https://github.com/" in failure.value.remedy


def test_an_unknown_release_and_a_file_as_folder_are_refused(tmp_path):
    with pytest.raises(InputError, match="hotpotqa-dev-fullwiki"):
        download("squad", tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="is a file"):
        download("hotpotqa-dev", tmp_path / "file")
