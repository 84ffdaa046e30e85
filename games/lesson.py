"""`Lesson`: how a game is taught to somebody who has never played it, as data that pages show.

A game names its lesson as `known.lesson`: a file, or a function from its variant to the lesson; the games of this package have
theirs in `lesson.json` of their folders. Positions are text and moves are names, as everywhere, so that the game's own drawing
shows them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.files.documents import convert_document
from ..core.plugins.loading import load_object
from ..core.specs import value_text
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
    lesson = game.known.lesson
    if isinstance(lesson, Path):
        return read_lesson(lesson, game)
    return None if lesson is None else load_object(lesson)(game)


def read_lesson(path: Path, game: Game, **words: Any) -> Lesson:
    """The lesson in a JSON file, with the fields of `Lesson`, for one variant.

    Texts hold words in braces, as `{number}`: those of `game`, such as `{game.size}`; those given; and those that the file lists
    under "words" by the value of a setting. In a list of moves, a word can be several. An illustration or exercise with the field
    "when" is left out where the word that it names is empty, or after "not" where it is not.

    Args:
        path: the file.
        game: the variant.
        words: words that the file cannot list, since they follow from several settings.

    Raises:
        ValueError: the file is damaged.
    """
    document = json.loads(path.read_text(encoding="utf-8"))
    for setting, values in document.pop("words", {}).items():
        words |= values[value_text(getattr(game, setting))]
    return convert_document(_fill_in(document, {"game": game, **words}), Lesson, str(path), "install this package again")


def _fill_in(part: Any, words: dict[str, Any]) -> Any:
    """A part of a lesson with its words."""
    if isinstance(part, dict):
        return {name: _fill_in(value, words) for name, value in part.items() if name != "when"}
    if isinstance(part, list):
        return [item for listed in part if _is_meant(listed, words) for item in _items(_fill_in(listed, words))]
    if part[1:-1] in words:
        return words[part[1:-1]]
    return part.format_map(words)


def _is_meant(listed: Any, words: dict[str, Any]) -> bool:
    """Whether the variant has an illustration or exercise."""
    negation, _, word = listed.get("when", "").rpartition(" ") if isinstance(listed, dict) else ("", "", "")
    return not word or bool(words[word]) != (negation == "not")


def _items(filled: Any) -> list[Any]:
    return list(filled) if isinstance(filled, (list, tuple)) else [filled]
