"""Games as rows of a store's table (schema.sql), and back.

Who edits a file and writes checksums that match may show other games than were played, and no more: what compiled kernels are
given is checked there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import escape_surrogates
from ...core.files.documents import short_json
from ...games.game import Game
from ..matches.games import PlayedGames
from .schema import checksum_of

COLUMNS = (
    *("pairing", "number", "key", "opening_plies", "plies", "result", "ending", "reason"),
    *("moves_0", "moves_1", "seconds_0", "seconds_1", "nodes_0", "nodes_1", "session", "actions", "checksum"),
)
"""The columns of the table, in its order."""
NUMBER, RESULT, SESSION = COLUMNS.index("number"), COLUMNS.index("result"), COLUMNS.index("session")
TYPES = {"reason": (str, type(None)), "seconds_0": float, "seconds_1": float, "actions": bytes}
"""The types of the columns that hold no whole numbers."""
DTYPES = {1: np.dtype(np.uint8), 2: np.dtype("<u2")}
"""The types of stored actions, by the number of their bytes."""
BY_GAME = ("numbers", "keys", "openings", "plies", "results", "endings", "moves", "seconds", "nodes")
"""The arrays of `PlayedGames` with a row per game."""


def action_bytes(game: Game) -> int:
    """How many bytes an action of a game takes."""
    return 1 if game.num_actions <= 256 else 2


def rows_of(pairing: int, session: int, width: int, played: PlayedGames, spoken: Mapping[int, int]) -> Iterator[tuple[Any, ...]]:
    """Games as rows, of the pairing and the session with these numbers.

    Args:
        pairing: the pairing's number in the plan.
        session: the number of the session.
        width: how many bytes an action takes.
        played: the games.
        spoken: the checksums of transcripts, by the game's number.
    """
    games = len(played.numbers)
    stored = played.actions.astype(DTYPES[width]).tobytes()
    ends = np.cumsum(played.plies * width).tolist()
    actions = [stored[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    reasons = {row: escape_surrogates(reason) for row, reason in played.reasons.items()}
    keys = played.keys.view(np.int64)
    by_number = (played.numbers, keys, played.openings, played.plies, played.results, played.endings)
    by_seat = (*played.moves.T, *played.seconds.T, *played.nodes.T)
    rows = zip(
        [pairing] * games,
        *(column.tolist() for column in by_number),
        map(reasons.get, range(games)),
        *(column.tolist() for column in by_seat),
        [session] * games,
        actions,
        strict=True,
    )
    return ((*row, checksum_of(*row, spoken.get(row[NUMBER]))) for row in rows)


def games_from_rows(rows: Sequence[tuple[Any, ...]], width: int, after: int, spoken: Mapping[Any, int]) -> PlayedGames:
    """Games from rows, in the order of their numbers.

    Args:
        rows: the rows.
        width: how many bytes an action takes.
        after: the number that all of theirs exceed.
        spoken: the checksums of transcripts, by the game's number.

    Raises:
        ValueError: a game is damaged; the message says which one, and how.
    """
    sound = [row[-1] == checksum_of(*row[:-1], spoken.get(row[NUMBER])) for row in rows]
    _check_each(rows, sound, "does not match its checksum")
    kinds = [TYPES.get(name, int) for name in COLUMNS]
    _check_each(rows, [all(map(isinstance, row, kinds)) and abs(row[RESULT]) <= 1 for row in rows], "holds a value of another kind")
    columns: dict[str, tuple[Any, ...]] = dict(zip(COLUMNS, zip(*rows, strict=True) if rows else [()] * len(COLUMNS), strict=True))

    def by_game(name: str, dtype: Any = np.int64) -> NDArray[Any]:
        return np.array(columns[name], dtype)

    def by_seat(name: str, dtype: Any = np.int64) -> NDArray[Any]:
        return np.array([columns[f"{name}_0"], columns[f"{name}_1"]], dtype).T

    numbers, plies = by_game("number"), by_game("plies")
    _check_each(rows, np.diff(numbers, prepend=after) > 0, "appears twice, or not in the order of the numbers")
    lengths = np.fromiter(map(len, columns["actions"]), np.int64, len(rows))
    _check_each(rows, plies * width == lengths, "has another number of plies than of actions")
    return PlayedGames(
        numbers=numbers,
        keys=by_game("key").view(np.uint64),
        openings=by_game("opening_plies"),
        plies=plies,
        actions=np.frombuffer(b"".join(columns["actions"]), DTYPES[width]).astype(np.uint16),
        results=by_game("result", np.int8),
        endings=by_game("ending", np.int8),
        reasons={row: reason for row, reason in enumerate(columns["reason"]) if reason is not None},
        moves=by_seat("moves"),
        seconds=by_seat("seconds", np.float64),
        nodes=by_seat("nodes"),
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
        raise ValueError(f"game {short_json(rows[int(np.argmin(sound))][NUMBER])} {damage}")
