"""Programs as policies, and policies as programs."""

from __future__ import annotations

import gc
import os
import pickle
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.agents.answers import Forfeits
from ludus.arena import evaluate
from ludus.text.answering import answer_lines
from ludus.text.engines import EnginePolicy
from ludus.text.engines import program as programs

from ..helpers.system.processes import ROOT

KEYS = np.arange(8, dtype=np.uint64)


def engine(tmp_path: Path, body: str, seconds: float = 600.0, game: str = "tictactoe") -> EnginePolicy:
    """A program that answers each `go` by this Python code, in which `position` and `turn` are known."""
    program = tmp_path / "engine.py"
    lines = ["import sys, time, os", "turn = 0", "for line in sys.stdin:", "    word, _, position = line.strip().partition(' ')"]
    lines += ["    if word == 'position': known = position", "    if word == 'go':", "        turn += 1"]
    program.write_text("\n".join([*lines, *(f"        {line}" for line in body.splitlines()), "        sys.stdout.flush()"]))
    return EnginePolicy(ludus.make_game(game), command=shlex.join([sys.executable, str(program)]), seconds=seconds, start=600.0)


def test_a_policy_plays_through_its_engine_as_it_plays_itself() -> None:
    game = ludus.make_game("quarto")
    through = EnginePolicy(game, command=f"{shlex.quote(sys.executable)} -m ludus.cli engine --policy random")
    states = np.repeat(game.start[None], 8, axis=0)
    for _ in range(3):
        actions = ludus.make_policy("random", game).act(states, KEYS)
        assert np.array_equal(through.act(states, KEYS), actions)
        states = game.plays(states, actions)


def test_settings_stand_before_the_command_and_are_a_part_of_the_spec() -> None:
    policy = ludus.make_policy("engine: protocol=ludus  think=7 seconds=5 start='2.5' prog level=3", "othello")
    assert isinstance(policy, EnginePolicy)
    assert (policy.protocol, policy.think, policy.seconds, policy.command) == ("ludus", 7, 5, "prog level=3")
    assert policy.spec == "engine:start=2.5 seconds=5.0 think=7.0 prog level=3"
    assert ludus.make_policy(policy.spec, "othello") == pickle.loads(pickle.dumps(policy)) == policy


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("print('bestmove z9')", "z9"),
        ("print('bestmove a1')", "not legal"),
        ("print('error too hard')", "too hard"),
        ("sys.exit('it broke')", "it broke"),
        ("os.kill(os.getpid(), 9)", "status -9"),
        ("time.sleep(60)", "within 0.5 seconds"),
        ("print('bestmove ' + 'x' * 100000)", "a line of more than 65,536 characters, which is not a move"),
        ("sys.stdout.write('x' * 10_000_000)", "a line of more than 65,536 characters"),
        ("os.close(1); time.sleep(60)", "has closed its standard output"),
        ("sys.stderr.write('x' * 10_000_000); sys.exit('it broke')", "status 1: .*it broke"),
        ("os.system('sleep 60 &'); os._exit(3)", "ended with status 3"),
        ("import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('error no'); time.sleep(60)", "answered: no"),
        ("while True: print('info thinking', flush=True)", "within 0.5 seconds"),
        ("sys.exit('\\x1b[31mred')", r"status 1: \\x1b\[31mred"),
    ],
)
def test_what_is_no_move_forfeits_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, reason: str) -> None:
    if "closed" in reason or "0.5" in reason:
        monkeypatch.setattr(programs, "SECONDS_TO_QUIT", 0.2)
    policy = engine(tmp_path, body, 0.5 if "0.5" in reason else 600.0)
    state = policy.game.position("X-------- O")
    with pytest.raises(Forfeits, match=rf"^engine:.* has no move: .*{reason}"):
        policy.act(state[None], KEYS[:1])


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("sh -c 'while read -r line; do :; done'", "has not answered within 0.3 seconds of its start"),
        ("cat", "said 'go 0' within 0.3 seconds of its start, which is no answer to protocol=ludus; name what it"),
        ("protocol=gtp cat", "said 'protocol_version' within 0.3 seconds of its start, which is no answer to protocol=gtp"),
        ("protocol=gtp sh -c 'while read -r line; do echo \"? what\"; echo; done'", "answered 'protocol_version' with '? what'"),
        ("sh -c 'echo usage: x >&2; exit 2'", "ended with status 2: usage: x"),
    ],
)
def test_a_program_that_speaks_something_else_or_nothing_is_described_by_what_it_said(
    command: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "SECONDS_TO_QUIT", 0.1)
    policy = ludus.make_policy(f"engine:start=0.3 {command}", "tictactoe")
    with pytest.raises(Forfeits, match=re.escape(reason)):
        policy.act(policy.game.start[None], KEYS[:1])


