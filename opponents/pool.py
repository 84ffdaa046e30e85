"""`Pool`: several opponents, one of them drawn for each game; the base of mixtures, leagues and ladders.

Opponents are numbered from 0. A member that is a pool itself takes as many numbers as it has opponents:

    Mixture      random   league of size 3   greedy
    numbers         0       1     2     3         4
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.policy import Policy
from ..agents.registry import as_policy, name_of
from ..core.files.named_arrays import Arrays, under
from ..core.numbers import short_repr
from ..envs.opponent import Rival
from ..games.display import Part, TextTable, Viewable
from ..games.game import Game
from ..games.kernels.keys import derive_keys, uniforms
from ..games.registry import make_game

OPPONENT_KEY = -10
"""Derives the draw from a game's key; the keys of the game's plies count from 0."""
WINDOW = 1000
"""Results of about this many games count; older ones fade."""


@dataclass(eq=False)
class Member:
    """One of a pool, and the learner's results against it: the number of games, of which older ones count less, and the points."""

    pool: Pool
    policy: Policy | Pool
    name: str
    arrays: Arrays | None = None
    games: float = 0.0
    points: float = 0.0

    @property
    def share(self) -> float:
        """The learner's share of the points; the results start with half a point in one game."""
        return (self.points + 0.5) / (self.games + 1)

    @property
    def width(self) -> int:
        """How many numbers it takes."""
        return self.policy.width if isinstance(self.policy, Pool) else 1

    def note(self, rewards: NDArray[np.float64]) -> None:
        """Counts games that ended with these rewards for the learner (B,): 1, 0 or -1."""
        games, points = self.games + len(rewards), self.points + float((np.asarray(rewards) + 1).sum()) / 2
        fading = min(1.0, WINDOW / max(games, 1.0))
        self.games, self.points = games * fading, points * fading
        self.pool.follow_results()


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
        self._members: list[Member] = []

    @property
    @abstractmethod
    def weights(self) -> NDArray[np.float64]:
        """How likely each member is met (M,), up to a factor."""

    # ---- members and numbers

    @property
    def members(self) -> list[Policy | Pool]:
        """Its members (M,)."""
        return [member.policy for member in self._members]

    @property
    def width(self) -> int:
        """How many numbers it takes, K."""
        return sum(member.width for member in self._members)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each number (K,): `pool.names[info["opponent"]]` is whom a game is played against."""
        names: list[str] = []
        for name, policy in zip(self._names, self.members, strict=True):
            names += [f"{name}: {inner}" for inner in policy.names] if isinstance(policy, Pool) else [name]
        return (*names, *(["nobody yet"] * (self.width - len(names))))

    @property
    def points(self) -> dict[str, float]:
        """The learner's share of the points against each member: a draw is half a point; 0.5 before the first game.

        The results start with half a point in one game, so that the first few games do not move the share far.
        """
        return {member.name: member.share for member in self._members}

    @property
    def games(self) -> dict[str, float]:
        """The number of games that the `points` against each member come from; older games count less."""
        return {member.name: member.games for member in self._members}

    @property
    def _names(self) -> list[str]:
        return [member.name for member in self._members]

    def _member(self, thing: Any, name: str | None, arrays: Arrays | None = None) -> Member:
        """A member, under a name of its own: a pool, or whatever `as_policy` takes."""
        if isinstance(thing, Pool) and thing.game != self.game:
            raise ValueError(f"{thing.name} is of {thing.game}; here it is to play {self.game}")
        name = name or (thing.name if isinstance(thing, Pool) else name_of(thing))
        titles = chain([name], (f"{name} ({number})" for number in count(2)))
        policy = thing if isinstance(thing, Pool) else as_policy(thing, self.game)
        if isinstance(policy, Policy) and policy.remembers:
            warnings.warn(f"{name} plays without its memory of the game here, since several opponents share it", stacklevel=3)
        return Member(self, policy, next(title for title in titles if title not in self._names), arrays)

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

    def rival(self, number: int) -> Rival:
        """The opponent that has this number now; it plays its games to their end, whoever gets the number then."""
        for member in self._members:
            if number < member.width:
                break
            number -= member.width
        else:
            raise ValueError(f"{self.name} has {self.width} numbers, and no opponent {number + self.width}")
        policy, results = member.policy.rival(number) if isinstance(member.policy, Pool) else (member.policy, ())
        return Rival(policy, (member, *results))

    def note(self, numbers: NDArray[np.int64], rewards: NDArray[np.float64]) -> None:
        """Counts games against these opponents (B,) that ended with these rewards for the learner (B,): 1, 0 or -1.

        Environments do so by themselves. Call it where they cannot: they run in other processes, with copies of this pool.
        """
        for number in np.unique(numbers).tolist():
            for results in self.rival(number).results:
                results.note(np.asarray(rewards)[np.asarray(numbers) == number])

    def follow_results(self) -> None:
        """Called when results of a member have been counted."""

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
        ends = np.cumsum([0, *(member.width for member in self._members)])
        odds = self.odds()
        shares = [odds[start:end].sum() for start, end in pairwise(ends)]
        return [
            {"game": self.game.spec, "pool": self.name, "opponent": name, "share": share, "games": games, "points": points}
            for (name, points), games, share in zip(self.points.items(), self.games.values(), shares, strict=False)
        ]

    # ---- checkpoints

    def state(self) -> Arrays:
        """Everything that later draws depend on, for a checkpoint."""
        inner = {f"{index}.{key}": array for index, pool in self._pools() for key, array in pool.state().items()}
        return {"tally": self._tally(), **inner}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restores a state of a pool with the same members.

        Raises:
            ValueError, KeyError: it is not a state of such a pool.
        """
        if state["tally"].shape != (len(self._members), 2):
            raise ValueError(f"the state is of {len(state['tally'])} opponents; {self.name} has {len(self._members)}")
        self._restore_tally(state["tally"])
        for index, pool in self._pools():
            pool.restore(under(f"{index}.", state))

    def _tally(self) -> NDArray[np.float64]:
        return np.array([(member.games, member.points) for member in self._members]).reshape(-1, 2)

    def _restore_tally(self, tally: NDArray[np.float64]) -> None:
        for member, (games, points) in zip(self._members, tally.tolist(), strict=True):
            member.games, member.points = games, points

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
