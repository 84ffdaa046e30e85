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

from ...envs.files.documents import quoted
from ...envs.games.game import Game
from ..matches.games import ENDINGS, PlayedGames

WHOLE = ("number", "key", "opening_plies", "plies", "result", "ending", "moves_0", "moves_1", "sitting", "checksum")
"""Columns of whole numbers."""
SECONDS = ("seconds_0", "seconds_1")
COLUMNS: tuple[str, ...] = (*WHOLE, *SECONDS, "reason", "actions")
"""Every column except the pairing's number, in the order in which rows are read."""
DTYPES = {1: np.dtype(np.uint8), 2: np.dtype("<u2")}
"""How actions are stored, by the number of their bytes."""
BY_GAME = ("numbers", "keys", "openings", "plies", "results", "endings", "moves", "seconds")
"""The arrays of `PlayedGames` with a row a game."""
Columns = dict[str, tuple[Any, ...]]
"""The columns of some rows, by name."""
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
    """Games as rows of the table `games`, its columns in the order of the schema."""
    games, width = len(played.numbers), bounds.width
    kept = played.actions.astype(DTYPES[width]).tobytes()
    ends = np.cumsum(played.plies * width).tolist()
    actions = [kept[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    reasons = {row: _writable(reason) for row, reason in played.reasons.items()}
    keys, sessions = played.keys.view(np.int64), np.full(games, session)
    numbers = (played.numbers, keys, played.openings, played.plies, played.results, played.endings, *played.moves.T, sessions)
    sums = _checksums(bounds.pairing, [column.astype(np.int64) for column in numbers], played.seconds.T, reasons, actions)
    return zip(
        [bounds.pairing] * games, *(column.tolist() for column in numbers[:6]), map(reasons.get, range(games)),
        *(column.tolist() for column in (*numbers[6:8], *played.seconds.T, sessions)), actions, sums.tolist(),
        strict=True,
    )  # fmt: skip


def played_of(rows: Sequence[Any], bounds: Bounds) -> PlayedGames:
    """Games from rows of COLUMNS, in the order of their numbers.

    Raises:
        ValueError: a row is damaged; the message says which one, and how.
    """
    columns: Columns = dict(zip(COLUMNS, zip(*rows, strict=True) if rows else [()] * len(COLUMNS), strict=True))
    whole = {name: _numbers(columns, name) for name in WHOLE}
    seconds = np.array([_numbers(columns, name) for name in SECONDS])
    reasons = {row: reason for row, reason in enumerate(columns["reason"]) if reason is not None}
    if not all(type(reason) is str for reason in reasons.values()):
        _check_each(columns, "reason", [reason is None or type(reason) is str for reason in columns["reason"]], "text, or nothing")
    actions = columns["actions"]
    try:
        joined = b"".join(actions)
    except TypeError:
        _check_each(columns, "actions", [type(part) is bytes for part in actions], "a blob")
        raise
    lengths = np.fromiter(map(len, actions), np.int64, len(actions))
    _check_ranges(columns, whole, seconds, lengths, bounds)
    played = PlayedGames(
        whole["number"],
        whole["key"].view(np.uint64),
        whole["opening_plies"],
        whole["plies"],
        np.frombuffer(joined, DTYPES[bounds.width]).astype(np.uint16),
        whole["result"].astype(np.int8),
        whole["ending"].astype(np.int8),
        reasons,
        np.array([whole["moves_0"], whole["moves_1"]]).T,
        seconds.T,
    )
    if (wrong := played.actions >= bounds.actions).any():
        row = int(np.searchsorted(np.cumsum(played.plies), wrong.argmax(), side="right"))
        _damaged(
            columns, row, f"its actions hold {played.actions[wrong][0]}, and the game has the actions 0 to {bounds.actions - 1}"
        )
    sums = _checksums(bounds.pairing, [whole[name] for name in WHOLE[:-1]], seconds, reasons, actions)
    if (different := sums != whole["checksum"]).any():
        _damaged(columns, int(different.argmax()), "its checksum does not match its values")
    return played


def joined(parts: Sequence[PlayedGames]) -> PlayedGames:
    """The games of one part or more, together.

    Raises:
        ValueError: their numbers do not rise.
    """
    found = {name: np.concatenate([getattr(part, name) for part in parts]) for name in (*BY_GAME, "actions")}
    numbers = found["numbers"]
    if (lower := numbers[1:] <= numbers[:-1]).any():
        raise ValueError(f"the row of game {numbers[1:][lower][0]} appears twice, or not in the order of the numbers")
    begins = np.cumsum([0, *(len(part.numbers) for part in parts)]).tolist()
    reasons = {begin + row: reason for begin, part in zip(begins, parts, strict=False) for row, reason in part.reasons.items()}
    return PlayedGames(**found, reasons=reasons)


def _numbers(columns: Columns, name: str) -> NDArray[Any]:
    """A column of numbers of one type."""
    code, kind, allowed = ("d", float, "a number") if name in SECONDS else ("q", int, "a whole number")
    try:
        return np.frombuffer(array(code, columns[name]), code)
    except TypeError:
        _check_each(columns, name, [type(value) is kind for value in columns[name]], allowed)
        raise


def _check_ranges(
    columns: Columns, whole: dict[str, NDArray[np.int64]], seconds: NDArray[Any], lengths: NDArray[np.int64], bounds: Bounds
) -> None:
    """Checks that each column is in its range."""

    def check(name: str, fine: NDArray[np.bool_], allowed: str) -> None:
        _check_each(columns, name, fine, allowed)

    numbers, plies, opening = whole["number"], whole["plies"], whole["opening_plies"]
    check("number", _between(numbers, 0, bounds.games - 1), f"from 0 to {bounds.games - 1}")
    check("plies", (plies == lengths // bounds.width) & (lengths % bounds.width == 0), "the number of its actions")
    longest = np.minimum(plies, bounds.opening)
    check("opening_plies", _between(opening, 0, longest), f"from 0 to {bounds.opening}, and not more than the game's plies")
    check("result", _between(whole["result"], -1, 1), "1, 0 or -1")
    check("ending", _between(whole["ending"], 0, len(ENDINGS) - 1), f"from 0 to {len(ENDINGS) - 1}")
    for name in ("moves_0", "moves_1"):
        check(name, _between(whole[name], 0, plies + 1), "from 0 to the game's plies")
    for name, column in zip(SECONDS, seconds, strict=True):
        check(name, np.isfinite(column) & (column >= 0), "a finite number, 0 or more")
    check("sitting", np.isin(whole["sitting"], bounds.sessions), "a number in the table sittings")


def _between(column: NDArray[np.int64], low: int, high: Any) -> NDArray[np.bool_]:
    return (column >= low) & (column <= high)


def _check_each(columns: Columns, name: str, fine: Any, allowed: str) -> None:
    """Checks that a column is valid in every row."""
    if not np.all(fine):
        row = int(np.argmin(fine))
        value = columns[name][row]
        _damaged(columns, row, f"{name} is {quoted(value)} and must be {allowed}")


def _damaged(columns: Columns, row: int, what: str) -> NoReturn:
    raise ValueError(f"the row of game {quoted(columns['number'][row])}: {what}")


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


def _writable(text: str) -> str:
    """The text without half characters, which can occur in names of files and which no file can hold."""
    return text.encode(errors="backslashreplace").decode()