def test_a_program_that_ends_between_moves_is_started_again(tmp_path: Path) -> None:
    policy = engine(tmp_path, "print('bestmove b2', flush=True); sys.exit(5)")
    answers = [policy.answer(policy.game.start[None], KEYS[:1]) for _ in range(3)]
    reasons = [[forfeit.reason for forfeit in answer.forfeits.values()] for answer in answers]
    assert reasons == [[], ["ended with status 5"], []]


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_games_with_a_program_that_leaves_others_behind_leak_nothing(tmp_path: Path) -> None:
    def is_running(number: str) -> bool:
        state = Path(f"/proc/{number}/stat")
        return state.exists() and state.read_text().rpartition(")")[2].split()[0] not in "ZX"

    program = tmp_path / "engine.sh"
    program.write_text(
        "while read word rest; do if [ $word = go ]; then sleep 1000 & echo $! >> pids; echo $rest >&2; exit 3; fi; done\n"
    )
    policy = EnginePolicy(ludus.make_game("nim"), command=f"sh -c 'cd {tmp_path} && . ./engine.sh'")
    gc.collect()
    files, threads = {*os.listdir("/proc/self/fd")}, {*threading.enumerate()}
    score = evaluate(policy, "nim", "random", games=200, seed=1, faults="count")
    policy._program.stop()
    assert score.losses == 200
    assert {*os.listdir("/proc/self/fd")} <= files  # servers of other tests may have closed some meanwhile
    assert {*threading.enumerate()} <= threads
    started = (tmp_path / "pids").read_text().split()
    assert len(started) == 200
    limit = time.monotonic() + 600
    while any(map(is_running, started)) and time.monotonic() < limit:  # the system ends what was killed when it comes to it
        time.sleep(0.01)
    assert [number for number in started if is_running(number)] == []


@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        (["go 1", "dance"], ["error 'go' is not expected here", "error 'dance' is not expected here"]),
        (["position 0 0", "go 1"], ["error the game is over in '0 0'; send another position"]),
        (["position 9 9", "go abc"], ["error go 'abc' has no whole number; send go and a whole number, or only go"]),
        (["position 0 2", "position 7", "go 1"], ["error '7' is", "error 'go' is not expected here"]),
        (["position 0 2", "game chess", "go 1"], ["error there is no game 'chess'", "error 'go' is not expected here"]),
    ],
)
def test_a_served_policy_answers_only_where_there_is_a_move(sent: list[str], answers: list[str]) -> None:
    found = [*answer_lines("random", ["game nim:heaps=9+9", *sent])]
    assert [one[: len(words)] for one, words in zip(found, answers, strict=True)] == answers


def test_the_example_in_python_plays_whole_games() -> None:
    policy = ludus.make_policy(f"engine:{shlex.join([sys.executable, str(ROOT / 'examples' / 'engine.py')])}", "othello:size=4")
    # games are drawn by the policy's name, in which no folder of this machine may stand
    found = evaluate(policy.with_title("example"), "othello:size=4", "random", games=20, seed=0)
    assert found.faults.sum() == 0
    assert found.wins > found.losses


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_example_in_c_plays_nim_perfectly(tmp_path: Path) -> None:
    subprocess.run(["cc", "-O2", "-o", tmp_path / "engine", ROOT / "examples" / "engine.c"], check=True)
    found = evaluate(f"engine:{tmp_path / 'engine'}", "nim", "random", games=40, seed=0, opening_plies=0)
    assert (found.wins, found.faults.sum()) == (40, 0)
