"""`RecordFormat`: a format of files of games or positions, and what it can hold of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .file import RecordFile
from .game import NOBODY, RecordedGame, result_of

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
        read: the games of a file, one by one; its errors begin with `line N: `, where there are lines.
        write: the texts of games, one after the other; None if it is not a text, or only read.
        pack: the contents of its files by the ends of their names, where it is not a text; None otherwise.
        holds: which of PARTS it can hold.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognise: Callable[[RecordFile], bool]
    read: Callable[[RecordFile], Iterator[RecordedGame]]
    write: Callable[[Iterable[RecordedGame]], Iterator[str]] | None = None
    pack: Callable[[Sequence[RecordedGame]], dict[str, bytes]] | None = None
    holds: tuple[str, ...] = PARTS

    @property
    def is_written(self) -> bool:
        """Whether games can be written in it."""
        return self.write is not None or self.pack is not None

    def lost_parts(self, record: RecordedGame) -> list[str]:
        """Which parts of a game it does not hold; a result that follows from the moves is not lost."""
        has = {
            "moves": bool(record.actions),
            "start": record.start is not None,
            "players": record.players != NOBODY,
            "result": record.result is not None,
            "header": bool(record.header),
            "comments": bool(record.comments),
        }
        lost = [part for part in PARTS if has[part] and part not in self.holds]
        if "result" in lost and result_of(record.rules, record.states()[-1]) is not None:
            lost.remove("result")
        return lost
