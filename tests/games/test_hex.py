"""Hex, the first example of a game from outside: as OpenSpiel has it, and what is published about it."""

import numpy as np
import pytest

import ludus
from ludus.oracles import make_oracle

pytestmark = pytest.mark.usefixtures("hexes")


@pytest.mark.parametrize("size", [3, 5])
def test_the_check_finds_nothing(size):
    report = ludus.check_game(f"hex:size={size}", games=1)
    assert report.ok, report


@pytest.mark.parametrize("size", range(3, 9))
def test_random_games_go_as_openspiel_has_them(size):
    pyspiel, game, random = pytest.importorskip("pyspiel"), ludus.make_game("hex", size=size), np.random.default_rng(size)
    for _ in range(30):
        ours, theirs = game.start, pyspiel.load_game(f"hex(board_size={size})").new_initial_state()
        while not theirs.is_terminal():
            assert game.outcome(ours) is None
            assert game.player(ours) == theirs.current_player()
            assert game.legal_actions(ours) == theirs.legal_actions()
            action = int(random.choice(theirs.legal_actions()))
            ours = game.play(ours, action)
            theirs.apply_action(action)
        assert game.outcome(ours) == tuple(theirs.returns())


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
