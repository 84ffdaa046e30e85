"""How Quarto is taught, with and without squares."""

from __future__ import annotations

from ..lesson import Exercise, Illustration, Lesson
from .rules import Quarto

# A game in which dark and square pieces come to stand in row 2, with a2 still empty.
BEGIN = ("give 5", "b2", "give 7")
MIDDLE = (*BEGIN, "c2", "give 2", "a4", "give 13")
LIGHT_AND_ROUND = ("give 0", "give 8", "give 10")


def lesson_of(game: Quarto) -> Lesson:
    """The lesson of a variant."""
    lines = "a row, a column, a diagonal or a square of 2×2 cells" if game.squares else "a row, a column or a diagonal"
    win = (
        Illustration(
            caption="Four round pieces in a square of 2×2 cells: who placed the last of them wins.",
            position="01--2----------- 3",
            moves=("b2",),
        )
        if game.squares
        else Illustration(
            caption="Some are light and some dark, but all four are round: who placed the last of them wins.",
            position="012------------- 3",
            moves=("d1",),
        )
    )
    return Lesson(
        goal=f"Complete {'a line or a square' if game.squares else 'a line'} of four pieces that have something in common.",
        sentences=(
            "The sixteen pieces are all different: light or dark, short or tall, round or square, solid or hollow.",
            "You do not choose the piece that you place: the other side gives it to you.",
            "Place it on an empty cell; then choose a piece for the other side to place. (The first turn is only to give.)",
            f"Whoever completes {lines} of four pieces that share a property wins, no matter who placed the other three.",
            "If all pieces are placed and nobody has won, the game is a draw.",
        ),
        illustrations=(
            Illustration(caption="The first player gave a piece: the other side must place it.", moves=("give 5",)),
            Illustration(caption="It was placed, and who placed it gave the next piece.", moves=BEGIN),
            win,
        ),
        exercises=(
            Exercise(
                text="You begin, and you only give: choose piece 5, which is dark, short, square and solid.",
                asked=("give 5",),
                right="The other side has to place it, and then gives you a piece.",
                wrong="The pieces stand beside the board. Choose the one with the number 5.",
            ),
            Exercise(
                text="You were given piece 7: dark, tall, square and solid. Place it on c2, beside the other one.",
                moves=BEGIN,
                asked=("c2",),
                right="These two have three properties in common: both are dark, square and solid.",
                wrong="Choose the cell c2: column c, row 2.",
            ),
            Exercise(
                text="Your turn is not over: now give a piece. Choose piece 2, which is light, tall and round.",
                moves=(*BEGIN, "c2"),
                asked=("give 2",),
                right="So each turn has two parts: you place, then you give.",
                wrong="Choose the piece with the number 2.",
            ),
            Exercise(
                text="Here is piece 13: dark, short, square and hollow. Place it on d2.",
                moves=MIDDLE,
                asked=("d2",),
                right="Row 2 has three pieces that are dark and square. One is missing.",
                wrong="Choose the cell d2: column d, row 2.",
            ),
            Exercise(
                text="Careful: whoever gets a dark or a square piece now completes row 2. Give one that is light and round.",
                moves=(*MIDDLE, "d2"),
                asked=LIGHT_AND_ROUND,
                right="With that piece nobody can complete the row.",
                wrong="That piece is dark or square: the other side would place it on a2 and win.",
            ),
            Exercise(
                text="Some moves later, the other side makes a mistake and gives you piece 9, which is dark. Win the game.",
                position="--8--57d-0--2--a 9",
                asked=("a2",),
                right="Four dark pieces in row 2: you win.",
                wrong="Row 2 has three dark pieces. Where is the fourth cell?",
            ),
        ),
        farewell="You know the game: place what you are given, and give what does not help.",
    )
