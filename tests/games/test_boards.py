"""What people see and write of a board: the cells that won, Quarto's pieces, the columns of Connect Four; and lessons."""

import re

import numpy as np
import pytest

import ludus
from ludus.envs import Game, make_game
from ludus.games.drawing.pieces import letters
from ludus.games.lesson import Exercise, Illustration, Lesson, load_lesson

from ..helpers.games import VARIANTS, random_line

QUARTO, FOUR, SMALL = map(make_game, ("quarto", "connect_four", "connect_four:rows=4,columns=5"))
KNOWN = {
    ("tictactoe", "XXXOO---- O"): "a1 b1 c1",
    ("tictactoe", "XOXOXOXOX O"): "a1 a3 b2 c1 c3",  # two lines with one mark
    ("tictactoe", "XOXXOOOXX O"): "",  # a draw
    ("tictactoe", "XX-OO---- X"): "",  # not over
    ("quixo:size=3", "XXXOOO--- X"): "a1 b1 c1",  # O moved and completed both: X wins
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


def play(*moves):
    state, action = QUARTO.start, None
    for move in moves:
        action = QUARTO.action(move)
        state = QUARTO.play(state, action)
    return state, action


def test_the_picture_shows_each_piece_with_its_number_and_fits_a_terminal():
    state, action = play("give 10", "b2", "give 15")
    picture = QUARTO.picture(state, action)
    board, left = picture.split("not given:")
    assert re.findall(r"\d+ [a-zA-Z]{4}", board) == ["10 lTrH"]
    listed = re.findall(r"(\d+) ([a-zA-Z]{4})", left)
    assert listed == [(str(piece), letters(piece)) for piece in PIECES if piece not in (10, 15)]
    assert "light/Dark +1, short/Tall +2, round/Square +4, solid/Hollow +8" in picture
    assert picture.endswith("player 0 to place piece 15: dark, tall, square, hollow")
    assert max(map(len, picture.splitlines())) <= 79
    assert "[10 lTrH]" in QUARTO.picture(*play("give 10", "b2"))


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


# ---- lessons: what they show can be played, and what they ask for is right

OTHERS = ["nim:heaps=1", "nim:heaps=2,misere=true", "nim:heaps=9+2,limit=1", "connect_four:line=5", "connect_four:columns=4,line=5"]
"""Variants for which a lesson has to leave something out."""


def lesson_of(spec: str) -> tuple[Game, Lesson]:
    game = make_game(spec)
    lesson = load_lesson(game)
    assert lesson is not None
    return game, lesson


def state_of(game: Game, shown: Illustration | Exercise):
    start = None if shown.position is None else game.parse(shown.position)
    return game.play_line([game.action(move) for move in shown.moves], start)[-1]


def after(game: Game, exercise: Exercise) -> dict[str, int]:
    """What each legal move of an exercise leads to: 1 if it wins at once, -1 if it loses at once, else 0."""
    state = state_of(game, exercise)
    ends = {action: game.outcome(game.play(state, action)) for action in game.legal_actions(state)}
    return {game.move_name(action): 0 if end is None else end[game.player(state)] for action, end in ends.items()}


@pytest.mark.parametrize("spec", [*VARIANTS, *OTHERS])
def test_a_lesson_has_five_sentences_three_pictures_and_positions_of_the_game(spec: str):
    game, lesson = lesson_of(spec)
    assert (len(lesson.sentences), len(lesson.illustrations)) == (5, 3)
    assert all(text.endswith((".", ".)")) for text in (lesson.goal, *lesson.sentences, lesson.farewell))
    for shown in lesson.illustrations:
        assert game.svg(state_of(game, shown))
        assert shown.caption.endswith(".")


@pytest.mark.parametrize("spec", [*VARIANTS, *OTHERS])
def test_an_exercise_asks_for_legal_moves_that_do_not_lose_and_for_all_that_win(spec: str):
    game, lesson = lesson_of(spec)
    for exercise in lesson.exercises:
        ends = after(game, exercise)
        right = set(exercise.asked or ends) - set(exercise.avoid)
        assert {*exercise.asked, *exercise.avoid} <= ends.keys(), exercise
        assert right == ends.keys() or min(ends[move] for move in right) >= 0, exercise
        wins = {move for move, end in ends.items() if end == 1}
        assert not right & wins or right == wins, exercise
        assert exercise.wrong or right == ends.keys(), exercise


@pytest.mark.parametrize("spec", VARIANTS)
def test_a_move_without_a_place_on_the_board_is_explained(spec: str):
    game, lesson = lesson_of(spec)
    shown = [*lesson.illustrations, *lesson.exercises]
    moves = [(state, action) for state in (state_of(game, one) for one in shown) for action in game.legal_actions(state)]
    named = {game.move_name(action) for state, action in moves if not game.clicks(state, action)}
    assert named == ({lesson.passing.move} if lesson.passing else set())
