"""`Lesson`: how a game is taught to somebody who has never played it, as data that pages show.

A game names a function from its variant to the lesson as `known.lesson`; the games of this package have theirs in `lesson.py` of
their folders. Positions are text and moves are names, as everywhere, so that the game's own drawing shows them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..core.plugins.loading import load_object
from .game import Game


@dataclass(frozen=True, kw_only=True)
class Illustration:
    """A position with a sentence about it. Its last move is marked in the drawing.

    Args:
        caption: the sentence.
        position: the position that the moves begin from, as text; None for the start of the game.
        moves: the names of the moves from there.
    """

    caption: str
    position: str | None = None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A step of a guided game: the learner is to make a move on the board.

    Args:
        text: what the step explains, and what the learner is to do.
        position, moves: the position that the learner sees (see `Illustration`).
        asked: the moves that are right; () for every legal move but those to avoid.
        avoid: the moves that are wrong, where many are right.
        right: what is said after a right move.
        wrong: what is said after a wrong one, which is not made.
    """

    text: str
    position: str | None = None
    moves: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    right: str
    wrong: str = ""


@dataclass(frozen=True, kw_only=True)
class Passing:
    """A move that a player has to make for want of any other, and that has no place on the board.

    Args:
        move: its name.
        why: why the player has no other, said to the player.
        note: what is said after it; `{player}` stands for the player's name.
    """

    move: str
    why: str
    note: str


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """How a variant of a game is taught.

    Args:
        goal: a sentence that says how one wins.
        sentences: the rules, in five sentences.
        illustrations: three pictures of them.
        exercises: the steps of a guided first game.
        farewell: what is said at its end.
        passing: the move of a player who has no other, in games that have one.
    """

    goal: str
    sentences: tuple[str, ...]
    illustrations: tuple[Illustration, ...]
    exercises: tuple[Exercise, ...] = ()
    farewell: str = ""
    passing: Passing | None = None


def load_lesson(game: Game) -> Lesson | None:
    """The lesson of a game; None if it has none."""
    return None if game.known.lesson is None else load_object(game.known.lesson)(game)
