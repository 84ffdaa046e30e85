"""`PositionSet`: positions to ask about, each with the value of every legal move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import msgspec
import numpy as np

from ....arena.data.exact.arrays import ManyPositions
from ....arena.data.exact.solving import solve
from ....games.game import Game, StateArray
from ....games.registry import make_game
from ....oracles import make_oracle
from ....oracles.statespace.canonical import canonical_observations
from .demands import Ask, asks_of


class MoveValue(msgspec.Struct, frozen=True):
    """What perfect play says of a legal move.

    Args:
        move: its name.
        value: the result for the player who makes it: 1 won, 0 drawn, -1 lost.
        distance: plies to the end, this move counted, when the winner hurries and the loser delays; None in draws, and where it is
            not known.
    """

    move: str
    value: int
    distance: int | None


class BenchPosition(msgspec.Struct, frozen=True):
    """A position to ask about. Some of its legal moves lose value, and some keep it.

    Args:
        position: the position, in the game's notation.
        asks: what it asks of the player to move: "win now", "stop a loss" or "quiet" (demands.py).
        value: the result with perfect play for the player to move: 1 won, 0 drawn, -1 lost.
        distance: plies to the end, when the winner hurries and the loser delays; None in draws, and where it is not known.
        random_loses: the value that a random legal move loses, on average; more than 0.
        group: equal for positions of the set that look the same to the player to move, up to symmetry; others have other numbers.
        moves: the legal moves, in the order of their actions.
    """

    position: str
    asks: Ask
    value: int
    distance: int | None
    random_loses: float
    group: int
    moves: tuple[MoveValue, ...]


@dataclass(frozen=True)
class PositionSet:
    """Positions of a game, in an order whose first ones are spread as all are.

    Args:
        name: what the set is called.
        game: the game's spec.
        positions: the positions.
        left_out: how many were given and left out, since every move keeps their value, or the oracle does not know all moves.
    """

    name: str
    game: str
    positions: tuple[BenchPosition, ...]
    left_out: int = 0

    @property
    def rules(self) -> Game:
        """The rules of the game."""
        return make_game(self.game)

    @cached_property
    def states(self) -> StateArray:
        """The states of the positions (N, W)."""
        rules = self.rules
        return np.array([rules.parse(each.position) for each in self.positions], np.uint64).reshape(-1, rules.num_words)

    @cached_property
    def lines(self) -> bytes:
        """The positions as JSON, one a line, each with its `game` first."""
        rows = ({"game": self.game, **msgspec.structs.asdict(each)} for each in self.positions)
        return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)

    @property
    def checksum(self) -> str:
        """The SHA-256 of `lines` in hexadecimal digits."""
        return sha256(self.lines).hexdigest()


def position_set(game: Game, states: Sequence[str] | StateArray, *, name: str = "own") -> PositionSet:
    """The set of any unfinished positions, in their order.

    Args:
        game: the game.
        states: the positions, as texts or states (N, W).
        name: what the set is called.

    Raises:
        ValueError: a text or state is not a position of the game, the game is over there, or no position is left.
    """
    given = states if isinstance(states, np.ndarray) else np.array([game.position(text) for text in states], np.uint64)
    given = given.reshape(-1, game.num_words)
    over = ~game.masks(game.batch(given)).any(axis=1)
    if over.any():
        raise ValueError(f"the game is over in {game.text(given[int(over.argmax())])!r}; name positions with legal moves")
    # as their texts are read: Nim's do not say whose move it is
    states = np.array([game.parse(game.text(state)) for state in given], np.uint64).reshape(given.shape)
    solved = solve(make_oracle(game), states, np.zeros(len(states), np.int64), canonical_observations(game, states), scores=False)
    positions = tuple(bench_positions(game, differing(solved)))
    if not positions:
        raise ValueError(
            f"none of the {len(given)} positions of {game} asks anything: every move keeps the value, or the oracle does not know "
            "all moves. Name others"
        )
    return PositionSet(name, game.spec, positions, left_out=len(given) - len(positions))


def differing(solved: ManyPositions) -> ManyPositions:
    """The solved positions in which some move loses value."""
    return solved.select(((solved.masks == 1) & (solved.move_values != solved.values[:, None])).any(axis=1))


def bench_positions(game: Game, solved: ManyPositions) -> Iterator[BenchPosition]:
    """Solved positions as those of a set; their groups are numbered as they come."""
    numbers = dict[bytes, int]()
    forms = [form.tobytes() for form in canonical_observations(game, solved.states)]
    for row, asks in enumerate(asks_of(game, solved.states)):
        value, distance = int(solved.values[row]), int(solved.distances[row])
        own = [*_moves(solved, row)]
        yield BenchPosition(
            position=game.text(solved.states[row]),
            asks=asks,
            value=value,
            distance=None if distance < 0 else distance,
            random_loses=sum(value - move.value for move in own) / len(own),
            group=numbers.setdefault(forms[row], len(numbers)),
            moves=tuple(own),
        )


def _moves(solved: ManyPositions, row: int) -> Iterator[MoveValue]:
    """The legal moves of a position."""
    for action in np.flatnonzero(solved.masks[row]).tolist():
        distance = int(solved.move_distances[row, action])
        yield MoveValue(solved.game.moves[action], int(solved.move_values[row, action]), None if distance < 0 else distance)
