"""`time_moves`: the processor time that a policy takes for a move, asked about one position at a time and about many at once.

The time of a match is that of the clock, and depends on what else the machine does. Processor time counts all threads of this
process, and on Linux those of a program that answers (`engine:`). What is done elsewhere, as by an endpoint (`llm:`), is in the
time of the clock alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..agents.policy import Policy
from ..agents.random import Random
from ..agents.registry import as_policy
from ..core.numbers import seconds_of, whole
from ..games.display import Part, TextTable, Viewable
from ..games.game import Game, StateArray
from ..games.lines import GameLines
from ..games.random_play import random_plies
from ..games.registry import make_game

POSITIONS = 256
LONGEST = 40
"""The most random plies before a position."""
MANY = 1 << 20


class BatchTime(NamedTuple):
    """The time for a move in batches of one size.

    Args:
        batch: positions asked about at once.
        moves: how many moves were timed.
        processor: seconds of processor time for a move, of all threads of this process and of a program that answers.
        clock: seconds of the clock for a move.
    """

    batch: int
    moves: int
    processor: float
    clock: float


@dataclass(frozen=True)
class MoveTimes(Viewable):
    """The time that policies take for a move.

    Args:
        game: the game and variant.
        times: for each policy, by its name, one entry for each size of a batch.
    """

    game: Game
    times: dict[str, tuple[BatchTime, ...]]

    def document(self) -> dict[str, Any]:
        """The result for JSON."""
        policies = {name: [time._asdict() for time in times] for name, times in self.times.items()}
        return {"game": self.game.spec, "policies": policies}

    def _parts(self) -> Iterator[Part]:
        rows = [
            [name, f"{time.batch}", f"{time.moves:,}", f"{1e6 * time.processor:,.1f}", f"{1e6 * time.clock:,.1f}"]
            for name, times in self.times.items()
            for time in times
        ]
        yield TextTable(self.game.spec, ["policy", "positions at once", "moves", "µs of processor a move", "µs a move"], rows)

    def _rows(self) -> list[dict[str, Any]]:
        game = self.game.spec
        return [{"game": game, "policy": name, **time._asdict()} for name, times in self.times.items() for time in times]


def time_moves(
    policies: Any, game: str | Game, *, batches: Sequence[int] = (1, POSITIONS), seconds: float = 1.0, seed: int = 0
) -> MoveTimes:
    """Times the moves of policies in positions of random games.

    Each policy is asked about the same positions. What it compiles and loads at its first call is not counted.

    Args:
        policies: a policy as `as_policy` takes it, or a list of them.
        game: the game or its spec.
        batches: how many positions to ask about at once: results for each of these sizes.
        seconds: after this many seconds of the clock for a size, no further batch is asked; each position is asked about once.
        seed: the source of the positions and of the policies' randomness.

    Raises:
        ValueError: a policy does not play this game, two have one name, or a number is out of its range.
        Exception: what a policy raises.
    """
    game = make_game(game)
    seconds_of(seconds, "seconds")
    sizes = [whole(batch, "batches", 1, MANY) for batch in batches]
    cast = [as_policy(policy, game) for policy in (policies if isinstance(policies, (list, tuple)) else [policies])]
    if len({policy.spec for policy in cast}) < len(cast):
        raise ValueError("two policies have one name; give one of them another: as_policy(…, name=…)")
    positions = _positions(game, max(POSITIONS, *sizes), seed)
    return MoveTimes(game, {policy.spec: tuple(_time(policy, positions, size, seconds) for size in sizes) for policy in cast})


class _Positions(NamedTuple):
    """Unfinished positions (N, W) after 0 to LONGEST random plies, their lines, and keys (N,)."""

    states: StateArray
    lines: GameLines
    keys: NDArray[np.uint64]

    def rows(self, which: slice) -> _Positions:
        """Some of them."""
        return _Positions(self.states[which], self.lines.rows(which), self.keys[which])


def _positions(game: Game, count: int, seed: int) -> _Positions:
    draws = np.random.default_rng(seed)
    player, starts = Random(game), np.repeat(game.start[None], count, axis=0)

    def choose(ply: int, rows: NDArray[np.int64], states: StateArray) -> NDArray[np.int64]:
        return player.act(states, draws.integers(2**64, size=len(rows), dtype=np.uint64))

    actions, states = random_plies(game, starts, draws.integers(LONGEST, size=count), choose)
    lines = GameLines(starts, actions.astype(np.int16))
    return _Positions(states, lines, draws.integers(2**64, size=count, dtype=np.uint64))


def _time(policy: Policy, positions: _Positions, size: int, seconds: float) -> BatchTime:
    """The time of a policy in batches of one size; the last batch is left out where it would be smaller."""
    policy.prepare()
    _ask(policy, positions.rows(slice(size)))
    moves, processor, clock = 0, 0.0, 0.0
    for start in range(0, len(positions.keys) - size + 1, size):
        each_processor, each_clock = _ask(policy, positions.rows(slice(start, start + size)))
        moves, processor, clock = moves + size, processor + each_processor, clock + each_clock
        if clock >= seconds:
            break
    return BatchTime(size, moves, processor / moves, clock / moves)


def _ask(policy: Policy, positions: _Positions) -> tuple[float, float]:
    """The seconds of processor time and of the clock that a policy takes for a batch, as moves of new games."""
    count, before = len(positions.keys), policy.seconds_elsewhere
    playing = policy.begin(count)
    playing.prepare()
    if policy.sees_moves:
        playing.lines = positions.lines
    processor, clock = process_time(), perf_counter()
    playing.answer(positions.states, positions.keys, np.arange(count)).every_action(policy.spec)
    processor, clock = process_time() - processor, perf_counter() - clock
    return processor + policy.seconds_elsewhere - before, clock
