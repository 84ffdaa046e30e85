"""Games as rows of a store's table (schema.py), and back.

Every row ends with a checksum of its other columns, so that damage is found when the row is read. The values are checked as well,
since an editor of the file can also write checksums that match.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...core.errors import escape_surrogates
from ...core.files.documents import short_json
from ...games.game import Game
from ..matches.games import ENDINGS, PlayedGames

BY_SEAT = ("moves_0", "moves_1", "nodes_0", "nodes_1")
WHOLE = ("number", "key", "opening_plies", "plies", "result", "ending", *BY_SEAT, "sitting", "checksum")
"""Columns of whole numbers."""
SECONDS = ("seconds_0", "seconds_1")
COLUMNS: tuple[str, ...] = (*WHOLE, *SECONDS, "reason", "actions")
"""Every column except the pairing's number, in the order in which rows are written and read."""
INSERT_GAME = f"INSERT INTO games (pairing, {', '.join(COLUMNS)}) VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"
DTYPES = {1: np.dtype(np.uint8), 2: np.dtype("<u2")}
"""The types of stored actions, by the number of their bytes."""
BY_GAME = ("numbers", "keys", "openings", "plies", "results", "endings", "moves", "seconds", "nodes")
"""The arrays of `PlayedGames` with a row per game."""
Columns = dict[str, tuple[Any, ...]]
"""The columns of some rows, by name."""
MOST_SECONDS = np.finfo(np.float64).max
MIXER = np.uint64(0x9E3779B97F4A7C15)


def action_bytes(game: Game) -> int:
    """How many bytes an action of a game takes."""
    return 1 if game.num_actions <= 256 else 2


@dataclass(frozen=True)
class Bounds:
    """What the rows of one pairing may hold.

    Args:
        pairing: its number in the plan.
        games: how many games it has in all.
        opening: how many plies an opening has at most.
        actions: how many actions the game has.
        width: how many bytes an action takes.
        sessions: the numbers of all sessions.
    """

    pairing: int
    games: int
    opening: int
    actions: int
    width: int
    sessions: tuple[int, ...]


