"""Episodes of players that speak: what is asked, what is rewarded, and that trainers get the same over HTTP and in verifiers."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import uvicorn
from numpy.typing import NDArray
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import ludus
from ludus.agents.oracles import make_oracle
from ludus.agents.policies.answers import Unavailable
from ludus.agents.policies.policy import Policy
from ludus.agents.statespace.canonical import canonical
from ludus.cli.commands.web import addresses, bound
from ludus.envs.games.game import StateArray
from ludus.text.describing import ANSWER, again, describe_position
from ludus.text.environments import Episode, Task, Tasks, serving
from ludus.text.environments.serving import application, configured

from ..helpers.scripted import Endpoint
from ..helpers.scripted import serving as answering
from ..helpers.system.processes import ROOT


def answered(tasks: Tasks, task: Task, choose: Callable[[StateArray], str]) -> Episode:
    """An episode, played to its end by a function from the state to an answer."""
    episode = tasks.episode(task)
    while not episode.over:
        episode.take(choose(episode.state))
    return episode


def speaker(policy: Policy, key: int) -> Callable[[StateArray], str]:
    """A policy's moves as answers."""
    keys = np.array([key], np.uint64)
    return lambda state: f"<move>{policy.game.move_name(int(policy.act(state[None], keys)[0]))}</move>"


# ---- tasks and episodes


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:size=3"])
def test_no_task_for_testing_is_symmetric_to_one_for_training(spec: str) -> None:
    tasks = Tasks(spec, count=300)
    forms = [
        {form.tobytes() for form in canonical(tasks.played, np.array([tasks.played.position(one.position) for one in some]))[0]}
        for some in (tasks.train, tasks.test)
    ]
    assert len(forms[0]) + len(forms[1]) == 300
    assert not forms[0] & forms[1]


def test_a_single_move_is_rewarded_by_the_value_that_it_keeps() -> None:
    tasks = Tasks("tictactoe", count=60)
    game, oracle = tasks.played, make_oracle("tictactoe")
    for task in tasks.train:
        state = game.position(task.position)
        before, after = oracle.solve(state), oracle.after(state)
        for action, solution in after.items():
            said = f"I'll play {game.move_name(action)}."
            episode = answered(tasks, task, lambda _, said=said: said)
            assert before.value is not None
            assert solution.value is not None
            assert episode.reward == 1 - (before.value - solution.value) / 2
        assert answered(tasks, task, lambda _: "I resign.").reward == 0


@pytest.mark.parametrize("spec", ["tictactoe", "quarto", "othello:size=4"])
def test_a_game_has_its_result_and_the_value_that_each_move_lost(spec: str) -> None:
    tasks = Tasks(spec, "random", count=20)
    random = ludus.make_policy("random", spec)
    for number, task in enumerate(tasks.train):
        episode = answered(tasks, task, speaker(random, number))
        outcome = tasks.played.outcome(episode.state)
        assert outcome is not None
        assert episode.result is not None
        assert episode.result == outcome[task.seat]
        assert episode.reward == (1 + episode.result) / 2
        assert {-1: "You lose.", 0: "draw", 1: "You win."}[episode.result] in episode.question
        known = [one.value_lost for one in episode.scores if one.value_lost is not None]
        assert episode.metrics.get("value_lost", 0) == (np.mean(known) if known else 0)
        assert all(one.legal for one in episode.scores)
    assert {task.seat for task in tasks.train} == {0, 1}


def test_an_answer_without_a_move_is_asked_for_again_and_then_loses_the_game() -> None:
    tasks = Tasks("tictactoe", "random", count=10, retries=2)
    episode = tasks.episode(tasks.train[0])
    for _ in range(2):
        episode.take("I pass.")
        assert not episode.over
        assert episode.question == again(episode.scores[-1].reason)
    episode.take("I pass.")
    assert (episode.over, episode.result, episode.reward, len(episode.scores)) == (True, -1, 0.0, 3)
    with pytest.raises(ValueError, match="begin another"):
        episode.take("b2")


def test_where_the_opponent_is_unavailable_nothing_changes_and_the_answer_counts_later() -> None:
    class Fails(Policy):
        """A policy that has no answer at first."""

        count = 0

        def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
            self.count += 1
            if self.count == 1:
                raise Unavailable("the budget is used up")
            return np.array([self.game.action("a1")])

    game = ludus.make_game("tictactoe")
    episode = Episode(game, game.start, 0, Fails(game))
    before = episode.document(), episode.question
    with pytest.raises(Unavailable):
        episode.take("b2")
    assert (episode.document(), episode.question) == before
    assert episode.take("b2").legal
    assert game.text(episode.state) == "O---X---- X"
    assert len(episode.scores) == 1


def test_a_game_goes_on_in_the_words_of_the_prompt() -> None:
    tasks = Tasks("tictactoe", "random", count=10, legal=True)
    episode = tasks.episode(tasks.train[0])
    episode.take(tasks.played.move_name(tasks.played.legal_actions(episode.state)[0]))
    assert episode.question.endswith(f"{describe_position(tasks.played, episode.state, legal=True)}\n\n{ANSWER}")


def test_a_perfect_player_loses_no_value_and_never_loses_a_drawn_game() -> None:
    tasks = Tasks("tictactoe", "random", count=40, opening_plies=0)
    perfect = ludus.make_policy("perfect", "tictactoe")
    key = np.zeros(1, np.uint64)
    for task in tasks.train:
        episode = answered(
            tasks, task, lambda state: f"<move>{tasks.played.move_name(int(perfect.act(state[None], key)[0]))}</move>"
        )
        assert episode.metrics["value_lost"] == 0
        assert episode.reward > 0


