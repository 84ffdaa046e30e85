"""The cells that won: known lines, no line where none decides, and their frames in the drawing."""

import numpy as np
import pytest

from ludus.envs import make_game

from ..helpers.games import VARIANTS, random_line

KNOWN = {
    ("tictactoe", "XXXOO---- O"): "a1 b1 c1",
    ("tictactoe", "XOO-X---X O"): "a1 b2 c3",
    ("tictactoe", "XOXOXOXOX O"): "a1 a3 b2 c1 c3",  # two lines with one mark
    ("tictactoe", "XOXXOOOXX O"): "",  # a draw
    ("tictactoe", "XX-OO---- X"): "",  # not over
    ("quixo:size=3", "XXXOOO--- X"): "a1 b1 c1",  # O moved and completed both: X wins
    ("quixo:size=3", "XXXOOO--- O"): "a2 b2 c2",
    ("quixo:size=4", "---O--O--O--O--- X"): "a4 b3 c2 d1",
    ("quarto", "0123------------ -"): "a1 b1 c1 d1",
    ("quarto", "0--7------------ -"): "",
    ("quarto", "01--23---------- -"): "",  # a square of four counts only where squares win
    ("quarto:squares=true", "01--23---------- -"): "a1 a2 b1 b2",
    ("connect_four:rows=4,columns=4", "---O--OX-OXXOXXO X"): "a4 b3 c2 d1",
    ("connect_four:rows=4,columns=4", "XXOOOOXXXXOOOOXX X"): "",  # a draw
    ("othello:size=4", "XXXXXXXXXXXXXXXX O"): "",
    ("connect_four", "-" * 28 + "OOO----XXXX--- O"): "a6 b6 c6 d6",
    ("connect_four", "-" * 14 + "X------X-O----X-O----X-O---- O"): "a3 a4 a5 a6",
    ("connect_four:rows=4,columns=4", "X---OX--XOXOOXOX O"): "a1 b2 c3 d4",
    ("connect_four:rows=4,columns=5,line=3", "--------X---XO-XXOO- O"): "b4 c3 d2",
    ("connect_four:rows=4,columns=5,line=3", "-----X----OX-O-XXXOO O"): "a2 a4 b3 b4 c4",  # two lines with one disc
    ("nim", "0 0 0 0"): "",
}


@pytest.mark.parametrize(("spec", "position"), KNOWN)
def test_the_line_that_won_is_known(spec: str, position: str):
    game = make_game(spec)
    columns = game.board[1]
    names = {f"{'abcdefgh'[cell % columns]}{cell // columns + 1}" for cell in game.winning_cells(game.parse(position))}
    assert names == set(KNOWN[spec, position].split())


@pytest.mark.parametrize("spec", [spec for spec in VARIANTS if spec.startswith(("tictactoe", "quixo", "quarto", "connect_four"))])
def test_a_game_of_lines_has_winning_cells_when_it_is_won_and_frames_them(spec: str):
    game, rng, wins = make_game(spec), np.random.default_rng(0), 0
    for _ in range(6):
        *before, state = random_line(game, rng)
        assert not any(map(game.winning_cells, before))
        won, cells = any(game.outcome(state) or ()), game.winning_cells(state)
        assert bool(cells) == won
        assert game.svg(state).count('fill="none" rx="9" stroke="#2b2a33" stroke-width="4"') == len(cells)
        wins += won
    assert wins


@pytest.mark.parametrize(
    ("position", "status"),
    [
        ("XXXXXXXOXXXXXXXX X", "black wins 15–1"),
        ("OOOOOOOOOOOOOOOX X", "white wins 15–1"),
        ("-----OX--XO----- X", "black to move · 2 black, 2 white"),
    ],
)
def test_othello_counts_its_discs(position: str, status: str):
    game = make_game("othello:size=4")
    assert game.status(game.parse(position)) == status
