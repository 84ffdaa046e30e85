"""Several opponents for a training loop: one of them is drawn for each game, by the game's key.

    from ludus.opponents import Ladder, League, Mixture

    mixture = Mixture("othello", ["random", "greedy", my_function], weights=[1, 1, 2])
    ladder = Ladder("othello", ["random", "greedy", "minimax:depth=2"])  # the next one when the last is beaten often enough
    league = League("othello", draw="prioritised")                      # snapshots of the learner, added while it learns
    league.add(net)

    envs = gym.make_vec("ludus/Othello-v0", num_envs=64, opponent=league)  # gym.make and BoardsVecEnv take them too

A member can be such a pool itself, as in `Mixture("othello", ["random", league])`. `ludus train` uses these classes as well.
Opponents are numbered from 0, and a member that is a pool takes as many numbers as it has opponents:

    Mixture      random   league of size 3   greedy
    numbers         0       1     2     3         4
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import accumulate, chain, count
from typing import Annotated, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .agents.policy import Policy
from .agents.registry import as_policy, name_of
from .core.bounds import Count, OneOf, check
from .core.files.named_arrays import Arrays, under
from .core.numbers import Range, short_repr
from .envs.opponent import Rival
from .games.display import Part, TextTable, Viewable
from .games.game import Game
from .games.kernels.keys import derive_keys, uniforms
from .games.registry import make_game

__all__ = ["DRAWS", "Arrays", "Ladder", "League", "Mixture", "Pool"]

OPPONENT_KEY = -10
"""Derives the draw from a game's key; the keys of the game's plies count from 0."""
Policies: TypeAlias = Sequence[Any] | Mapping[str, Any]
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
        """The count of numbers that it takes."""
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
        policies: its first members, as for `Mixture`; None for a pool that begins without any.

    Raises:
        ValueError: there is no such game, or one of the policies does not play it.
    """

    def __init__(self, game: str | Game, name: str, policies: Policies | None = None) -> None:
        self.game, self.name = make_game(game), name
        self._members: list[Member] = []
        if policies is None:
            return
        if isinstance(policies, str) or not isinstance(policies, (Sequence, Mapping)) or not policies:
            kind = type(self).__name__.lower()
            raise ValueError(f"a {kind} takes a list of policies, 1 or more, or a dict of them by name; got {short_repr(policies)}")
        for title, policy in policies.items() if isinstance(policies, Mapping) else ((None, policy) for policy in policies):
            self._members.append(self._member(policy, title))

    @property
    @abstractmethod
    def weights(self) -> NDArray[np.float64]:
        """The probability of meeting each member (M,), up to a factor."""

    # ---- members and numbers

    @property
    def members(self) -> list[Policy | Pool]:
        """Its members (M,)."""
        return [member.policy for member in self._members]

    @property
    def width(self) -> int:
        """The count of numbers that it takes, K."""
        return sum(member.width for member in self._members)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each number (K,): `pool.names[info["opponent"]]` is the opponent of a game."""
        names: list[str] = []
        for member in self._members:
            pool = member.policy
            names += [f"{member.name}: {inner}" for inner in pool.names] if isinstance(pool, Pool) else [member.name]
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
        """The probability of drawing each number (K,): they add up to 1, or are all 0 where there is nobody yet."""
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
        odds, ends = self.odds(), accumulate(member.width for member in self._members)
        return [
            {
                "game": self.game.spec,
                "pool": self.name,
                "opponent": member.name,
                "share": odds[end - member.width : end].sum(),
                "games": member.games,
                "points": member.share,
            }
            for member, end in zip(self._members, ends, strict=True)
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


class Mixture(Pool):
    """Opponents that share the games, equally or by weights.

    Args:
        game: the game or its spec.
        policies: 1 or more, each a spec, a policy, a function, a model, a torch module, or a pool; in a dict, by their names.
            A torch module plays with its current weights: one that is still trained changes the opponent too.
        weights: how likely each is drawn, up to a factor: 0 or more, not all 0; None for equal shares.
        name: what it is called where it is a member of another pool.

    Raises:
        ValueError: one of them is not a policy of this game; the weights are not one number a policy.
    """

    def __init__(
        self,
        game: str | Game,
        policies: Policies,
        weights: Sequence[float] | None = None,
        *,
        name: str = "mixture",
    ) -> None:
        super().__init__(game, name, policies)
        self._weights = np.ones(len(self._members)) if weights is None else np.array(weights, np.float64)
        fits = self._weights.shape == (len(self._members),) and np.isfinite(self._weights).all() and (self._weights >= 0).all()
        if not fits or not self._weights.any():
            count = len(self._members)
            raise ValueError(f"weights are {short_repr(weights)}; there must be {count}, each 0 or more, and not all 0")

    @property
    def weights(self) -> NDArray[np.float64]:
        return self._weights


class Ladder(Pool):
    """Opponents of rising strength. Those that have been reached share the games equally, so that old ones are not forgotten.

    Args:
        game: the game or its spec.
        policies: 1 or more, the weakest first; each as for `Mixture`.
        mastered: the share of the points against the newest opponent at which the next one joins: more than 0, at most 1. A draw
            is half a point.
        enough: the least number of games against it before the next one joins: 1 to 500, since the pool counts about the last
            thousand.
        name: what it is called where it is a member of another pool.

    Raises:
        ValueError: one of them is not a policy of this game; a number is out of its range.
    """

    def __init__(
        self,
        game: str | Game,
        policies: Policies,
        *,
        mastered: float = 0.8,
        enough: int = 200,
        name: str = "ladder",
    ) -> None:
        super().__init__(game, name, policies)
        check(mastered, "mastered", Annotated[float, Range(above=0, most=1)])
        check(enough, "enough", Annotated[int, Range(1, 500)])
        self.mastered, self.enough = mastered, enough
        self.reached = 1
        """The number of opponents that the learner meets so far."""

    @property
    def weights(self) -> NDArray[np.float64]:
        return (np.arange(len(self._members)) < self.reached).astype(np.float64)

    def follow_results(self) -> None:
        last = self._members[self.reached - 1]
        if last.games >= self.enough and last.share >= self.mastered:
            self.reached = min(self.reached + 1, len(self._members))

    def state(self) -> Arrays:
        return {**super().state(), "reached": np.array([self.reached])}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        reached = int(state["reached"][0])
        if not 1 <= reached <= len(self._members):
            raise ValueError(f"the state has reached opponent {reached}; {self.name} has {len(self._members)}")
        super().restore(state)
        self.reached = reached


DRAWS = ("latest", "uniform", "prioritised")
"""The ways in which a league draws one of its snapshots."""


class League(Pool):
    """Snapshots of a learner, the last few of them.

        latest        always the newest
        uniform       any, equally likely
        prioritised   any, in proportion to the square of its points against the learner, so that those that beat it come more often

    Sources: Bansal et al., Emergent complexity via multi-agent competition (2018), where old selves keep a learner from going
    round in circles; Vinyals et al., Grandmaster level in StarCraft II using multi-agent reinforcement learning, Nature 575
    (2019), prioritised fictitious self-play.

    Args:
        game: the game or its spec.
        size: the number of snapshots that it keeps, 1 or more. A further one replaces the oldest, and gets its number; games
            under way go on against the snapshot that they began with.
        draw: how the snapshot is drawn that a game is played against: "latest", "uniform" or "prioritised".
        make: makes the policy of a snapshot that is given as arrays. Only a league of arrays has a `state()`.
        name: what it is called where it is a member of another pool.

    Raises:
        ValueError: there is no such game or draw, or the size is out of its range.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        size: int = 10,
        draw: str = "uniform",
        make: Callable[[Arrays], Policy] | None = None,
        name: str = "league",
    ) -> None:
        super().__init__(game, name)
        check(size, "size", Count)
        check(draw, "draw", Annotated[str, OneOf(*DRAWS)])
        self.size, self.drawn_by = int(size), draw
        self._make = make
        self._added = 0

    def __len__(self) -> int:
        """The number of snapshots now."""
        return len(self._members)

    def add(self, snapshot: Any, name: str | None = None, *, sample: bool = False) -> int:
        """Adds the learner as it is now, or any other policy.

        Args:
            snapshot: a copy is kept of what `as_policy` takes, a torch module or a model for instance, so that it may learn on.
                (A function is kept as it is: what it reads from elsewhere may still change.) Or arrays by name, for `make`.
            name: what it is called; "snapshot 0" and so on, if it is not given.
            sample: as for `as_policy`: a network draws its actions and does not take the best.

        Returns:
            Its number.

        Raises:
            ValueError: it has another type, or does not play the game.
        """
        arrays = {key: np.array(array) for key, array in snapshot.items()} if isinstance(snapshot, Mapping) else None
        policy = self._make_policy(arrays) if arrays is not None else deepcopy(as_policy(snapshot, self.game, sample=sample))
        slot = self._added % self.size
        self._members[slot : slot + 1] = [self._member(policy, name or f"snapshot {self._added}", arrays)]
        self._added += 1
        return slot

    def clear(self) -> None:
        """Forgets all snapshots and their results."""
        self._members, self._added = [], 0

    @property
    def width(self) -> int:
        return self.size

    @property
    def weights(self) -> NDArray[np.float64]:
        if self.drawn_by == "latest":
            return (np.arange(len(self)) == (self._added - 1) % self.size).astype(np.float64)
        return np.ones(len(self)) if self.drawn_by == "uniform" else (1 - np.array([member.share for member in self._members])) ** 2

    def _make_policy(self, arrays: Arrays) -> Policy:
        if self._make is None:
            raise ValueError("a snapshot given as arrays needs League(…, make=…), which makes a policy of them")
        return as_policy(self._make(arrays), self.game)

    def state(self) -> Arrays:
        snapshots: Arrays = {}
        for slot, member in enumerate(self._members):
            if member.arrays is None:
                raise ValueError("only a league whose snapshots were all given as arrays has a state of arrays; pickle any other")
            snapshots |= {f"{slot}.{key}": array for key, array in member.arrays.items()}
        return {"added": np.array([self._added]), "tally": self._tally(), **snapshots}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        added, tally = int(state["added"][0]), state["tally"]
        if added < 0 or tally.shape != (min(added, self.size), 2):
            raise ValueError(f"the state is of {len(tally)} snapshots, {added} added; {self.name} keeps {self.size}")
        snapshots = [under(f"{slot}.", state) for slot in range(len(tally))]
        policies = [self._make_policy(arrays) for arrays in snapshots]
        names = (f"snapshot {added - 1 - (added - 1 - slot) % self.size}" for slot in range(len(tally)))
        self._members = [Member(self, *each) for each in zip(policies, names, snapshots, strict=True)]
        self._restore_tally(tally)
        self._added = added
