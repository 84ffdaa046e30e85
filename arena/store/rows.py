"""Games as rows of a store's table (schema.py), and back.

Every row ends with a checksum of its other columns, so that damage is found when the row is read. Who edits a file and writes
checksums that match may show other games than were played, and no more: what compiled kernels are given is checked there.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import escape_surrogates
from ...core.files.documents import short_json
from ...games.game import Game
from ..matches.games import PlayedGames

BY_SEAT = ("moves_0", "moves_1", "nodes_0", "nodes_1")
WHOLE = ("number", "key", "opening_plies", "plies", "result", "ending", *BY_SEAT, "sitting", "checksum")
"""Columns of whole numbers."""
COLUMNS: tuple[str, ...] = (*WHOLE, "seconds_0", "seconds_1", "reason", "actions")
"""Every column except the pairing's number, in the order in which rows are written and read."""
TYPES = (*[int] * len(WHOLE), float, float, (str, NoneType), bytes)
"""The type of each column."""
INSERT_GAME = f"INSERT INTO games (pairing, {', '.join(COLUMNS)}) VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"
DTYPES = {1: np.dtype(np.uint8), 2: np.dtype("<u2")}
"""The types of stored actions, by the number of their bytes."""
BY_GAME = ("numbers", "keys", "openings", "plies", "results", "endings", "moves", "seconds", "nodes")
"""The arrays of `PlayedGames` with a row per game."""
MIXER = np.uint64(0x9E3779B97F4A7C15)


def action_bytes(game: Game) -> int:
    """How many bytes an action of a game takes."""
    return 1 if game.num_actions <= 256 else 2


def rows_of(pairing: int, session: int, width: int, played: PlayedGames) -> Iterator[tuple[Any, ...]]:
    """Games as rows for INSERT_GAME, of the pairing and the session with these numbers.

    Args:
        pairing: the pairing's number in the plan.
        session: the number of the session.
        width: how many bytes an action takes.
        played: the games.
    """
    games = len(played.numbers)
    stored = played.actions.astype(DTYPES[width]).tobytes()
    ends = np.cumsum(played.plies * width).tolist()
    actions = [stored[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    reasons = {row: escape_surrogates(reason) for row, reason in played.reasons.items()}
    keys, sessions = played.keys.view(np.int64), np.full(games, session)
    by_seat = (*played.moves.T, *played.nodes.T)
    numbers = (played.numbers, keys, played.openings, played.plies, played.results, played.endings, *by_seat, sessions)
    whole = [column.astype(np.int64) for column in numbers]
    sums = _checksums(pairing, whole, played.seconds.T, reasons, actions)
    columns = (column.tolist() for column in (*whole, sums, *played.seconds.T))
    return zip([pairing] * games, *columns, map(reasons.get, range(games)), actions, strict=True)


def games_from_rows(rows: Sequence[tuple[Any, ...]], pairing: int, width: int, after: int) -> PlayedGames:
    """Games from rows of COLUMNS, in the order of their numbers.

    Args:
        rows: the rows.
        pairing: the pairing's number in the plan.
        width: how many bytes an action takes.
        after: the number that all of theirs exceed.

    Raises:
        ValueError: a row is damaged; the message says which one, and how.
    """
    _check_each(rows, [all(map(isinstance, row, TYPES)) for row in rows], "it holds a value of another type")
    columns: dict[str, tuple[Any, ...]] = dict(zip(COLUMNS, zip(*rows, strict=True) if rows else [()] * len(COLUMNS), strict=True))
    whole = {name: np.array(columns[name], np.int64) for name in WHOLE}
    seconds = np.array([columns["seconds_0"], columns["seconds_1"]], np.float64)
    reasons = {row: reason for row, reason in enumerate(columns["reason"]) if reason is not None}
    sums = _checksums(pairing, [whole[name] for name in WHOLE[:-1]], seconds, reasons, columns["actions"])
    _check_each(rows, sums == whole["checksum"], "its checksum does not match its values")
    _check_each(rows, np.diff(whole["number"], prepend=after) > 0, "it appears twice, or not in the order of the numbers")
    lengths = np.fromiter(map(len, columns["actions"]), np.int64, len(rows))
    _check_each(rows, whole["plies"] * width == lengths, "plies is not the number of its actions")
    actions = np.frombuffer(b"".join(columns["actions"]), DTYPES[width])
    return PlayedGames(
        numbers=whole["number"],
        keys=whole["key"].view(np.uint64),
        openings=whole["opening_plies"],
        plies=whole["plies"],
        actions=actions.astype(np.uint16),
        results=whole["result"].astype(np.int8),
        endings=whole["ending"].astype(np.int8),
        reasons=reasons,
        moves=np.array([whole["moves_0"], whole["moves_1"]]).T,
        seconds=seconds.T,
        nodes=np.array([whole["nodes_0"], whole["nodes_1"]]).T,
    )


def concatenate_games(parts: Sequence[PlayedGames]) -> PlayedGames:
    """The games of one part or more in one `PlayedGames`, without transcripts."""
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in (*BY_GAME, "actions")}
    begins = np.cumsum([0, *(len(part.numbers) for part in parts)]).tolist()
    reasons = {begin + row: reason for begin, part in zip(begins, parts, strict=False) for row, reason in part.reasons.items()}
    return PlayedGames(**arrays, reasons=reasons, transcripts={}, suite=parts[0].suite)


def _check_each(rows: Sequence[tuple[Any, ...]], sound: Any, damage: str) -> None:
    """Checks that all rows are sound; the first that is not is named by its game's number."""
    if not np.all(sound):
        raise ValueError(f"the row of game {short_json(rows[int(np.argmin(sound))][0])}: {damage}")


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
