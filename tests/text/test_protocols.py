"""Programs that speak GTP and UGI, and what is said to them: each conversation is a file, and its program need not be there."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import ludus
from ludus.arena import evaluate
from ludus.games.lines import GameLines
from ludus.text.engines import EnginePolicy
from ludus.text.engines import program as programs

from ..helpers.conversing import RepeatingProcess

GRHINO = shutil.which("gtp-rhino") or shutil.which("gtp-rhino", path="/usr/games")
KEY = np.zeros(1, np.uint64)


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
    policy, passing = repeat("gtp-grhino", "othello"), ["d3", "c3", "f5", "f4", "f3", "d2", "d1", "e1", "b3", "c1"]
    assert ask(policy) == "f5"
    assert ask(policy, "f5", "f4") == "e3"
    assert ask(policy, *passing) == "pass"
    assert ask(policy, *passing, "pass") == "b4"
    alone = policy.game.position("--OOO------O-----XXX-X-----XXX-----XXX-------------------------- O")
    assert policy.game.move_name(int(policy.act(alone[None], KEY)[0])) == "b4"
    end_as_said(policy)


@pytest.mark.skipif(GRHINO is None, reason="gtp-rhino is not installed; on Debian: apt install grhino")
def test_grhino_plays_a_match():
    score = evaluate(f"engine:{GRHINO} --level 1 --book 0", "othello", "random", games=4, seed=0)
    assert score.faults.sum() == 0
    assert score.wins == 4
