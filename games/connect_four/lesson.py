"""How Connect Four is taught, on boards of each size and with lines of each length."""

from __future__ import annotations

from ..lesson import Exercise, Illustration, Lesson
from .rules import ConnectFour

DIAGONAL = {3: "acbabcc", 4: "addcbddabcc"}
"""For lines of each length, a game in which X completes a rising diagonal."""


def lesson_of(game: ConnectFour) -> Lesson:
    """The lesson of a variant."""
    number, middle = {3: "three", 4: "four", 5: "five"}[game.line], game.moves[game.columns // 2]
    across, upright = game.columns >= game.line, game.rows >= game.line
    # X and O in turn in the first columns: X's discs lie in the lowest row, O's above them
    row = tuple(column for column in game.moves[: game.line - 1] for _ in range(2))
    # O drops all discs in column b, X beside it
    column = tuple(move for i in range(game.line - 1) for move in ("ac"[i % 2], "b"))
    won = (
        Illustration(caption=f"X has {number} in a row and wins.", moves=(*row, game.moves[game.line - 1]))
        if across
        else Illustration(caption=f"O has {number} in a column and wins.", moves=(*column, "a", "b"))
    )
    third = (
        Illustration(caption="A diagonal counts as well: X wins.", moves=tuple(DIAGONAL[game.line]))
        if across and upright and game.line in DIAGONAL
        else Illustration(caption=f"X has all but one of a line of {number}.", moves=row[:-1])
    )
    return Lesson(
        goal=f"Get {number} discs in a line to win.",
        sentences=(
            f"X and O take turns dropping a disc into one of {game.columns} columns; X begins.",
            f"The disc falls to the lowest free cell; a column with {game.rows} discs is full.",
            f"Whoever first has {number} discs in a line wins: across, upright or diagonal.",
            "There may be no gap in the line.",
            "If the board is full and nobody has such a line, the game is a draw.",
        ),
        illustrations=(
            Illustration(caption=f"Two discs in column {middle}: O's lies on X's.", moves=(middle, middle)),
            won,
            third,
        ),
        exercises=(
            Exercise(
                text="You are X. Choose a column: your disc falls to its lowest free cell.",
                right="The next disc in that column would lie on yours.",
            ),
            *([_complete(row, game.moves[game.line - 1], number)] if across else []),
            *([_block(column)] if upright else []),
        ),
        farewell="You know the game: the middle columns are part of most lines.",
    )


def _complete(row: tuple[str, ...], end: str, number: str) -> Exercise:
    return Exercise(
        text=f"You lack one disc of the lowest row. Drop it, and you have {number} in a line.",
        moves=row,
        asked=(end,),
        right=f"{number.capitalize()} in a line: you win.",
        wrong=f"The free cell of your line is at the bottom of column {end}.",
    )


def _block(column: tuple[str, ...]) -> Exercise:
    return Exercise(
        text="O has nearly a whole line in column b and would win next. Stop that.",
        moves=column,
        asked=("b",),
        right="Your disc ends that line.",
        wrong="If you leave column b free, O drops a disc there and wins.",
    )
