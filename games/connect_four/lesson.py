"""How Connect Four is taught: the words of `lesson.json` that follow from the size of the board and the length of a line."""

from __future__ import annotations

from pathlib import Path

from ..lesson import Lesson, read_lesson
from .rules import ConnectFour

DIAGONAL = {3: "acbabcc", 4: "addcbddabcc"}
"""For lines of each length, a game in which X completes a rising diagonal."""


def lesson_of(game: ConnectFour) -> Lesson:
    """The lesson of a variant."""
    across, upright = game.columns >= game.line, game.rows >= game.line
    # X and O in turn in the first columns: X's discs lie in the lowest row, O's above them
    row = [column for column in game.moves[: game.line - 1] for _ in range(2)]
    return read_lesson(
        Path(__file__).with_name("lesson.json"),
        game,
        across=across,
        upright=upright,
        diagonal=list(DIAGONAL.get(game.line, "")) if across and upright else [],
        middle=game.moves[game.columns // 2],
        row=row,
        end=game.moves[game.line - 1] if across else "",
        nearly=row[:-1],
        # O drops all discs in column b, X beside it
        column=[move for i in range(game.line - 1) for move in ("ac"[i % 2], "b")],
    )