def test_the_same_settings_give_the_same_tasks() -> None:
    for opponent in (None, "random"):
        one, two = Tasks("nim", opponent, count=30, seed=4), Tasks("nim", opponent, count=30, seed=4)
        assert (one.train, one.test) == (two.train, two.test)
        assert one.train != Tasks("nim", opponent, count=30, seed=5).train


# ---- over HTTP and WebSocket


@contextmanager
def served(tasks: Tasks) -> Generator[str]:
    """The address of a server."""
    listening = bound("127.0.0.1", 0)
    server = uvicorn.Server(configured(application(tasks, addresses(listening))))
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
            move = tasks.played.move_name(tasks.played.legal_actions(episode.state)[0])
            episode.take(move)
            _, step = asked(address, "/step", {"episode_id": begun["episode_id"], "action": {"answer": move}})
            assert step["observation"]["question"] == episode.question
            assert step["observation"]["score"]["value_lost"] == episode.scores[-1].value_lost
        assert (step["done"], step["reward"]) == (True, episode.reward)
        _, state = asked(address, f"/state?episode_id={begun['episode_id']}")
        assert (state["result"], state["metrics"]) == (episode.result, episode.metrics)
        assert asked(address, "/health") == (200, {"status": "healthy"})
        assert asked(address, "/schema")[1]["action"]["required"] == ["answer"]


@pytest.mark.apart(name="speaking")
def test_openenvs_client_plays() -> None:
    openenv = pytest.importorskip("openenv")
    with served(Tasks("tictactoe", count=20)) as address, openenv.GenericEnvClient(base_url=f"http://{address}").sync() as client:
        begun = client.reset(position="XX-OO---- X")
        assert "XX-OO---- X" in begun.observation["question"]
        step = client.step({"answer": "I see a line. I'll play c1."})
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
        process.wait(10)


# ---- in verifiers


def evaluated(url: str, folder: Path, limit: int, **taskset: Any) -> list[Any]:
    """The traces of verifiers' own evaluation."""
    pytest.importorskip("verifiers")
    import asyncio

    from verifiers.v1.cli.eval.runner import run_eval  # pyright: ignore[reportMissingImports]
    from verifiers.v1.configs.cli.eval import EvalConfig  # pyright: ignore[reportMissingImports]

    made: Any = EvalConfig  # whose defaults type checkers do not see
    config = made(
        env={"taskset": {"id": "ludus", **taskset}},
        model="policy",
        client={"base_url": url, "api_key_var": "LUDUS_NO_KEY"},
        select={"limit": limit},
        push=False,
        rich=None,
        output_dir=folder,
    )
    episodes = asyncio.run(run_eval(config))
    assert [episode.errors for episode in episodes] == [[]] * limit
    return [trace for episode in episodes for trace in episode.traces]


@pytest.mark.apart(name="speaking")
@pytest.mark.filterwarnings("ignore")
def test_verifiers_evaluates_single_moves_by_exact_regret(tmp_path: Path) -> None:
    oracle = make_oracle("quixo:size=3")
    game = oracle.game
    with answering(Endpoint(game.spec, "random", shares={"malformed": 0.2})) as endpoint:
        traces = evaluated(endpoint.url, tmp_path, 20, game=game.spec, count=400, split="test")
    assert sum(trace.metrics["legal"] for trace in traces) == endpoint.counts["good"] < 20
    tasks = {task.position for task in Tasks(game.spec, count=400).test}
    for trace in traces:
        (score,) = trace.info["scores"]
        assert trace.info["position"] in tasks
        state = game.position(trace.info["position"])
        expected = 0.0
        if score["legal"]:
            before, after = oracle.value(state), oracle.after(state)[game.action(score["move"])].value
            assert before is not None
            assert after is not None
            expected = 1 - (before - after) / 2
            assert score["move"] in trace.assistant_messages[-1].content
        assert trace.rewards["reward"].score == expected
    assert len({trace.rewards["reward"].score for trace in traces}) > 1


@pytest.mark.apart(name="speaking")
@pytest.mark.filterwarnings("ignore")
def test_verifiers_plays_whole_games_for_the_result_or_for_regret(tmp_path: Path) -> None:
    with answering(Endpoint("tictactoe", "random")) as endpoint:
        at = endpoint.url
        for reward in ("result", "regret"):
            for trace in evaluated(at, tmp_path / reward, 6, game="tictactoe", opponent="random", count=50, reward=reward):
                result, scores = trace.info["result"], trace.info["scores"]
                assert trace.metrics["result"] == result
                assert trace.num_turns == len(scores) == trace.metrics["answers"]
                regret = np.mean([one["reward"] for one in scores])
                assert trace.rewards["reward"].score == ((1 + result) / 2 if reward == "result" else pytest.approx(regret))


def test_without_verifiers_its_names_say_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "verifiers", None)
    monkeypatch.setitem(sys.modules, "verifiers.v1", None)
    for name in ("plugin", "verifiers"):
        monkeypatch.delitem(sys.modules, f"ludus.text.environments.{name}", raising=False)
    made: Any = ludus.VerifiersTaskset
    with pytest.raises(ImportError, match=r"pip install 'ludus\[verifiers\]'"):
        made({})
