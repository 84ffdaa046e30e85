"""`RecordFile`: a file of games while it is read: its text, whatever its encoding, its lines, and the game that is played in it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from itertools import takewhile
from pathlib import Path
from typing import NoReturn

from ..core.files.reading import BYTE_ORDER_MARKS, decode_text, printable_path, read_regular
from ..core.plugins import admit, needs_in
from ..games.game import Game
from ..games.registry import make_game

MOST_BYTES = 1 << 30
"""The largest file that is read: 1 GiB."""
HOW_TO_NAME_IT = "name its spec: `--spec` of `ludus replay`, `--game` of `ludus convert`, `game=` in Python"
"""What to do about a file that does not say its game."""
STORE_BEGINS = b"SQLite format 3\0"
"""The first bytes of the store of a tournament."""
COMMENT = re.compile(r"(?:^|\s)#(.*)")
"""A comment in a list, up to the end of its line."""
GAME_LINE = re.compile(r"#\s*game:\s*(\S+)\s*", re.IGNORECASE)
"""The comment of a list that says which game is played."""


@dataclass(frozen=True)
class RecordFile:
    """A file of games that is read.

    Args:
        path: the file.
        content: its bytes.
        asked: the game that the user names; None if the file must say it.
        trust: whether code may run that the file names as a game.
    """

    path: Path
    content: bytes
    asked: Game | None = None
    trust: bool = False

    @classmethod
    def open(cls, path: Path, game: Game | None = None, *, trust: bool = False) -> RecordFile:
        """Reads a file; ValueError where it is larger than MOST_BYTES."""
        return cls(path, read_regular(path, MOST_BYTES), game, trust)

    @cached_property
    def text(self) -> str:
        """The text of the file; ValueError where it is none."""
        if self.content.startswith(STORE_BEGINS):
            name = printable_path(self.path)
            raise ValueError(
                f"line 1: this is the store of a tournament; write its games with `ludus convert {name} FILE`, and name FILE"
            )
        return text_of(self.content)

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines, one by one, with their numbers from 1, without the ends of lines."""
        for number, line in enumerate(StringIO(self.text, newline="\n"), 1):
            yield number, line.rstrip("\r\n")

    def entries(self) -> Iterator[tuple[int, str, str]]:
        """The lines of a list that hold something: their numbers, what they hold, and their comments."""
        for number, line in self.lines():
            comment = COMMENT.search(line)
            held = (line[: comment.start()] if comment else line).strip()
            if held:
                yield number, held, comment[1].strip() if comment else ""

    def game_line(self) -> tuple[int, str] | None:
        """The line of a list that names its game, and the spec in it; None where there is none before the first entry."""
        matches = ((number, GAME_LINE.fullmatch(line)) for number, line in self._lines_at_top())
        return next(((number, match[1]) for number, match in matches if match), None)

    def label(self) -> str:
        """What a list says of itself: its first comment before the first entry that does not name the game; empty if none does."""
        try:
            return next((line.lstrip("# ") for _, line in self._lines_at_top() if not GAME_LINE.fullmatch(line)), "")
        except ValueError:
            return ""  # no text

    def _lines_at_top(self) -> Iterator[tuple[int, str]]:
        """The comments before the first entry of a list, with their numbers."""
        lines = ((number, line.strip()) for number, line in self.lines() if line.strip())
        return takewhile(lambda line: line[1].startswith("#"), lines)

    def first_entry(self) -> str:
        """What the first line of a list holds that holds something; empty if none does."""
        return next((held for _, held, _ in self.entries()), "")

    @cached_property
    def game(self) -> Game:
        """The game of a list: the one that a comment `# Game: SPEC` before the first entry names, or that the user names;
        ValueError where nobody names it, they name two, or what the file names may not be made."""
        if named := self.game_line():
            return named_game(*named, self.asked, trust=self.trust)
        if self.asked is not None:
            return self.asked
        raise ValueError(f"line 1: the file does not say which game it is of; {HOW_TO_NAME_IT}")


def named_game(line: int, spec: str, asked: Game | None, needs: object = None, *, trust: bool = False) -> Game:
    """The game that a file names by its spec, which must be the one that the user names.

    Args:
        line: where the file names it.
        spec: the spec.
        asked: the game that the user names; None if the file must say it.
        needs: where the file says that the game comes from.
        trust: whether code may run that the file names.

    Raises:
        ValueError: there is no such game, it is code that is not trusted, or the user names another one.
    """
    try:
        return check_wanted(make_game(admit(spec, "the record", trust=trust, needs=needs_in({"needs": needs}))), asked)
    except ValueError as error:
        wrong(line, str(error))


def check_wanted(game: Game, asked: Game | None) -> Game:
    """The game that a file holds; ValueError if the user names another one."""
    if asked is not None and game != asked:
        raise ValueError(f"this is a game of {game}, and games of {asked} are wanted")
    return game


def text_of(content: bytes) -> str:
    """The text of a file: in the encoding that its byte-order mark names, in UTF-8, or, where it is not that, in CP1252 (Latin-1);
    ValueError where it is no text in any of these."""
    try:
        text = decode_text(content)
    except UnicodeDecodeError as error:
        if any(map(content.startswith, BYTE_ORDER_MARKS)):
            line = error.object.count(b"\n", 0, error.start) + 1
            wrong(line, f"the text begins as one in {error.encoding.upper()}, and is not; save it as UTF-8")
        text = codecs.decode(content, "cp1252", "replace")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        wrong(line, "there are zero bytes, as in UTF-16 without its mark, or in no text at all; save it as UTF-8")
    return text


def wrong(line: int, what: str) -> NoReturn:
    """Says what is wrong in a line."""
    raise ValueError(f"line {line}: {what}")


def at_path(path: Path, error: ValueError) -> ValueError:
    """The error of a file, which begins with its path."""
    return ValueError(f"{printable_path(path)}, {error}")
