"""`Pool`: several opponents, one of them drawn for each game; the base of mixtures, leagues and ladders.

Opponents are numbered from 0. A member that is a pool itself takes as many numbers as it has opponents:

    Mixture      random   league of size 3   greedy
    numbers         0       1     2     3         4
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.policy import Policy
from ..agents.registry import as_policy, name_of
from ..core.files.named_arrays import Arrays, under
from ..core.numbers import short_repr
from ..games.display import Part, TextTable, Viewable
from ..games.game import Game, StateArray
from ..games.kernels.keys import derive_keys, uniforms
from ..games.registry import make_game

OPPONENT_KEY = -10
"""Derives the draw from a game's key; the keys of the game's plies count from 0."""
WINDOW = 1000
"""Results of about this many games count; older ones fade."""
GAMES, POINTS = range(2)


class Pool(Viewable, ABC):
    """Several opponents; each game is played against one of them.

    Which one is drawn follows from the game's key and from `odds()`: the same seed gives the same opponents. Environments report
    every finished game to the pool, so that it knows how many points the learner takes from each member.

    Args:
        game: the game or its spec.
        name: what it is called where it is a member of another pool.

    Raises:
        ValueError: there is no such game.
    """

    def __init__(self, game: str | Game, name: str) -> None:
        self.game, self.name = make_game(game), name
        self.members: list[Policy | Pool] = []
        self._names: list[str] = []
        self._tally = np.zeros((0, 2))

    @property
    @abstractmethod
    def weights(self) -> NDArray[np.float64]:
        """How likely each member is met (M,), up to a factor."""

    # ---- members and numbers

    @property
    def width(self) -> int:
        """How many numbers it takes, K."""
        return int(self._widths.sum())

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each number (K,): `pool.names[info["opponent"]]` is whom a game is played against."""
        names: list[str] = []
        for name, member in zip(self._names, self.members, strict=True):
            names += [f"{name}: {inner}" for inner in member.names] if isinstance(member, Pool) else [name]
        return (*names, *(["nobody yet"] * (self.width - len(names))))

    @property
    def points(self) -> dict[str, float]:
        """The learner's share of the points against each member: a draw is half a point; 0.5 before the first game.

        The results start with half a point in one game, so that the first few games do not move the share far.
        """
        return dict(zip(self._names, self._shares().tolist(), strict=True))

    @property
    def games(self) -> dict[str, float]:
        """The number of games that the `points` against each member come from; older games count less."""
        return dict(zip(self._names, self._tally[:, GAMES].tolist(), strict=True))

    @property
    def _widths(self) -> NDArray[np.int64]:
        return np.array([member.width if isinstance(member, Pool) else 1 for member in self.members], np.int64)

    def _join(self, thing: Any, name: str | None = None) -> None:
        """Adds a member: a pool, or whatever `as_policy` takes."""
        if isinstance(thing, Pool) and thing.game != self.game:
            raise ValueError(f"{thing.name} is of {thing.game}; here it is to play {self.game}")
        name = name or (thing.name if isinstance(thing, Pool) else name_of(thing))
        others = self._names.count(name) + sum(other.startswith(f"{name} (") for other in self._names)
        member = thing if isinstance(thing, Pool) else as_policy(thing, self.game)
        if isinstance(member, Policy) and member.remembers:
            warnings.warn(f"{name} plays without its memory of the game here, since several opponents share it", stacklevel=3)
        self.members.append(member)
        self._names.append(f"{name} ({others + 1})" if others else name)
        self._tally = np.concatenate([self._tally, np.zeros((1, 2))])

    # ---- called by environments

    def odds(self) -> NDArray[np.float64]:
        """How likely each number is drawn (K,): they add up to 1, or are all 0 where there is nobody yet."""
        parts = [member.odds() if isinstance(member, Pool) else np.ones(1) for member in self.members]
        odds = np.zeros(self.width)
        if parts:
            weights = self.weights * np.array([part.any() for part in parts])
            shares = np.concatenate([weight * part for weight, part in zip(weights, parts, strict=True)])
            odds[: len(shares)] = shares / (weights.sum() or 1.0)
        return odds

    def draw(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """An opponent's number for each game that begins (B,), by the game's key (B,), uint64.

        Raises:
            ValueError: there is nobody yet.
        """
        heights = self.odds().cumsum()
        if heights[-1] == 0:
            raise ValueError(f"{self.name} has no opponent yet; add one before the first game")
        derived = np.empty(len(keys), np.uint64)
        self.game.kernel(derive_keys)(np.ascontiguousarray(keys), np.full(len(keys), OPPONENT_KEY), derived)
        return np.searchsorted(heights, uniforms(derived) * heights[-1], side="right")

    def act(self, numbers: NDArray[np.int64], states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The actions (B,), int64, of the opponents with these numbers (B,) in their states (B, W), by their keys (B,).

        Raises:
            ValueError: a member did not give one action a state.
        """
        actions = np.empty(len(states), np.int64)
        for member, rows, within in self._rows_by_member(numbers):
            if isinstance(member, Pool):
                actions[rows] = member.act(within, states[rows], keys[rows])
                continue
            answer = np.asarray(member.act(states[rows], keys[rows]))
            if answer.shape != rows.shape:
                raise ValueError(f"{member} should give {len(rows)} actions and gave an array of shape {answer.shape}")
            actions[rows] = answer
        return actions

    def note(self, numbers: NDArray[np.int64], rewards: NDArray[np.float64]) -> None:
        """Counts games against these opponents (B,) that ended with these rewards for the learner (B,): 1, 0 or -1.

        Environments do so by themselves. Call it where they cannot: they run in other processes, with copies of this pool.
        """
        members = self._member_of(numbers)
        np.add.at(self._tally, members, np.stack([np.ones(len(rewards)), (np.asarray(rewards) + 1) / 2], axis=1))
        self._tally *= np.minimum(1.0, WINDOW / np.maximum(self._tally[:, [GAMES]], 1.0))
        for member, rows, within in self._rows_by_member(numbers):
            if isinstance(member, Pool):
                member.note(within, rewards[rows])

    def _member_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The index among the members of each number."""
        return np.searchsorted(self._widths.cumsum(), numbers, side="right")

    def _rows_by_member(self, numbers: NDArray[np.int64]) -> Iterator[tuple[Policy | Pool, NDArray[np.int64], NDArray[np.int64]]]:
        """For each member among the numbers: the member, the rows that have its numbers, and the numbers within it."""
        members, ends = self._member_of(numbers), self._widths.cumsum()
        for index in np.unique(members).tolist():
            rows = np.flatnonzero(members == index)
            yield self.members[index], rows, numbers[rows] - (ends[index - 1] if index else 0)

    def _shares(self) -> NDArray[np.float64]:
        return (self._tally[:, POINTS] + 0.5) / (self._tally[:, GAMES] + 1)

    # ---- display

    def __str__(self) -> str:
        return f"{self.name} of {', '.join(self._names) or 'nobody yet'}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {', '.join(self._names) or 'nobody yet'} in {self.game}>"

    def _parts(self) -> Iterator[Part]:
        rows = [[row["opponent"], f"{row['share']:.1%}", f"{row['games']:,.0f}", f"{row['points']:.1%}"] for row in self._rows()]
        yield TextTable(f"{self.name} in {self.game}", ["opponent", "share of games", "games counted", "learner's points"], rows)
        for _, pool in self._pools():
            yield from pool._parts()

    def _rows(self) -> list[dict[str, Any]]:
        shares = np.bincount(self._member_of(np.arange(self.width)), self.odds(), minlength=len(self.members)).tolist()
        return [
            {"game": self.game.spec, "pool": self.name, "opponent": name, "share": share, "games": games, "points": points}
            for (name, points), games, share in zip(self.points.items(), self.games.values(), shares, strict=False)
        ]

    # ---- checkpoints

    def state(self) -> Arrays:
        """Everything that later draws depend on, for a checkpoint."""
        inner = {f"{index}.{key}": array for index, pool in self._pools() for key, array in pool.state().items()}
        return {"tally": self._tally.copy(), **inner}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restores a state of a pool with the same members.

        Raises:
            ValueError, KeyError: it is not a state of such a pool.
        """
        if state["tally"].shape != self._tally.shape:
            raise ValueError(f"the state is of {len(state['tally'])} opponents; {self.name} has {len(self._tally)}")
        self._tally = state["tally"].copy()
        for index, pool in self._pools():
            pool.restore(under(f"{index}.", state))

    def _pools(self) -> list[tuple[int, Pool]]:
        return [(index, member) for index, member in enumerate(self.members) if isinstance(member, Pool)]


def list_members(policies: Sequence[Any] | Mapping[str, Any], what: str) -> list[tuple[str | None, Any]]:
    """The members of a pool, each with its name, None where it has none.

    Raises:
        ValueError: there are none, or it is one policy alone.
    """
    if isinstance(policies, str) or not isinstance(policies, (Sequence, Mapping)) or not policies:
        raise ValueError(f"{what} takes a list of policies, 1 or more, or a dict of them by name; got {short_repr(policies)}")
    return list(policies.items()) if isinstance(policies, Mapping) else [(None, policy) for policy in policies]
