"""Positions and states that cannot be get a sentence that says why, and the game continues."""

from itertools import permutations

import numpy as np
import pytest

import ludus

from ..helpers.sentences import GAMES, says
from ..helpers.views import VIEWS, position_of

FOUR, SMALL = (int(ludus.make_game(spec).start[0]) for spec in ("connect_four", "connect_four:rows=4,columns=4"))
"""Boards of Connect Four without a disc, as words."""
NO_POSITIONS = [
    ("tictactoe", "", "9 cells"),
    ("tictactoe", "--------- Z", "who moves"),
    ("tictactoe", "X-------- X", "1 X and 0 O"),
    ("tictactoe", "XXXOO-O-- X", "has a line"),
    ("quarto", "g--------------- -", "16 cells"),
    ("quarto", "00-------------- -", "piece 0 is there twice"),
    ("quarto", "3--------------- 3", "piece 3 is there twice"),
    ("quarto", "0123------------ 5", "the game is over"),
    ("quixo", "z------------------------ X", "25 cells of X, O or -"),
    ("othello:size=4", "-----OX--XO----Z X", "16 cells of X, O or -"),
    ("othello:size=4", "XXXX-OX--X-----X X", "in the middle"),
    ("nim", "1 3 5", "4 heaps"),
    ("nim", "1 3 5 8", "beyond 7"),
    ("nim", "1 3 5 ²", "4 heaps"),
    ("quarto:squares=true", "01--23---------- 4", "the game is over"),
    ("connect_four", "-" * 41 + "z O", "42 cells of X, O or -"),
    ("connect_four", "-" * 41 + "X X", "1 X and 0 O"),
    ("connect_four", "-" * 28 + "X" + "-" * 13 + " O", "a6 is empty below a disc"),
    ("connect_four:rows=4,columns=4", "---X" + "-" * 8 + "---O X", "d3 is empty below a disc"),
    ("connect_four", "-" * 28 + "OOOO---XXXX--- X", "X has a line, so the game was over before the last disc"),
    ("connect_four", "-" * 21 + "X------XXXX---OOOO--- O", "O has a line"),
    ("connect_four", "-" * 28 + "OOXO---XXXX--O O", "X had a line before the last disc"),
]
STATES = [
    ("tictactoe", [1 << 19], "a bit that means nothing"),
    ("tictactoe", [0b1_000000001], "X and O on one cell"),
    ("tictactoe", [1 << 18], "O to move before X"),
    ("tictactoe", [0b000111000_000000111], "both have a line"),
    ("quarto", [1, 0], "a piece is dark and not there"),
    ("quarto", [0, 1], "a piece stands there that nobody gave"),
    ("quarto", [0, 0b11 | 1 << 16], "a piece stands on two cells"),
    ("quarto", [0, 5 << 32], "no piece is in hand, and it is number 5"),
    ("quarto", [0, 1 << 37], "another variant"),
    ("quixo", [6 << 26], "a board of 6×6"),
    ("quixo", [5 << 26 | 1 | 1 << 32], "X and O on one cube"),
    ("quixo:size=3", [1 << 9 | 3 << 26], "a cube beyond the board"),
    ("othello", [0, 0, 16], "nothing in the middle"),
    ("othello", [1 << 28 | 1 << 35, 1 << 27 | 1 << 36, 12], "a board of 6×6"),
    ("othello", [1 << 28 | 1 << 35 | 1 << 27, 1 << 27 | 1 << 36, 16], "black and white on one cell"),
    ("othello:size=4", [0x10240, 0x0420, 4 << 1], "a disc beyond the board"),
    ("connect_four", [0], "no board"),
    ("connect_four", [FOUR ^ 7 << 53 ^ 6 << 53], "a board of 6 columns"),
    ("connect_four", [FOUR ^ 1 << 56], "five in a line"),
    ("connect_four", [FOUR & ~1], "a column without the 1 above its discs"),
    ("connect_four", [FOUR + 1], "O moved twice"),
    ("connect_four", [FOUR + 127 | 1 << 49], "a column of seven discs"),
    ("connect_four:rows=4,columns=4", [SMALL | 1 << 28], "a fifth column"),
    ("nim", [0x08050301, 0x07070400], "a heap grew"),
    ("nim", [0x0107050301, 0x07070400], "a fifth heap"),
]
OVER = [
    ("tictactoe", "XXXOO---- O", "X wins"),
    ("tictactoe", "XOXXOOOXX O", "a draw"),
    ("quarto", "0123------------ -", "player 0 wins"),
    ("quixo:size=3", "XXXOOO--- X", "X wins"),
    ("othello:size=4", "XXXXXXXXXXXXXXXX O", "black wins"),
    ("connect_four", "-" * 28 + "OOO----XXXX--- O", "X wins"),
    ("connect_four:rows=4,columns=4", "XXOOOOXXXXOOOOXX X", "a draw"),
    ("nim", "0 0 0 0", "player 1 wins with the last match"),
    ("nim:misere=true", "0 0 0 0", "player 0 wins: the last match loses"),
]


VARIANTS = [(spec, other) for name in GAMES for spec, other in permutations(type(ludus.make_game(name)).variants, 2)]


@pytest.mark.parametrize(("spec", "given", "words"), [*NO_POSITIONS, *STATES, *OVER])
def test_what_no_game_can_start_from_is_refused_and_the_game_continues(spec, given, words):
    game, is_text = ludus.make_game(spec), isinstance(given, str)
    if (spec, given, words) in OVER:
        ways = [given, game.position(given)]
        words = [repr(game.text(ways[1])), words, "a game starts from a position to play"]
    else:
        ways = [given] if is_text else [given, np.array(given, np.uint64)]
        words = [repr(given), words] if is_text else ["is not a state", game.spec, *map(hex, given)]
        for way in ways:
            with pytest.raises(ValueError, match=r"\w") as error:
                game.position(way)
            says(error, *words)
    for view in VIEWS.values():
        board = view(spec)
        board.reset(seed=0)
        for way in ways:
            with pytest.raises(ValueError, match=r"\w") as error:
                board.reset(seed=1, position=way)
            says(error, *words)
            assert position_of(board) == game.text(game.start)
        board.step(int(board.mask().argmax()))
        assert position_of(board) != game.text(game.start)


@pytest.mark.parametrize(("spec", "other"), [*permutations(GAMES, 2), *VARIANTS])
def test_a_state_of_another_game_or_variant_is_refused(spec, other):
    with pytest.raises(ValueError, match="state") as error:
        ludus.make_game(spec).position(ludus.make_game(other).start)
    says(error, spec)


@pytest.mark.parametrize("state", [[], [0, 0], [[0]], [0.0], ["0"], 7, None, {}, [None]], ids=repr)
def test_what_does_not_have_the_form_of_a_state_is_refused(state):
    with pytest.raises(ValueError, match="state") as error:
        ludus.make_game("tictactoe").position(state)
    says(error, "1 whole numbers", repr(state))
