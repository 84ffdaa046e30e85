"""Lessons: what they show can be played, and what they ask for is right."""

import pytest

from ludus.envs import Game, make_game
from ludus.games.lesson import Exercise, Illustration, Lesson, load_lesson

from ..helpers.games import VARIANTS

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
