"""How Quixo is taught, on boards of each size."""

from __future__ import annotations

from ..lesson import Exercise, Illustration, Lesson
from .rules import Quixo


def lesson_of(game: Quixo) -> Lesson:
    """The lesson of a variant."""
    size = game.size
    last, number = "abcde"[size - 1], {3: "three", 4: "four", 5: "five"}[size]
    # X pushes a blank cube into row 1, O does the same in the last row, X pushes its own cube down the last column
    opening = (f"a1>{last}1", f"a{size}>{last}{size}")
    again = f"{last}1>{last}{size}"
    # X lacks one cube of row 1; then O does, and X would push it there
    most, blank = size - 1, "-" * size
    nearly = "".join(["X" * most, "-", blank * (size - 2), "O" * most, "- X"])
    danger = "".join(["O" * most, "X", "-" * most, "O", blank * (size - 3), "X", "-" * most, " X"])
    return Lesson(
        goal=f"Line up {number} of your symbol, and complete no line of the other side.",
        sentences=(
            f"X and O take turns on a board of {size}×{size} cubes, all blank at first; X begins.",
            "Take a cube from the border: a blank one or one with your symbol. It then shows your symbol.",
            "Push it back in at another end of its row or column: the cubes in between move to close the gap.",
            f"A row, column or diagonal of {number} equal symbols wins for that side; after {game.max_plies} moves it is a draw.",
            "If your push completes a line of the other side, you lose, even if it completes one of your own, too.",
        ),
        illustrations=(
            Illustration(
                caption=f"X took a1 and pushed it in at {last}1: the other cubes of the row moved to the left.",
                moves=opening[:1],
            ),
            Illustration(
                caption=f"X took its cube from {last}1 and pushed it in at {last}{size}: O's cube moved up with the column.",
                moves=(*opening, again),
            ),
            Illustration(
                caption="X's push moved a cube of O into row 1 and completed it: X loses.",
                position=danger,
                moves=(again,),
            ),
        ),
        exercises=(
            Exercise(
                text="You are X. Only cubes of the border can be taken. Choose the blank cube a1, at the top left: the ends where "
                f"it may enter light up. Look at what each would do, and push it in at {last}1.",
                asked=opening[:1],
                right=f"The cubes of row 1 moved to the left, and yours came in at {last}1, showing X.",
                wrong=f"Choose a1 first, then {last}1. (To give a cube back, choose it again.)",
            ),
            Exercise(
                text=f"O pushed a cube into row {size}. You may take blank cubes and your own, never one of O. Take your own cube "
                f"{last}1 and push it in at {last}{size}.",
                moves=opening,
                asked=(again,),
                right=f"The whole column moved up, also O's cube: it is in {last}{most} now.",
                wrong=f"Choose your cube in {last}1, then {last}{size} below it.",
            ),
            Exercise(
                text=f"Some moves later, you lack one cube of row 1. Win: push a cube in so that the row has {number} X.",
                position=nearly,
                asked=(f"{last}1>a1", *(f"{last}{row}>{last}1" for row in range(2, size + 1))),
                right="The row is full: you win.",
                wrong=f"Look at cell {last}1: take the blank cube there and push it in at a1, and your cubes move to the right.",
            ),
            Exercise(
                text=f"Careful: O lacks one cube of row 1, and below your cube in {last}1 stands an O. Push that column up, and "
                "you complete O's row: you lose. Make any other move.",
                position=danger,
                avoid=(again,),
                right="You did not complete O's row. Look at this before each push.",
                wrong=f"That moves O's cube from {last}2 to {last}1, and O has {number} in row 1: you would lose.",
            ),
        ),
        farewell="You know the game: build your own line, and look twice before you push a cube of the other side.",
    )
