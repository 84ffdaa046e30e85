"""What the page shows of a store: its standing, its games, and a game to step through. Thinkers run these functions.

Another process may write to the store at the same time. So each call reads everything from the file, and nothing is cached.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from ..arena.grading.verdict import Judge
from ..arena.matches.games import GameRecord, Pairing
from ..arena.pages import Replay, film
from ..arena.pages.frames import describe_ending
from ..arena.report.data import GameReport
from ..arena.report.tables import standing_html
from ..arena.results import Results
from ..arena.store.database import Database
from ..arena.store.store import Store
from ..envs import Game, make_game
from ..oracles import OUT_OF_REACH
from ..oracles.values import quick_oracle, values_around
from .requests import GamesRequest

PAGE = 50
"""The number of games in one list."""
CHUNK = 64
"""The number of games that are read and judged at once."""
SECONDS = 3.0
"""How long one request searches for games with a blunder; then the page may ask for more."""
RESULTS = {"won": 1, "drawn": 0, "lost": -1}
UNKNOWN = -1
"""Stands for the value that a move lost where it is not known."""


class Counts(NamedTuple):
    """How many games a store holds.

    Args:
        tournament: identifies the tournament: the checksums of its plan and of its first session.
        games: the number of games of each pairing.
    """

    tournament: tuple[int, ...]
    games: tuple[int, ...]

    def newest(self, before: Counts | None) -> int | None:
        """The last pairing with new games since `before`; None if there is none, or `before` is of another tournament."""
        if before is None or before.tournament[:1] != self.tournament[:1]:
            return None
        return max((i for i, (was, count) in enumerate(zip(before.games, self.games, strict=False)) if count > was), default=None)


def counts_of(path: Path) -> Counts:
    """How many games a store holds; cheap enough for a call every second.

    Raises:
        ValueError: it is not a store, or is damaged.
        OSError: it cannot be read.
    """
    with closing(Database.open(path)) as database:
        plan = database.rows("SELECT checksum FROM plan LIMIT 1")
        first = database.rows("SELECT checksum FROM sessions ORDER BY session LIMIT 1")
        games = database.rows("SELECT added FROM pairings ORDER BY pairing")
    return Counts(tuple(checksum for (checksum,) in plan + first), tuple(added for (added,) in games))


def standing_of(path: Path, newest: int | None) -> dict[str, Any]:
    """The results of a store so far.

    Args:
        path: the store.
        newest: the pairing that was played last; if it is None or has no games, the last pairing with games is used.

    Raises:
        ValueError, OSError: see `counts_of`.
    """
    with Store.open(path) as store:
        results = Results(store)
        played = [number for number, pairing in enumerate(store.plan.pairings) if results.scores[pairing].games]
        last = newest if newest in played else max(played, default=None)
        return {
            "done": store.count(),
            "total": store.count() if results.sprt and all(of.is_decided for of in results.sprt.values()) else results.total,
            "games": [_section(results, spec) for spec in results.games],
            "pairings": [pairing._asdict() for pairing in store.plan.pairings],
            "newest": None if last is None else _newest(store, last),
        }


def _section(results: Results, spec: str) -> dict[str, Any]:
    game, scores = make_game(spec), [score for score in results.scores_of(spec) if score.games]
    title = game.title if game.spec == game.name else f"{game.title} {game.spec.partition(':')[2]}"
    html = standing_html(GameReport(game, scores, results.ratings[spec])) if scores else ""
    return {"game": spec, "title": title, "html": html}


def _newest(store: Store, number: int) -> dict[str, Any]:
    """The last game of a pairing, with its final position."""
    pairing = store.plan.pairings[number]
    played = np.setdiff1d(np.arange(store.plan.games), store.missing(pairing))
    record = store.record(pairing, int(played[-1]))
    game = make_game(pairing.game)
    return {
        **_row(number, record, None),
        "svg": game.svg(record.states(game)[-1], record.actions[-1] if record.actions else None),
    }


# ---- the list of games


def games_of(path: Path, wanted: GamesRequest) -> dict[str, Any]:
    """Some games of a store.

    Args:
        path: the store.
        wanted: which games, and the game after which the list begins.

    Returns:
        `games`, a row for each; `after`, the last game that was read, None if there are no more.

    Raises:
        ValueError, OSError: see `counts_of`.
    """
    rows = list[dict[str, Any]]()
    with Store.open(path) as store:
        until, after = monotonic() + SECONDS, wanted.after
        for chunk in _chunks(store, wanted):
            game = make_game(chunk[0][1].pairing.game)
            lost = largest_losses(game, [record for _, record in chunk])
            for (number, record), worst in zip(chunk, lost, strict=True):
                after = (number, record.number)
                if (worst or 0) >= wanted.lost:
                    rows.append(_row(number, record, worst))
                if len(rows) == PAGE:
                    return {"games": rows, "after": after}
            if monotonic() > until:
                return {"games": rows, "after": after}
    return {"games": rows, "after": None}


def _chunks(store: Store, wanted: GamesRequest) -> Iterator[list[tuple[int, GameRecord]]]:
    """The games with the wanted pairing and result, each with the number of its pairing, in chunks of one pairing."""
    first, after = wanted.after or (0, -1)
    for number, pairing in enumerate(store.plan.pairings):
        if number < first or not _meets(pairing, wanted):
            continue
        for part in store.parts(pairing, CHUNK, after if number == first else -1):
            if chunk := [(number, record) for record in part.records(pairing) if _has_result(record, wanted)]:
                yield chunk


def _meets(pairing: Pairing, wanted: GamesRequest) -> bool:
    """Whether a pairing has the wanted game and policies; two times `random` means only `random` against itself."""
    names = Counter(name for name in (wanted.policy, wanted.against) if name is not None)
    return wanted.game in (None, pairing.game) and names <= Counter((pairing.a, pairing.b))


def _has_result(record: GameRecord, wanted: GamesRequest) -> bool:
    """Whether a game has the wanted result: for the wanted policy, or without one for the first player."""
    is_second = wanted.policy is not None and record.players[0] != wanted.policy
    return wanted.result is None or RESULTS[wanted.result] == (-record.result if is_second else record.result)


def _row(number: int, record: GameRecord, lost: int | None) -> dict[str, Any]:
    return {
        "pairing": number,
        "number": record.number,
        "game": record.pairing.game,
        "players": record.players,
        "result": record.result,
        "ending": describe_ending(record),
        "lost": lost,
    }


def largest_losses(game: Game, records: Sequence[GameRecord]) -> list[int | None]:
    """The largest value that a policy's move lost in each game, 0 to 2; None if no move is in the oracle's reach."""
    states = [record.states(game)[record.opening : -1] for record in records]
    actions = np.array([action for record in records for action in record.actions[record.opening :]], np.int64)
    before, after = values_around(game, np.concatenate(states), actions, quick_oracle(game, at_once=True))
    lost = np.where((before == OUT_OF_REACH) | (after == OUT_OF_REACH), UNKNOWN, before - after)
    parts = np.split(lost, np.cumsum([len(part) for part in states])[:-1])
    return [None if (largest := int(part.max(initial=UNKNOWN))) == UNKNOWN else largest for part in parts]


# ---- a game to step through


def replay_of(path: Path, pairing: int, number: int) -> dict[str, Any]:
    """A game of a store with the oracle's verdicts, for replay.js.

    Raises:
        ValueError: there is no such game, or it is not a store, or is damaged.
        OSError: it cannot be read.
    """
    with Store.open(path) as store:
        pairings = store.plan.pairings
        if pairing >= len(pairings):
            raise ValueError(f"the store has no pairing {pairing}; they are numbered 0 to {len(pairings) - 1}")
        record = store.record(pairings[pairing], number)
    game = make_game(record.pairing.game)
    verdicts = Judge(game, quick_oracle(game, at_once=True)).verdicts(record.actions, record.start)
    return {"film": film(game, [Replay("", record, verdicts)]), "start": record.start, **_row(pairing, record, None)}
