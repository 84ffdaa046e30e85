"""How tic-tac-toe is taught."""

from __future__ import annotations

from ..lesson import Exercise, Illustration, Lesson
from .rules import TicTacToe

LESSON = Lesson(
    goal="Get three in a row to win.",
    sentences=(
        "X and O take turns; X begins.",
        "In your turn, put your mark into any empty cell.",
        "Three of your marks in a row win: across, down or diagonal.",
        "If all nine cells are full and nobody has three in a row, the game is a draw.",
        "So look where the other side has two in a row, and take the third cell yourself.",
    ),
    illustrations=(
        Illustration(caption="X begins, here in the middle.", moves=("b2",)),
        Illustration(caption="X takes c1: three in a row, and X wins.", position="XX-OO---- X", moves=("c1",)),
        Illustration(caption="All cells are full, and nobody has three in a row: a draw.", position="XOXXOOOX- X", moves=("c3",)),
    ),
    exercises=(
        Exercise(
            text="You are X, and you begin. Choose any cell.",
            right="Your mark stays there until the end of the game.",
        ),
        Exercise(
            text="You have two in the top row. Take the third cell.",
            position="XX-OO---- X",
            asked=("c1",),
            right="Three in a row: you win.",
            wrong="Look at the top row: a1 and b1 are yours, so c1 wins.",
        ),
        Exercise(
            text="Now O has two in a row and would win next. Stop that.",
            position="X--OO-X-- X",
            asked=("c2",),
            right="O cannot complete that row any more.",
            wrong="O has a2 and b2. If you do not take c2, O does, and wins.",
        ),
        Exercise(
            text="O threatens a3. The same cell makes two rows of yours that lack one mark each: take it.",
            position="X-O-O---X X",
            asked=("a3",),
            right="You threaten a2 and b3 at once, and O can take only one of them.",
            wrong="O has c1 and b2. Take a3.",
        ),
    ),
    farewell="You know the game. With good play on both sides it is a draw.",
)


def lesson_of(game: TicTacToe) -> Lesson:
    """The lesson: the game has one variant."""
    return LESSON