def rows_of(bounds: Bounds, session: int, played: PlayedGames) -> Iterator[tuple[Any, ...]]:
    """Games as rows for INSERT_GAME."""
    games, width = len(played.numbers), bounds.width
    stored = played.actions.astype(DTYPES[width]).tobytes()
    ends = np.cumsum(played.plies * width).tolist()
    actions = [stored[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    reasons = {row: escape_surrogates(reason) for row, reason in played.reasons.items()}
    keys, sessions = played.keys.view(np.int64), np.full(games, session)
    by_seat = (*played.moves.T, *played.nodes.T)
    numbers = (played.numbers, keys, played.openings, played.plies, played.results, played.endings, *by_seat, sessions)
    whole = [column.astype(np.int64) for column in numbers]
    sums = _checksums(bounds.pairing, whole, played.seconds.T, reasons, actions)
    columns = (column.tolist() for column in (*whole, sums, *played.seconds.T))
    return zip([bounds.pairing] * games, *columns, map(reasons.get, range(games)), actions, strict=True)


def games_from_rows(rows: Sequence[Any], bounds: Bounds, after: int) -> PlayedGames:
    """Games from rows of COLUMNS, in the order of their numbers.

    Args:
        rows: the rows.
        bounds: the allowed values.
        after: the number that all of theirs exceed.

    Raises:
        ValueError: a row is damaged; the message says which one, and how.
    """
    columns: Columns = dict(zip(COLUMNS, zip(*rows, strict=True) if rows else [()] * len(COLUMNS), strict=True))
    _check_each(columns, "reason", [reason is None or type(reason) is str for reason in columns["reason"]], "text, or nothing")
    _check_each(columns, "actions", [type(part) is bytes for part in columns["actions"]], "a blob")
    whole = {name: _numbers(columns, name, "q", int, "a whole number") for name in WHOLE}
    seconds = np.array([_numbers(columns, name, "d", float, "a number") for name in SECONDS])
    actions = np.frombuffer(b"".join(columns["actions"]), DTYPES[1])
    _check_ranges(columns, whole, seconds, bounds)
    played = PlayedGames(
        numbers=whole["number"],
        keys=whole["key"].view(np.uint64),
        openings=whole["opening_plies"],
        plies=whole["plies"],
        actions=actions.view(DTYPES[bounds.width]).astype(np.uint16),
        results=whole["result"].astype(np.int8),
        endings=whole["ending"].astype(np.int8),
        reasons={row: reason for row, reason in enumerate(columns["reason"]) if reason is not None},
        moves=np.array([whole["moves_0"], whole["moves_1"]]).T,
        seconds=seconds.T,
        nodes=np.array([whole["nodes_0"], whole["nodes_1"]]).T,
    )
    if (wrong := played.actions >= bounds.actions).any():
        row = int(np.searchsorted(np.cumsum(played.plies), wrong.argmax(), side="right"))
        _raise_damage(
            columns, row, f"its actions hold {played.actions[wrong][0]}, and the game has the actions 0 to {bounds.actions - 1}"
        )
    sums = _checksums(bounds.pairing, [whole[name] for name in WHOLE[:-1]], seconds, played.reasons, columns["actions"])
    if (different := sums != whole["checksum"]).any():
        _raise_damage(columns, int(different.argmax()), "its checksum does not match its values")
    if (lower := np.diff(played.numbers, prepend=after) <= 0).any():
        _raise_damage(columns, int(lower.argmax()), "it appears twice, or not in the order of the numbers")
    return played


def concatenate_games(parts: Sequence[PlayedGames]) -> PlayedGames:
    """The games of one part or more in one `PlayedGames`."""
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in (*BY_GAME, "actions")}
    begins = np.cumsum([0, *(len(part.numbers) for part in parts)]).tolist()
    offsets = [*zip(begins, parts, strict=False)]
    reasons = {begin + row: reason for begin, part in offsets for row, reason in part.reasons.items()}
    transcripts = {(begin + row, ply): said for begin, part in offsets for (row, ply), said in part.transcripts.items()}
    return PlayedGames(**arrays, reasons=reasons, transcripts=transcripts)


def _numbers(columns: Columns, name: str, code: str, kind: type, allowed: str) -> NDArray[Any]:
    """A column of numbers of one type."""
    try:
        return np.frombuffer(array(code, columns[name]), code)
    except TypeError:
        _check_each(columns, name, [type(value) is kind for value in columns[name]], allowed)
        raise


def _check_ranges(columns: Columns, whole: dict[str, NDArray[np.int64]], seconds: NDArray[Any], bounds: Bounds) -> None:
    """Checks that each column is in its range."""
    plies, width = whole["plies"], bounds.width
    lengths = np.fromiter(map(len, columns["actions"]), np.int64, len(plies))
    longest = np.minimum(plies, bounds.opening)
    fine = {
        "number": (_between(whole["number"], 0, bounds.games - 1), f"from 0 to {bounds.games - 1}"),
        "plies": ((plies == lengths // width) & (lengths % width == 0), "the number of its actions"),
        "opening_plies": (
            _between(whole["opening_plies"], 0, longest),
            f"from 0 to {bounds.opening}, and not more than the game's plies",
        ),
        "result": (_between(whole["result"], -1, 1), "1, 0 or -1"),
        "ending": (_between(whole["ending"], 0, len(ENDINGS) - 1), f"from 0 to {len(ENDINGS) - 1}"),
        **{name: (_between(whole[name], 0, plies + 1), "from 0 to the game's plies") for name in ("moves_0", "moves_1")},
        **{name: (whole[name] >= -1, "a number of nodes, or -1") for name in ("nodes_0", "nodes_1")},
        **{
            name: (_between(column, 0, MOST_SECONDS), "a finite number, 0 or more")
            for name, column in zip(SECONDS, seconds, strict=True)
        },
        "sitting": (np.isin(whole["sitting"], bounds.sessions), "a number in the table sittings"),
    }
    for name, (valid, allowed) in fine.items():
        _check_each(columns, name, valid, allowed)


def _between(column: NDArray[Any], low: int, high: Any) -> NDArray[np.bool_]:
    return (column >= low) & (column <= high)


def _check_each(columns: Columns, name: str, fine: Any, allowed: str) -> None:
    """Checks that a column is valid in every row."""
    if not np.all(fine):
        row = int(np.argmin(fine))
        value = columns[name][row]
        _raise_damage(columns, row, f"{name} is {short_json(value)} and must be {allowed}")


def _raise_damage(columns: Columns, row: int, what: str) -> NoReturn:
    raise ValueError(f"the row of game {short_json(columns['number'][row])}: {what}")


def _checksums(
    pairing: int, whole: Sequence[NDArray[np.int64]], seconds: Any, reasons: dict[int, str], actions: Sequence[bytes]
) -> NDArray[np.int64]:
    """The checksum of each row: of its numbers, in their order, its reason and its actions."""
    games = len(actions)
    sentences = np.zeros(games, np.uint64)
    for row, reason in reasons.items():
        sentences[row] = 1 + zlib.crc32(reason.encode())
    blobs = np.fromiter(map(zlib.crc32, actions), np.uint64, games)
    columns = (*whole, *(np.ascontiguousarray(column, np.float64) for column in seconds), sentences, blobs)
    sums = np.full(games, pairing, np.uint64)
    for column in columns:
        sums = (sums ^ column.view(np.uint64)) * MIXER
        sums ^= sums >> np.uint64(29)
    return sums.view(np.int64)
