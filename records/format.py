"""`RecordFormat`: a format of files of games or positions; and what a game lost in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .file import RecordFile
from .game import NOBODY, RecordedGame

PARTS = ("moves", "start", "players", "result", "header", "comments")
"""What there may be of a game, in words."""


@dataclass(frozen=True)
class RecordFormat:
    """A format of files of games or positions.

    Args:
        name: its name, as users give it.
        title: what it is, in words.
        suffixes: ends of names of files that may have it.
        recognise: whether a file holds it, by its first lines.
        read: the games of a file, one by one; its errors name the line first, as `line 3`, where there are lines.
        write: the texts of games, one after the other; None if it is only read.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognise: Callable[[RecordFile], bool]
    read: Callable[[RecordFile], Iterator[RecordedGame]]
    write: Callable[[Iterable[RecordedGame]], Iterator[str]] | None = None


def lost_parts(record: RecordedGame, again: RecordedGame) -> list[str]:
    """Which parts of a game are not there any more, or not as they were.

    Args:
        record: the game.
        again: the game as it is read from the file that it was written to; what this has more is no loss.
    """
    own = record.rules.text(record.rules.start)
    remarks, remarks_again = ({" ".join(comment.split()) for comment in each.comments.values()} for each in (record, again))
    lost = {
        "moves": record.actions != again.actions,
        "start": record.start is not None and record.start != (again.start or own),
        "players": record.players not in (again.players, NOBODY),
        "result": record.result not in (again.result, None),
        "header": not record.header.items() <= again.header.items(),
        "comments": not remarks <= remarks_again,
    }
    return [part for part in PARTS if lost[part]]
