"""WTHOR, the base of games of the French Othello federation, by its published layout (ffothello.org, "Format de la base Wthor").

A file of games, `NAME.wtb`, has a header and a record for each game; numbers are unsigned, the lowest byte first:

    header, 16 bytes    century, year, month and day of the file; games (4); 0 (2); year of the games (2);
                        size of the board, 0 for 8 (1); type (1); depth of the theoretical scores (1); 0 (1)
    record, 68 bytes    tournament (2), black (2) and white (2), by their numbers; black's discs at the end (1), and with perfect
                        play from the depth on (1); 60 moves, each 10 · row + column, then zeros

Passes are left out. The names stand beside it, in `NAME.jou` (players, 20 bytes each) and `NAME.trn` (tournaments, 26), or in the
folder's `WTHOR.JOU` and `WTHOR.TRN`: a header with their number in bytes 8 and 9, and texts in Latin-1 that end with a zero.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ...core.files.reading import printable_path, read_regular
from ..file import RecordFile, check_wanted
from ..format import RecordFormat
from ..game import RecordedGame, result_of
from ..moves import play_moves
from .boards import game_of_size, is_othello

HEADER = struct.Struct("<4BIHH4B")
RECORD = struct.Struct("<3H2B60s")
PLAYER_BYTES, TOURNAMENT_BYTES = 20, 26
MOST_NAMES = 1 << 16
BASE = "wthor"
"""The files of names beside all games of the base."""
FIELDS = ("century", "year of century", "month", "day", "games", "names", "year", "size", "type", "depth", "reserved")
"""The fields of a header."""


def read_header(content: bytes) -> dict[str, int]:
    """The header that a file begins with, by the names of FIELDS; ValueError where the file is shorter."""
    if len(content) < HEADER.size:
        raise ValueError(f"it has {len(content)} bytes, and the header of a file of WTHOR has {HEADER.size}")
    return dict(zip(FIELDS, HEADER.unpack_from(content), strict=True))


def is_wthor(file: RecordFile) -> bool:
    """Whether a file has the length that its header says, and a board of WTHOR."""
    if len(file.content) < HEADER.size or not is_othello(file):
        return False
    header = read_header(file.content)
    return header["size"] in (0, 8, 10) and len(file.content) == HEADER.size + header["games"] * RECORD.size and header["games"] > 0


def read_wthor(file: RecordFile) -> Iterator[RecordedGame]:
    """The games of a file; ValueError where it is no file of WTHOR, or damaged; or a game, which is named by its number, is not
    legal."""
    header = read_header(file.content)
    game = check_wanted(game_of_size(header["size"] or 8), file.asked)
    if len(file.content) != HEADER.size + header["games"] * RECORD.size:
        games, room = header["games"], (len(file.content) - HEADER.size) / RECORD.size
        raise ValueError(
            f"its header says {games:,} games, and it has room for {room:,.2f}; it was cut off, or is no file of WTHOR"
        )
    players, tournaments = (_names_beside(file, end, size) for end, size in ((".jou", PLAYER_BYTES), (".trn", TOURNAMENT_BYTES)))
    for number, record in enumerate(RECORD.iter_unpack(file.content[HEADER.size :]), 1):
        tournament, black, white, score, theoretical, moves = record
        try:
            actions, state = play_moves(game, map(_cell_name, moves.split(b"\0")[0]), game.start)
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from None
        result = result_of(game, state)
        yield RecordedGame(
            game=game.spec,
            actions=actions,
            players=(players.get(black) or f"WTHOR {black}", players.get(white) or f"WTHOR {white}"),
            result=(score > 32) - (score < 32) if result is None else result,
            header={
                **({"Event": event} if (event := tournaments.get(tournament, f"WTHOR {tournament}" if tournament else "")) else {}),
                **({"Date": str(header["year"])} if header["year"] else {}),
                "Black discs": str(score),
                **({"Black discs in theory": str(theoretical)} if header["depth"] or theoretical not in (0, score) else {}),
            },
        )


def _cell_name(move: int) -> str:
    row, column = divmod(move, 10)
    return f"{'abcdefgh'[column - 1]}{row}" if 1 <= row <= 8 and 1 <= column <= 8 else f"byte {move}"


def _names_beside(file: RecordFile, end: str, size: int) -> dict[int, str]:
    """The names in a file beside a file of games, by their numbers; none where there is no such file."""
    files = dict[str, Path]()
    with suppress(OSError):
        files = {other.name.lower(): other for other in file.path.parent.iterdir() if other.suffix.lower() == end}
    beside = files.get(f"{file.path.stem.lower()}{end}") or files.get(f"{BASE}{end}")
    if beside is None:
        return {}
    content = read_regular(beside, HEADER.size + MOST_NAMES * size)
    try:
        header = read_header(content)
    except ValueError as error:
        raise ValueError(f"the names of {printable_path(beside)} cannot be read: {error}") from None
    texts = (content[start : start + size] for start in range(HEADER.size, HEADER.size + header["names"] * size, size))
    return dict(enumerate(text.split(b"\0")[0].decode("cp1252", "replace").strip() for text in texts))


WTHOR = RecordFormat(
    name="wthor",
    title="WTHOR, the base of the French Othello federation",
    suffixes=(".wtb",),
    recognise=is_wthor,
    read=read_wthor,
)
