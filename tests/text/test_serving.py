"""Episodes over a WebSocket are those in Python, and what is not allowed is refused."""

from __future__ import annotations

import json
import socket
import threading
import time
import urllib.request
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from ludus.arena.pages import guarded
from ludus.cli.commands.web import listening_socket
from ludus.text.environments import Tasks, serving
from ludus.text.environments.serving import application


@contextmanager
def served(tasks: Tasks) -> Generator[str]:
    """The address of a server."""
    listening = listening_socket("127.0.0.1", 0)
    server = guarded.server_of(application(tasks), serving.LARGEST)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def address() -> Generator[str]:
    with served(Tasks("tictactoe", count=20)) as address:
        yield address


def answer_to(client: ClientConnection, message: Any) -> dict[str, Any]:
    """The answer to a message, which is written as JSON unless it is a text."""
    client.send(message if isinstance(message, str) else json.dumps(message))
    return json.loads(client.recv())


def health(address: str) -> Any:
    with urllib.request.urlopen(f"http://{address}/health") as answer:
        return json.load(answer)


def test_an_episode_of_a_client_is_the_episode() -> None:
    tasks = Tasks("tictactoe", "random", count=20)
    episode = tasks.episode(tasks.test[1])
    with served(tasks) as address, connect(f"ws://{address}/ws") as client:
        begun = answer_to(client, {"type": "reset", "data": {"seed": 1, "split": "test", "episode_id": "mine"}})["data"]
        assert (begun["observation"]["question"], begun["done"]) == (episode.question, False)
        step = begun
        while not episode.over:
            move = tasks.rules.move_name(tasks.rules.legal_actions(episode.state)[0])
            episode.take(move)
            step = answer_to(client, {"type": "step", "data": {"answer": move}})["data"]
            assert step["observation"]["question"] == episode.question
            assert step["observation"]["score"]["value_lost"] == episode.scores[-1].value_lost
        assert (step["done"], step["reward"]) == (True, episode.reward)
        state = answer_to(client, {"type": "state"})["data"]
        assert (state["episode_id"], state["result"], state["metrics"]) == ("mine", episode.result, episode.metrics)
        assert health(address) == {"status": "healthy"}


@pytest.mark.apart(name="speaking")
def test_openenvs_client_plays(address: str) -> None:
    openenv = pytest.importorskip("openenv")
    with openenv.GenericEnvClient(base_url=f"http://{address}").sync() as client:
        begun = client.reset(position="XX-OO---- X")
        assert "XX-OO---- X" in begun.observation["question"]
        step = client.step({"answer": "I see a line.\n\nI'll play c1."})
        assert (step.done, step.reward, step.observation["score"]["optimal"]) == (True, 1.0, True)
        assert client.state()["step_count"] == 1
        with pytest.raises(RuntimeError, match="begin another"):
            client.step({"answer": "a3"})


DEEP = "[" * 100_000
REFUSED = {
    "nonsense": "INVALID_JSON",
    '{"type": "reset", "data": ' + DEEP: "",
    '{"type": "\\ud800"}': "",
    '{"type": "step", "data": {"answer": "a1"}}': "there is no episode; reset first",
    '{"type": "reset", "data": {"opponent": "python:evil:f"}}': "unknown field `opponent`",
    '{"type": "reset", "data": {"position": "nonsense"}}': "nonsense",
    '{"type": "reset", "data": {"position": "XXXOO---- O"}}': "the game is over",
}


def test_what_is_not_allowed_is_refused_in_a_sentence(address: str, caplog: pytest.LogCaptureFixture) -> None:
    with connect(f"ws://{address}/ws") as client:
        for message, words in REFUSED.items():
            refusal = answer_to(client, message)
            assert refusal["type"] == "error", message[:50]
            assert words in str(refusal["data"]), message[:50]
        assert answer_to(client, {"type": "reset"})["type"] == "observation"
    assert caplog.records == []


def test_pages_of_others_open_no_socket_and_clients_are_bounded(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_EPISODES", 1)
    with pytest.raises(InvalidStatus):
        connect(f"ws://{address}/ws", origin="http://evil.example")  # pyright: ignore[reportArgumentType]
    with connect(f"ws://{address}/ws"), connect(f"ws://{address}/ws") as second:
        assert json.loads(second.recv())["data"]["code"] == "CAPACITY_REACHED"


def test_connections_are_bounded_and_those_that_ask_nothing_are_closed(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded, "MOST_CONNECTIONS", 2)
    with ExitStack() as stack:
        host, port = address.split(":")

        def opened() -> socket.socket:
            client = stack.enter_context(socket.create_connection((host, int(port)), 60))
            client.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
            return client

        waiting = [opened(), opened()]
        assert is_closed(opened())
        for client in waiting:
            client.sendall(b"\r\n")
            assert client.recv(12) == b"HTTP/1.1 200"
        monkeypatch.setattr(guarded, "SECONDS_TO_ASK", 0.01)
        waiting.pop().close()
        waiting.pop().close()
        assert health(address) == {"status": "healthy"}  # the server knows by now that they are gone
        assert is_closed(opened())


def is_closed(client: socket.socket) -> bool:
    """Whether the other end closes a connection, without an answer."""
    try:
        return client.recv(100) == b""
    except ConnectionResetError:
        return True
