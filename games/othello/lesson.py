"""How Othello is taught, on boards of each size."""

from __future__ import annotations

from ..lesson import Exercise, Illustration, Lesson, Passing
from .rules import Othello

PASS = {
    4: "O---OXX-OXX---X- X",
    6: "OOO---OOXXX-O-XX----XX----XX----X--- X",
    8: "--------------------------XXX--O---XXXOO-----X-O-----X---------- X",
}
"""For each size, a position in which black has to pass."""
CORNER = {
    4: ("--O-XXO--XO---OX X", "d1"),
    6: ("-------O----OOOX----XXX------------- X", "a1"),
    8: ("---------O--------O---X---OOOX-----XX-------X------------------- X", "a1"),
}
"""For each size, a position in which black can take one corner."""


def lesson_of(game: Othello) -> Lesson:
    """The lesson of a variant."""
    middle = game.size // 2
    left, above = "abcdefgh"[middle - 1], middle - 1
    first = f"{left}{above}"
    corner, taken = CORNER[game.size]
    return Lesson(
        goal="Have more discs of your colour than the other side at the end.",
        sentences=(
            f"Black and white take turns on {game.size}×{game.size} cells, with four discs in the middle; black begins.",
            "Place a disc so that discs of the other side lie in a straight line between it and another disc of yours.",
            "All discs in between turn over and are yours, in all directions at once: across, up and down, diagonal.",
            "If you have no such cell, you pass; otherwise you may not.",
            "When neither side can place a disc, the game is over: more discs win, and equally many are a draw.",
        ),
        illustrations=(
            Illustration(caption="The start. Small dots mark the cells where black may place a disc."),
            Illustration(
                caption=f"Black placed a disc on {first}: the white disc between that and another black one turned over.",
                moves=(first,),
            ),
            Illustration(caption="There are no dots: black has no cell, and has to pass.", position=PASS[game.size]),
        ),
        exercises=(
            Exercise(
                text="You are black. Small dots mark the cells where you may place a disc: choose any.",
                right="The white disc between your two turned over: it is black now.",
            ),
            Exercise(
                text="A disc in a corner never turns over: nothing can lie beyond it. One corner is free for you: take it.",
                position=corner,
                asked=(taken,),
                right="Corners are worth much. Keep the other side away from them.",
                wrong=f"The corner that you can take is {taken}.",
            ),
            Exercise(
                text="Here is no cell for you: nowhere would a disc of yours turn others over. Then you pass, by the button below "
                "the board.",
                position=PASS[game.size],
                asked=("pass",),
                right="White goes on. As soon as you have a cell again, you play on.",
            ),
        ),
        farewell="You know the game: in the middle of it few discs are often better than many, and corners are best.",
        passing=Passing(
            move="pass",
            why="You have no cell where a disc would turn others over, so you pass.",
            note="{player} had no cell to play on and passed.",
        ),
    )
