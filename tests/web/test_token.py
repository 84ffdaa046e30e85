"""Who may use a server: this machine by its own names, and others with the token that stands in the printed address."""

import asyncio
import json
import socket
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest
import uvicorn
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from ludus.cli import main
from ludus.cli.commands.web import PORT, address_of, listening_socket, token_for
from ludus.web.offers import Offers
from ludus.web.server import application
from ludus.web.watch_list import WatchList

from ..helpers.asking import ask
from ..helpers.site import served

TOKEN = "one-of-many"
ANYWHERE = "board.example:8000"


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with served(token=TOKEN) as host:
        yield host


def get(host: str, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    """The answer to a request that calls the server by another name."""
    connection = HTTPConnection(host, timeout=600)
    connection.request("GET", path, headers={"Host": ANYWHERE, **headers})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text


def test_the_printed_address_gives_a_browser_all_of_the_page_under_any_name_of_the_server(host: str):
    status, headers, _ = get(host, f"/watch?token={TOKEN}")
    assert (status, headers["location"]) == (303, "/watch")  # so that the token stays in no address
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    cookie = cookie.partition(";")[0]
    for path in ("/", "/watch", "/page/main.js", "/shared/theme.css"):
        assert get(host, path, Cookie=cookie)[0] == 200
    with connect(f"ws://{host}/socket", origin=f"http://{host}", additional_headers={"Cookie": cookie}) as page:
        page.send('{"type": "show", "id": 1, "game": "nim"}')
        assert "svg" in json.loads(page.recv(600))
    with pytest.raises(InvalidStatus):
        connect(f"ws://{host}/socket", origin="http://evil.example", additional_headers={"Cookie": cookie})
    assert get(host, "/", Cookie=cookie, Origin="http://evil.example")[0] == 421


@pytest.mark.parametrize("token", ["", TOKEN[:-1], f"{TOKEN}x", "é"])
def test_without_the_token_nothing_is_answered_but_a_sentence(host: str, token: str):
    ways = [
        {"path": f"/?token={''.join(f'%{byte:02x}' for byte in token.encode())}"},
        {"path": "/", "Cookie": f"ludus-{host.partition(':')[2]}={token.encode().hex()}"},
        {"path": "/page/main.js", "Authorization": f"Bearer {token.encode().hex()}"},
    ]
    for way in ways:
        status, headers, text = get(host, **way)
        assert (status, headers["www-authenticate"]) == (401, "Bearer")
        assert text.startswith("This server asks for a token")
    with pytest.raises(InvalidStatus):
        connect(f"ws://{host}/socket", origin=f"http://{host}")


MINE = ["LOCALHOST:1", "127.1.2.3:9", "[::1]:8000"]
OTHERS = ["", "evil.example", "localhost.evil.example", "127.0.0.1.nip.io:8000", "0.0.0.0", "user@localhost", "localhost."]


@pytest.mark.parametrize(
    ("served_at", "name", "status"),
    [
        *(("localhost", name, 200) for name in MINE),
        *(("localhost", name, 421) for name in OTHERS),
        *(("board.local", name, 200) for name in ("Board.local:8000", "localhost", "127.0.0.1")),
        ("board.local", "other", 421),
    ],
)
def test_a_server_is_called_by_a_name_of_this_machine_or_the_one_at_which_it_is_served(served_at: str, name: str, status: int):
    app = application(Offers(), WatchList(), name=served_at)
    assert asyncio.run(ask(app, "/", host=name)).status == status


@pytest.mark.parametrize("host", ["localhost", "0.0.0.0", ""])
def test_a_server_that_others_reach_has_a_token_of_its_own(host: str):
    with listening_socket(host, 0) as one, listening_socket(host, 0) as other:
        tokens = {token_for(one), token_for(other)}
        assert len(tokens - {None}) == (2 if host in ("0.0.0.0", "") else 0)
        assert address_of(one) == f"http://127.0.0.1:{one.getsockname()[1]}"


def test_the_next_free_port_is_taken_unless_one_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        number = taken.getsockname()[1]
        with pytest.raises(OSError, match=rf"cannot listen at 127.0.0.1:{number} .* choose another --port or --host"):
            listening_socket("127.0.0.1", number)
    with listening_socket("127.0.0.1", None) as first, listening_socket("127.0.0.1", None) as second:
        assert first.getsockname()[1] >= PORT
        assert second.getsockname()[1] != first.getsockname()[1]


@pytest.mark.parametrize("command", [["web", "--no-open"], ["serve", "nim", "--opponent", "random", "--count", "10"]])
def test_the_token_that_is_printed_is_the_one_that_is_asked_for(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    answers = list[int]()

    def run(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        for listening in sockets:
            listening.close()
        printed = capsys.readouterr().out
        token = printed.partition("token=")[2].split()[0].partition("#")[0]
        path = "/" if command[0] == "web" else "/health"
        for query in ("", f"?token={token}"):
            answers.append(asyncio.run(ask(server.config.app, path + query, host=ANYWHERE)).status)

    monkeypatch.setattr(uvicorn.Server, "run", run)
    monkeypatch.setattr("ludus.cli.commands.web.networks", list)
    assert main([*command, "--host", "0.0.0.0", "--port", "0"]) == 0
    assert answers == [401, 303 if command[0] == "web" else 200]
