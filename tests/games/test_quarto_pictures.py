"""Quarto to look at: what each piece is, one numbering, and a legend for it, in text, in drawings and on the page."""

import re

import pytest

import ludus
from ludus.games.drawing.pieces import describe, letters

GAME = ludus.make_game("quarto")
PIECES = range(16)


def after(*moves):
    state, action = GAME.start, None
    for move in moves:
        action = GAME.action(move)
        state = GAME.play(state, action)
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
    picture = GAME.picture(state, action)
    board, left = picture.split("not given:")
    assert re.findall(r"\d+ [a-zA-Z]{4}", board) == ["10 lTrH"]
    listed = re.findall(r"(\d+) ([a-zA-Z]{4})", left)
    assert listed == [(str(piece), letters(piece)) for piece in PIECES if piece not in (10, 15)]
    assert "light/Dark +1, short/Tall +2, round/Square +4, solid/Hollow +8" in picture
    assert picture.endswith("player 0 to place piece 15: dark, tall, square, hollow")
    assert max(map(len, picture.splitlines())) <= 79
    assert "[10 lTrH]" in GAME.picture(*after("give 10", "b2"))


@pytest.mark.parametrize("piece", PIECES)
def test_a_move_is_read_by_the_number_and_by_the_digit_of_positions(piece):
    assert GAME.action(f"give {piece}") == GAME.action(f"GIVE {piece:x}") == GAME.action(f"give {piece:X}") == 16 + piece
    assert GAME.move_name(16 + piece) == f"give {piece}"
