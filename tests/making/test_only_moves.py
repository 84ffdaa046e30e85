"""The puzzles that ship: exactly one move wins, by the oracle; no two are symmetric; and the tool makes the same ones anew."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import ludus
from benchmarks.making import only_moves as tool
from ludus.games.tictactoe import TicTacToe
from ludus.oracles.statespace.canonical import canonical
from ludus.records.only_moves import LEVELS, puzzles_of, read_only_moves

SOME = 8
"""Puzzles of each game that the oracle is asked about; `python -m benchmarks.making.only_moves --check` asks about all."""


@pytest.mark.parametrize("spec", tool.PLIES)
def test_exactly_one_move_wins_and_no_two_puzzles_are_symmetric(spec: str) -> None:
    game = ludus.make_game(spec)
    puzzles = puzzles_of(game)
    assert tool.faults_of(game, random.Random(spec).sample(puzzles, min(SOME, len(puzzles)))) == []
    states = np.array([game.parse(puzzle.position) for puzzle in puzzles])
    assert len(np.unique(canonical(game, states)[0], axis=0)) == len(puzzles)
    assert {*game.players(states)} == ({0} if game.name == "nim" else {0, 1})  # the text of Nim's positions says no player
    assert 1 <= puzzles[0].level <= puzzles[-1].level <= LEVELS
    assert [*puzzles] == tool.in_order(game, reversed(puzzles))
    assert len(puzzles) <= sum(tool.SHARES)


def test_the_tool_makes_what_ships_and_a_wrong_answer_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludus.make_game("tictactoe")
    shipped = puzzles_of(game)
    monkeypatch.setattr(TicTacToe, "known", replace(TicTacToe.known, puzzles=tmp_path))
    tool.make_puzzles(["tictactoe"], seed=1)
    assert read_only_moves((tmp_path / "tictactoe.puzzles").read_text()) == shipped
    first, second, *_ = shipped
    (fault,) = tool.faults_of(game, [first, second._replace(distance=7)])
    assert second.position in fault
