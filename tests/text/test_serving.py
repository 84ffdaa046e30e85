"""Episodes over HTTP and WebSocket are those in Python, and what is not allowed is refused."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from ludus.arena.pages import guarded
from ludus.cli.commands.web import listening_socket
from ludus.text.environments import Tasks, serving
from ludus.text.environments.serving import application
from ludus.text.scoring import REWARDS, RewardName

from ..helpers.asking import GONE, ask, part
from ..helpers.system.processes import ROOT


@contextmanager
def served(tasks: Tasks, token: str | None = None) -> Generator[str]:
    """The address of a server."""
    listening = listening_socket("127.0.0.1", 0)
    server = guarded.server_of(application(tasks, token), serving.LARGEST)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()


def asked(address: str, path: str, data: Any = None, **headers: str) -> tuple[int, dict[str, Any]]:
    """The status and the document that a request is answered with."""
    body = data if data is None or isinstance(data, bytes) else json.dumps(data).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(f"http://{address}{path}", body, headers)) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            said = error.read()
        return error.code, json.loads(said) if said[:1] == b"{" else {"detail": said.decode()}


def test_an_episode_over_http_is_the_episode() -> None:
    tasks = Tasks("tictactoe", "random", count=20)
    episode = tasks.episode(tasks.test[1])
    with served(tasks) as address:
        _, begun = asked(address, "/reset", {"seed": 1, "split": "test"})
        assert (begun["observation"]["question"], begun["done"]) == (episode.question, False)
        step = begun
        while not episode.over:
            move = tasks.rules.move_name(tasks.rules.legal_actions(episode.state)[0])
            episode.take(move)
            _, step = asked(address, "/step", {"episode_id": begun["episode_id"], "action": {"answer": move}})
            assert step["observation"]["question"] == episode.question
            assert step["observation"]["score"]["value_lost"] == episode.scores[-1].value_lost
        assert (step["done"], step["reward"]) == (True, episode.reward)
        _, state = asked(address, f"/state?episode_id={begun['episode_id']}")
        assert (state["result"], state["metrics"]) == (episode.result, episode.metrics)
        assert asked(address, "/health") == (200, {"status": "healthy"})
        assert asked(address, "/schema")[1]["action"]["required"] == ["answer"]


@pytest.mark.parametrize("reward", REWARDS)
def test_a_whole_game_is_rewarded_for_its_answers_where_it_is_asked_for(reward: RewardName) -> None:
    episode = (tasks := Tasks("tictactoe", "random", count=20, reward=reward)).episode(tasks.train[2])
    while not episode.over:
        episode.take(tasks.rules.move_name(tasks.rules.legal_actions(episode.state)[-1]))
    rewards = [one.reward_by(reward) or 0 for one in episode.scores]
    assert len(rewards) > 1
    assert episode.reward == pytest.approx(np.mean(rewards))


def test_single_moves_have_no_result_to_be_rewarded_for() -> None:
    with pytest.raises(ValueError, match="no result; choose another"):
        Tasks("tictactoe", reward="result")


@pytest.mark.apart(name="speaking")
def test_openenvs_client_plays() -> None:
    openenv = pytest.importorskip("openenv")
    with served(Tasks("tictactoe", count=20)) as address, openenv.GenericEnvClient(base_url=f"http://{address}").sync() as client:
        begun = client.reset(position="XX-OO---- X")
        assert "XX-OO---- X" in begun.observation["question"]
        step = client.step({"answer": "I see a line.\n\nI'll play c1."})
        assert (step.done, step.reward, step.observation["score"]["optimal"]) == (True, 1.0, True)
        assert client.state()["step_count"] == 1
        with pytest.raises(RuntimeError, match="begin another"):
            client.step({"answer": "a3"})
        with pytest.raises(RuntimeError, match="seeed"):
            client.reset(seeed=1)


@pytest.mark.parametrize(
    ("path", "data", "headers", "status", "words"),
    [
        ("/reset", {}, {"Host": "evil.example"}, 421, "not the server's own"),
        ("/reset", {}, {"Origin": "http://evil.example"}, 421, "not the server's own"),
        ("/reset", {"opponent": "python:evil:f"}, {}, 422, "unknown field `opponent`"),
        ("/reset", {"position": "nonsense"}, {}, 422, "nonsense"),
        ("/reset", {"position": "XXXOO---- O"}, {}, 422, "the game is over"),
        ("/reset", b"x" * (serving.LARGEST + 1), {}, 422, "bytes"),
        ("/reset", b"{", {}, 422, "truncated"),
        ("/step", {"episode_id": "none", "action": {"answer": "a1"}}, {}, 422, "reset again"),
        ("/state", None, {}, 422, "reset again"),
    ],
)
def test_what_is_not_allowed_is_refused_in_a_sentence(
    path: str, data: Any, headers: dict[str, str], status: int, words: str
) -> None:
    with served(Tasks("tictactoe", count=20)) as address:
        code, said = asked(address, path, data, **headers)
    assert code == status
    assert words in said["detail"]


def test_pages_of_others_open_no_socket_and_clients_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_EPISODES", 1)
    with served(Tasks("tictactoe", count=20)) as address:
        with pytest.raises(InvalidStatus):
            connect(f"ws://{address}/ws", origin="http://evil.example")  # pyright: ignore[reportArgumentType]
        with connect(f"ws://{address}/ws") as one:
            one.send('{"type": "state"}')
            assert json.loads(one.recv())["data"]["message"] == "there is no episode; reset first"
            with connect(f"ws://{address}/ws") as two:
                assert json.loads(two.recv())["data"]["code"] == "CAPACITY_REACHED"
            one.send("nonsense")
            assert json.loads(one.recv())["data"]["code"] == "INVALID_JSON"
        first = asked(address, "/reset", {})[1]["episode_id"]
        asked(address, "/reset", {})
        assert asked(address, f"/state?episode_id={first}")[0] == 422


DEEP = "[" * 100_000
BODIES = [DEEP, '{"seed": ' + DEEP, '{"action": {"answer": "a1", "more": ' + DEEP, "é\udcff", '"\\ud800"']
MESSAGES = [DEEP, '{"type": "reset", "data": ' + DEEP, '{"type": "step", "data": {"answer": ' + DEEP, '{"type": "\\ud800"}']


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("path", ["/reset", "/step"])
def test_a_hostile_body_is_refused_in_a_sentence(path: str, body: str, caplog: pytest.LogCaptureFixture) -> None:
    app = application(Tasks("tictactoe", count=20))
    answer = asyncio.run(ask(app, path, part(body.encode(errors="surrogateescape")), method="POST"))
    assert (answer.status, len(json.loads(answer.text)["detail"].split()) >= 3) == (422, True)
    assert caplog.records == []


def test_a_body_that_is_broken_off_or_does_not_come_ends_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serving, "SECONDS_TO_SEND", 0.01)
    app = application(Tasks("tictactoe", count=20))
    asyncio.run(ask(app, "/reset", part(b'{"se', more=True), GONE, method="POST"))
    late = asyncio.run(ask(app, "/reset", part(b'{"se', more=True), method="POST"))
    assert json.loads(late.text)["detail"] == "the body has not arrived within 0.01 seconds"
    assert caplog.records == []


@pytest.mark.parametrize("path", ["/step", "/health", "/nothing"])
def test_a_body_that_breaks_the_rules_of_http_ends_without_a_traceback(path: str, caplog: pytest.LogCaptureFixture) -> None:
    with served(Tasks("tictactoe", count=4)) as address:
        host, _, port = address.partition(":")
        with socket.create_connection((host, int(port))) as client:
            client.sendall(f"POST {path} HTTP/1.1\r\nHost: {address}\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n".encode())
            assert b" 400 " in client.recv(1000)
        assert asked(address, "/health")[0] == 200
    assert caplog.records == []


def test_only_so_many_requests_are_answered_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded, "MOST_REQUESTS", 3)
    app = application(Tasks("tictactoe", count=20))

    async def crowd() -> None:
        slow = [asyncio.create_task(ask(app, "/reset", part(b"{", more=True), method="POST")) for _ in range(3)]
        await asyncio.sleep(0)
        refused = await ask(app, "/health")
        assert (refused.status, refused.text) == (503, "3 requests are being answered; try again later.\n")
        slow[0].cancel()
        await asyncio.wait(slow[:1])
        assert (await ask(app, "/health")).status == 200
        for task in slow[1:]:
            task.cancel()

    asyncio.run(crowd())


@pytest.mark.parametrize("text", MESSAGES)
def test_a_hostile_message_is_answered_by_a_sentence(text: str, caplog: pytest.LogCaptureFixture) -> None:
    with served(Tasks("tictactoe", count=20)) as address, connect(f"ws://{address}/ws") as client:
        client.send(text)
        assert json.loads(client.recv())["type"] == "error"
        client.send('{"type": "reset"}')
        assert json.loads(client.recv())["type"] == "observation"
    assert caplog.records == []


def test_a_client_that_sends_bytes_is_disconnected(caplog: pytest.LogCaptureFixture) -> None:
    with served(Tasks("tictactoe", count=20)) as address:
        for frame in (b'{"type": "reset"}', b"\xff"):
            with connect(f"ws://{address}/ws") as client:
                client.send(frame)
                with pytest.raises(ConnectionClosedError, match="1003"):
                    client.recv()
        with connect(f"ws://{address}/ws") as client:  # a frame that says it is text and is not
            client.send(b"\xff", text=True)
            with pytest.raises(ConnectionClosedError, match="1007"):
                client.recv()
    assert caplog.records == []


def test_connections_are_bounded_and_those_that_ask_nothing_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded, "MOST_CONNECTIONS", 2)
    with served(Tasks("tictactoe", count=20)) as address, ExitStack() as stack:
        host, port = address.split(":")

        def opened() -> socket.socket:
            client = stack.enter_context(socket.create_connection((host, int(port)), 60))
            client.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
            return client

        kept = [opened(), opened()]
        assert is_closed(opened())
        for client in kept:
            client.sendall(b"\r\n")
            assert client.recv(12) == b"HTTP/1.1 200"
        monkeypatch.setattr(guarded, "SECONDS_TO_ASK", 0.01)
        kept.pop().close()
        kept.pop().close()
        assert asked(address, "/health")[0] == 200  # the server knows by now that they are gone
        assert is_closed(opened())
        upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
        client = stack.enter_context(socket.create_connection((host, int(port)), 60))
        client.sendall(b"POST /ws HTTP/1.1\r\nHost: localhost\r\n" + upgrade + b"\r\n")
        while client.recv(100):  # what is no request for a WebSocket is closed, too
            pass


def is_closed(client: socket.socket) -> bool:
    """Whether the other end closes a connection, without an answer."""
    try:
        return client.recv(100) == b""
    except ConnectionResetError:
        return True


def test_the_command_serves_until_it_is_ended() -> None:
    command = [sys.executable, "-m", "ludus.cli", "serve", "nim", "--opponent", "nim_sum", "--count", "20", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        printed = "".join(iter(process.stdout.readline, "}\n")) + "}"
        begun = json.loads(printed)
        assert (begun["train"], begun["test"]) == (18, 2)
        described = asked(begun["address"].removeprefix("http://"), "/metadata")[1]
        assert described["description"] == "Nim: whole games against nim_sum"
        process.terminate()
        process.wait(600)
