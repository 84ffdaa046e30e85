"""Hex, the first example of a game from outside: what is published about it (test_openspiel.py plays it)."""

import pytest

import ludus
from ludus.oracles import make_oracle

pytestmark = pytest.mark.usefixtures("hexes")


@pytest.mark.parametrize("size", [3, 5])
def test_the_check_finds_nothing(size):
    report = ludus.check_game(f"hex:size={size}", games=1)
    assert report.ok, report


@pytest.mark.parametrize("size", [3, 4])
def test_the_first_player_wins(size):  # Nash 1952
    game = ludus.make_game("hex", size=size)
    assert make_oracle(game).value(game.start) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "9 cells"),
        ("--------- Z", "who moves"),
        ("X-------- X", "X moves first"),
        ("OX-O----- X", "X moves first"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_the_reason(text, why):
    with pytest.raises(ValueError, match=why):
        ludus.make_game("hex:size=3").parse(text)


@pytest.mark.parametrize("size", [2, 9])
def test_a_board_that_cannot_be_is_refused(size):
    with pytest.raises(ValueError, match=r"size.*3.*8"):
        ludus.make_game("hex", size=size)
