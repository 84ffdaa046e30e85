"""New sets of positions: those of random games, in equal shares of what they ask and of both players.

No two positions look the same to the player to move, up to symmetry, unless the game has too few others. Among those that ask the
same and are of one player, all values, shares of moves that keep the value and distances have equal shares, as far as random games
bring them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import msgspec

from ....arena.data.exact.collecting import MOST_POSITIONS, POOL, Sampling, Span, collect, equal_shares
from ....core.numbers import seed_of, whole
from ....games.game import Game
from ....games.registry import make_game
from ....oracles import Oracle, make_oracle
from .demands import ASKS, Ask
from .positions import BenchPosition, PositionSet, position_set

LEAST_POOL, USUAL_POOL, MOST_POOL = POOL, 12, 1000
"""How many times as many positions are solved as are wanted."""


def make_set(
    game: str | Game,
    count: int = 300,
    *,
    seed: int = 0,
    plies: tuple[int, int] | None = None,
    empties: tuple[int, int] | None = None,
    pool: int = USUAL_POOL,
    name: str = "",
) -> PositionSet:
    """A new set of positions of random games; another seed gives others.

    Args:
        game: the game or its spec.
        count: how many positions; there are fewer in games with fewer.
        seed: the same seed gives the same set.
        plies: the fewest and the most plies after the start of the game; None for any number.
        empties: the fewest and the most empty cells; None for any number.
        pool: how many times as many positions are solved as are wanted, 3 or more.
        name: what the set is called; by default after its seed.

    Returns:
        The set. Its first positions are spread over what they ask, and over both players, as all are.

    Raises:
        ValueError: an argument out of its range, or random games reach no position as asked for within the oracle's reach in which
            some move loses value.
    """
    oracle = make_oracle(make_game(game))
    sampling = Sampling(
        # of three times as many, in equal shares
        count=whole(count, "count", 1, MOST_POSITIONS) * whole(pool, "pool", LEAST_POOL, MOST_POOL) // LEAST_POOL,
        seed=seed_of(seed),
        plies=None if plies is None else Span.of(plies, "plies"),
        empties=None if empties is None else Span.of(empties, "empties"),
        scores=False,
    )
    chosen = _choose(_candidates(oracle, sampling), count)
    if len(chosen) < count:
        chosen = _choose(_candidates(oracle, replace(sampling, alike=True)), count)
    groups = {group: number for number, group in enumerate(dict.fromkeys(each.group for each in chosen))}  # as they come
    positions = tuple(msgspec.structs.replace(each, group=groups[each.group]) for each in chosen)
    return PositionSet(name or f"random games, seed {seed}", oracle.game.spec, positions)


def _candidates(oracle: Oracle, sampling: Sampling) -> Iterator[tuple[BenchPosition, int]]:
    """Positions of random games in which some move loses value, in random order, and who is to move in each."""
    known = position_set(oracle.game, collect(oracle, sampling).states)
    players = dict(zip((each.position for each in known.positions), oracle.game.players(known.states).tolist(), strict=True))
    for each in known.positions:
        if each.position in players:  # the first of those with the same text
            yield each, players.pop(each.position)


def _choose(candidates: Iterable[tuple[BenchPosition, int]], count: int) -> list[BenchPosition]:
    """The first positions of each kind, in equal shares; those of all kinds in turns."""
    kinds: dict[tuple[Ask, int], list[BenchPosition]] = {(ask, player): [] for ask in ASKS for player in (0, 1)}
    for position, player in candidates:
        kinds[position.asks, player].append(position)
    turns = list[tuple[float, BenchPosition]]()
    for positions, share in zip(kinds.values(), equal_shares([*map(len, kinds.values())], count), strict=True):
        turns += [((place + 0.5) / share, position) for place, position in enumerate(positions[:share])]
    return [position for _, position in sorted(turns, key=lambda turn: turn[0])]
