"""How a game is taught on the page: its rules with pictures, and a guided first game."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..envs import make_game
from ..games.lesson import Lesson, load_lesson


def lesson_document(spec: str) -> dict[str, Any]:
    """The lesson of a variant, for the page; of a game without one its `explanation` alone.

    Returns:
        `explanation`, and the fields of `Lesson`, which are empty where the game has none.

    Raises:
        ValueError: there is no such game.
    """
    game = make_game(spec)
    fields = asdict(load_lesson(game) or Lesson(goal="", sentences=(), illustrations=()))
    return {"explanation": game.explanation, **fields}
