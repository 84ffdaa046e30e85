"""What people see and write of a board: the cells that won, Quarto's pieces, the columns of Connect Four."""

import re

import numpy as np
import pytest

import ludus
from ludus.envs import make_game
from ludus.games.drawing.pieces import describe, letters

from ..helpers.games import VARIANTS, random_line

QUARTO, FOUR, SMALL = map(make_game, ("quarto", "connect_four", "connect_four:rows=4,columns=5"))
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


# ---- Quarto's pieces

PIECES = range(16)


def after(*moves):
    state, action = QUARTO.start, None
    for move in moves:
        action = QUARTO.action(move)
        state = QUARTO.play(state, action)
    return state, action


def test_a_piece_is_named_by_the_initials_of_what_it_is():
    assert letters(10) == "lTrH"
    assert describe(10) == "light, tall, round, hollow"
    for piece in PIECES:
        words = describe(piece).split(", ")
        assert [word[0] for word in words] == [*letters(piece).lower()]
        assert sum(1 << bit for bit, letter in enumerate(letters(piece)) if letter.isupper()) == piece


def test_the_picture_shows_each_piece_with_its_number_and_fits_a_terminal():
    state, action = after("give 10", "b2", "give 15")
    picture = QUARTO.picture(state, action)
    board, left = picture.split("not given:")
    assert re.findall(r"\d+ [a-zA-Z]{4}", board) == ["10 lTrH"]
    listed = re.findall(r"(\d+) ([a-zA-Z]{4})", left)
    assert listed == [(str(piece), letters(piece)) for piece in PIECES if piece not in (10, 15)]
    assert "light/Dark +1, short/Tall +2, round/Square +4, solid/Hollow +8" in picture
    assert picture.endswith("player 0 to place piece 15: dark, tall, square, hollow")
    assert max(map(len, picture.splitlines())) <= 79
    assert "[10 lTrH]" in QUARTO.picture(*after("give 10", "b2"))


@pytest.mark.parametrize("piece", PIECES)
def test_a_move_is_read_by_the_number_and_by_the_digit_of_positions(piece):
    assert QUARTO.action(f"give {piece}") == QUARTO.action(f"GIVE {piece:x}") == QUARTO.action(f"give {piece:X}") == 16 + piece
    assert QUARTO.move_name(16 + piece) == f"give {piece}"


# ---- columns of Connect Four


def test_each_column_is_named_by_its_letter_its_number_and_all_of_its_cells():
    for column, letter in enumerate("abcdefg"):
        names = [letter, letter.upper(), str(column + 1), *(f"{letter}{row}" for row in range(1, 7))]
        assert {FOUR.action(name) for name in names} == {column}
        assert FOUR.move_name(column) == letter
    assert SMALL.action("e4") == SMALL.action("5") == 4


@pytest.mark.parametrize(
    ("game", "name"), [*((FOUR, name) for name in ("h", "0", "8", "a0", "a7", "44", "", "a1 a2")), (SMALL, "f"), (SMALL, "e5")]
)
def test_other_names_are_no_columns(game: ludus.Game, name: str):
    with pytest.raises(ValueError, match=f"moves read a, {'d, g' if game is FOUR else 'c, e'}"):
        game.action(name)


def test_in_a_position_a_cell_must_be_the_one_where_the_disc_lands():
    state = FOUR.play_line([3, 3])[-1]
    assert FOUR.action("d4", state) == FOUR.action("d", state) == FOUR.action("4", state) == 3
    for name in ("d1", "d3", "D5"):
        with pytest.raises(ValueError, match=f"falls to d4, not to {name.lower()}; row 1 is at the top"):
            FOUR.action(name, state)
    assert FOUR.action("a1", FOUR.play_line([0] * 6)[-1]) == 0  # a full column is named though it is not legal
