"""Programs that speak GTP or our own lines: each conversation is a file, and its program need not be there."""

from __future__ import annotations

import shutil
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import ClassVar

import numpy as np
import pytest

import ludus
from ludus import Policy
from ludus.agents import SequencePolicy
from ludus.agents.answers import Forfeits
from ludus.arena import evaluate
from ludus.games.lines import GameLines
from ludus.text.answering import answer_lines
from ludus.text.engines import EnginePolicy
from ludus.text.engines import program as programs

GRHINO = shutil.which("gtp-rhino") or shutil.which("gtp-rhino", path="/usr/games")
KEY = np.zeros(1, np.uint64)
TRANSCRIPTS = Path(__file__).parent / "transcripts"


def lines_of_transcript(name: str) -> list[tuple[str, str]]:
    """The lines of a conversation, each with its sign, `>` or `<`."""
    return [(line[0], line[2:]) for line in (TRANSCRIPTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()]


class RepeatingProcess:
    """Stands for the running program that a conversation names: it says the same, and must be written the same."""

    def __init__(self, words: list[str], until: float, _: float) -> None:
        self.until, self.last_words, self._lines = until, "", deque[str]()
        self.left = lines_of_transcript(words[0])

    def write(self, lines: str) -> None:
        for line in lines.split("\n"):
            assert self.left.pop(0) == (">", line)
            while self.left and self.left[0][0] == "<":
                self._lines.append(self.left.pop(0)[1])

    def line(self) -> str:
        if not self._lines:
            raise TimeoutError
        return self._lines.popleft()

    def processor_seconds(self) -> float:
        return 0.0

    def end(self) -> None:
        self.write("quit")


class ServingProcess:
    """Stands for a running `ludus engine` with a policy, which is a thread here; the game where the protocol names none."""

    def __init__(self, policy: Policy, protocol: str, game: str | None) -> None:
        self.until, self.last_words = 0.0, ""
        self._sent, self._answers = SimpleQueue[str | None](), SimpleQueue[str]()
        self._answering = Thread(target=self._answer, args=(policy, protocol, game), daemon=True)
        self._answering.start()

    def _answer(self, policy: Policy, protocol: str, game: str | None) -> None:
        for answer in answer_lines(policy, iter(self._sent.get, None), protocol, game):
            for line in answer.split("\n"):
                self._answers.put(line)

    def write(self, lines: str) -> None:
        for line in lines.split("\n"):
            self._sent.put(line)

    def line(self) -> str:
        return self._answers.get(timeout=600)

    def processor_seconds(self) -> float:
        return 0.0

    def end(self) -> None:
        self.write("quit")
        self._answering.join()


def ask(policy: EnginePolicy, *moves: str) -> str:
    """The move of a policy after these moves of a game."""
    game = policy.game
    state, actions = game.start, [game.action(move) for move in moves]
    for action in actions:
        state = game.play(state, action)
    playing = policy.begin(1)
    playing.lines = GameLines.of(game.start, actions)
    return game.move_name(int(playing.act(state[None], KEY, np.zeros(1, np.int64))[0]))


@pytest.fixture
def repeat(monkeypatch: pytest.MonkeyPatch):
    """Makes a policy of the program that says what it said in a conversation."""
    monkeypatch.setattr(programs, "Process", RepeatingProcess)
    return lambda words, game: ludus.make_policy(f"engine:seconds=0.5 start=0.5 {words}", game)


def end_as_said(policy: EnginePolicy) -> None:
    """Ends the program, and checks that the conversation is over."""
    process = policy._program._process
    policy._program.stop()
    assert process.left == [] if isinstance(process, RepeatingProcess) else process is None


def test_grhino_is_given_the_moves_and_passes_by_itself(repeat):
    policy, passing = repeat("protocol=gtp gtp-grhino", "othello"), ["d3", "c3", "f5", "f4", "f3", "d2", "d1", "e1", "b3", "c1"]
    assert ask(policy) == "f5"
    assert ask(policy, "f5", "f4") == "e3"
    assert ask(policy, *passing) == "pass"
    assert ask(policy, *passing, "pass") == "b4"
    alone = policy.game.position("--OOO------O-----XXX-X-----XXX-----XXX-------------------------- O")
    assert policy.game.move_name(int(policy.act(alone[None], KEY)[0])) == "b4"
    end_as_said(policy)


def test_a_program_plays_without_the_commands_of_gtp_that_it_lacks_and_may_resign(repeat):
    policy = repeat("protocol=gtp gtp-plain", "tictactoe")
    assert ask(policy) == "b2"
    with pytest.raises(Forfeits, match="has no move: resigned"):
        ask(policy, "b2", "a1")
    end_as_said(policy)


RESIGNING = {
    "gtp": "genmove*) echo = resign; echo;; *) echo =; echo;;",
    "ludus": "go*) echo bestmove resign;;",
}


@pytest.mark.parametrize("protocol", RESIGNING)
def test_a_program_that_resigns_has_lost_without_a_fault(protocol):
    program = f"engine:protocol={protocol} sh -c 'while read -r line; do case $line in {RESIGNING[protocol]} esac; done'"
    score = evaluate(program, "tictactoe", "random", games=4, seed=0, opening_plies=0)
    assert (score.losses, score.faults.sum(), score.reasons) == (4, 0, ())


def test_an_engine_is_given_a_time(repeat):
    policy = repeat("think=0.5 ludus-timed", "tictactoe")
    assert policy.game.move_name(int(policy.act(policy.game.start[None], KEY + np.uint64(7))[0])) == "b2"
    end_as_said(policy)


@pytest.mark.parametrize("protocol", ["gtp", "ludus"])
def test_an_engine_is_told_how_much_time_is_left(protocol: str, monkeypatch: pytest.MonkeyPatch):
    named = None if protocol == "ludus" else "tictactoe"
    monkeypatch.setattr(programs, "Process", lambda *_: ServingProcess(NearLast(ludus.make_game("tictactoe")), protocol, named))
    engine, asked = ludus.make_policy(f"engine:protocol={protocol} ludus engine", "tictactoe"), list[list[str]]()
    assert isinstance(engine, EnginePolicy)
    playing, state = engine.begin(1), engine.game.start[None]
    playing.lines = GameLines.without_moves(state)
    for seconds in (90.0, 12.75, None):
        playing.seconds_left = None if seconds is None else np.array([seconds])
        playing.act(state, KEY, np.zeros(1, np.int64))
        lines = engine._program.last_question.split("\n")
        asked.append([line for line in lines if line.startswith(("time", "clock"))])
    gtp = [["time_settings 90 0 0", "time_left black 90 0"], ["time_left black 12 0"], []]
    assert asked == (gtp if protocol == "gtp" else [["clock 90.000"], ["clock 12.750"], []])
    engine._program.stop()


@pytest.mark.parametrize(
    ("name", "policy", "game", "asked"),
    [
        ("gtp", "perfect", "tictactoe", {"": "b3", "b2 a1": "b1", "a1 b2 c3": "b3"}),
        ("ludus", "perfect", "nim:heaps=1+2", {"": "2-1", "2-1": "1-1"}),
    ],
)
def test_what_ludus_asks_and_what_it_answers_is_the_conversation_in_the_file(name, policy, game, asked, repeat):
    lines = lines_of_transcript(name)
    sent = [line for sign, line in lines if sign == ">"]
    answers = answer_lines(policy, sent, name, None if name == "ludus" else game)
    assert "\n".join(answers).split("\n") == [line for sign, line in lines if sign == "<"]
    asking = repeat({"gtp": "protocol=gtp gtp", "ludus": "ludus"}[name], game)
    for moves, reply in asked.items():
        assert ask(asking, *(move.replace("_", " ") for move in moves.split())) == reply
    end_as_said(asking)


@dataclass(frozen=True)
class NearLast(SequencePolicy):
    """Plays the legal action that is nearest to the last one: it has to know the moves."""

    name: ClassVar[str] = "near_last"

    def act_on(self, states, keys, lines):
        last = np.array([int(moves[length - 1]) if length else 0 for moves, length in zip(lines.moves, lines.lengths, strict=True)])
        distance = abs(np.arange(self.game.num_actions) - last[:, None])
        return np.where(self.game.masks(states), -distance, -np.inf).argmax(axis=1)


@pytest.mark.parametrize(
    ("protocol", "spec"),
    [
        ("gtp", "othello:size=4"),
        ("gtp", "tictactoe"),
        ("ludus", "nim"),
        ("ludus", "quarto"),
    ],
)
def test_a_policy_plays_through_each_protocol_as_it_plays_itself(protocol: str, spec: str, monkeypatch: pytest.MonkeyPatch):
    itself = NearLast(ludus.make_game(spec))
    named = None if protocol == "ludus" else spec
    monkeypatch.setattr(programs, "Process", lambda *_: ServingProcess(itself, protocol, named))
    through = ludus.make_policy(f"engine:protocol={protocol} ludus engine", spec)
    assert isinstance(through, EnginePolicy)
    games = [evaluate(policy.with_title("near_last"), spec, "random", games=8, seed=0) for policy in (itself, through)]
    assert games[1].faults.sum() == 0
    assert games[0].evidence.lines == games[1].evidence.lines
    through._program.stop()


@pytest.mark.skipif(GRHINO is None, reason="gtp-rhino is not installed; on Debian: apt install grhino")
def test_grhino_plays_a_match():
    score = evaluate(f"engine:protocol=gtp {GRHINO} --level 1 --book 0", "othello", "random", games=4, seed=0)
    assert score.faults.sum() == 0
    assert score.wins == 4
