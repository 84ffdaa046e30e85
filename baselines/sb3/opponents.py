"""`Schedule`: whom a learner meets: fixed policies, one after the other or all, and snapshots of itself out of a pool.

The policies that are met share the games equally. In place of `self` stands the pool: the last few snapshots of the learner,
one of which each game is played against:

    latest        the newest
    uniform       any, equally likely
    prioritised   any, in proportion to the square of the points it takes from the learner, so that whoever beats it comes oftener

Sources: Bansal et al., Emergent complexity via multi-agent competition (2018), where old selves keep a learner from going round
in circles; Vinyals et al., Grandmaster level in StarCraft II using multi-agent reinforcement learning, Nature 575 (2019),
prioritised fictitious self-play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.registry import make_policy
from ...envs.game import Game, StateArray
from ...envs.kernels.keys import derive_keys, uniforms
from ...envs.specs import check_between
from ..archive import below
from ..trainer import Arrays, Settings
from .snapshots import Snapshots

SELF = "self"
DRAWS = ("latest", "uniform", "prioritised")
OPPONENT_KEY = -10
"""What is drawn by a game's key, the keys of whose plies count from 0."""
WINDOW = 1000
"""What is known of an opponent comes from about so many games, the last ones."""
ENOUGH = 200
"""So many games against an opponent tell whether it is mastered."""
GAMES, POINTS = range(2)


@dataclass(frozen=True)
class ScheduleSettings(Settings):
    """Whom a learner meets.

    Args:
        opponents: policies by their specs, joined by +; self stands for snapshots of the learner.
        ladder: whether they are met one by one: the next, beside those before, when the last is mastered.
        mastered: which share of the points makes an opponent mastered, a draw being half a point.
        pool: how many snapshots are kept.
        snapshot_every: after how many parts another snapshot takes the place of the oldest.
        draw: which snapshot a game is played against: latest, uniform or prioritised.
        seat: the learner's seat: 0, 1, or random, drawn for each game.
        opening_plies: with up to how many random plies a game begins, so that more positions come up; how many, is drawn.
    """

    opponents: tuple[str, ...] = (SELF,)
    ladder: bool = False
    mastered: float = 0.8
    pool: int = 5
    snapshot_every: int = 5
    draw: str = "uniform"
    seat: str = "random"
    opening_plies: int = 0

    def __post_init__(self) -> None:
        if not (self.opponents and all(self.opponents)) or len(set(self.opponents)) < len(self.opponents):
            raise ValueError(f"opponents is {'+'.join(self.opponents)!r}; it names 1 policy or more, none of them twice")
        if not 0 < self.mastered <= 1:
            raise ValueError(f"mastered is {self.mastered}; it is a share of the points, more than 0, 1 at most")
        check_between(self, 1, inf, "pool", "snapshot_every")
        if self.draw not in DRAWS:
            raise ValueError(f"draw is {self.draw!r}; there are: {', '.join(DRAWS)}")
        check_between(self, 0, inf, "opening_plies")
        if str(self.seat) not in ("0", "1", "random"):
            raise ValueError(f"seat is {self.seat!r}; the learner sits at 0 (moves first), at 1, or at random")


class Schedule:
    """The opponents of a learner: fixed policies first, then the places of the pool.

    Args:
        game: what is played.
        settings: whom it meets.
        snapshots: the pool, with the learner as it was at the beginning in it.

    Raises:
        ValueError: there is no such policy, or it does not play the game.
    """

    def __init__(self, game: Game, settings: ScheduleSettings, snapshots: Snapshots) -> None:
        self.settings, self.snapshots = settings, snapshots
        self._derive: Callable[..., None] = game.kernel(derive_keys)
        self._names = settings.opponents
        self._fixed = [make_policy(spec, game) for spec in self._names if spec != SELF]
        self._parts = 0
        self._reached = 1 if settings.ladder else len(self._names)
        self._tally = np.zeros((len(self._fixed) + settings.pool, 2))
        self._heights = self._odds().cumsum()

    def __len__(self) -> int:
        """How many opponents there can be, places of the pool among them."""
        return len(self._tally)

    # ---- what boards ask

    def draw(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """An opponent's number for each game that begins, by its key."""
        drawn = np.empty(len(keys), np.uint64)
        self._derive(np.ascontiguousarray(keys), np.full(len(keys), OPPONENT_KEY), drawn)
        return np.searchsorted(self._heights, uniforms(drawn) * self._heights[-1], side="right")

    def act(self, numbers: NDArray[np.int64], states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """What opponent numbers[i] plays in state i, by its key."""
        actions, places = np.empty(len(states), np.int64), numbers - len(self._fixed)
        for number, policy in enumerate(self._fixed):
            if len(rows := np.flatnonzero(numbers == number)):
                actions[rows] = policy.act(states[rows], keys[rows])
        if len(rows := np.flatnonzero(places >= 0)):
            actions[rows] = self.snapshots.act(places[rows], states[rows], keys[rows])
        return actions

    def note(self, numbers: NDArray[np.int64], rewards: NDArray[np.float64]) -> None:
        """Games against these opponents ended with these rewards for the learner."""
        np.add.at(self._tally, numbers, np.stack([np.ones(len(rewards)), (rewards + 1) / 2], axis=1))

    def __str__(self) -> str:
        return "+".join(self._names)

    # ---- from part to part

    def part_done(self, weights: Callable[[], Arrays]) -> None:
        """After a part: whoever is mastered is followed by the next; the learner's weights become a snapshot when it is time."""
        self._parts += 1
        if self._reached < len(self._names) and self._mastered(self._reached - 1):
            self._reached += 1
        self._tally *= np.minimum(1.0, WINDOW / np.maximum(self._tally[:, [GAMES]], 1.0))
        if SELF in self._names and self._parts % self.settings.snapshot_every == 0:
            place = (self._parts // self.settings.snapshot_every) % self.settings.pool
            self.snapshots.put(place, weights())
            self._tally[len(self._fixed) + place] = 0
        self._heights = self._odds().cumsum()

    def told(self) -> dict[str, float]:
        """The share of the points against each of the opponents, and how many are met."""
        shares = {f"points against {name}": self._points(name) for name in self._names}
        return shares | ({"opponents met": float(self._reached)} if self.settings.ladder else {})

    def _numbers(self, name: str) -> NDArray[np.int64]:
        """The numbers of those that a name stands for."""
        fixed = [one for one in self._names if one != SELF]
        return np.arange(len(self.snapshots)) + len(fixed) if name == SELF else np.array([fixed.index(name)])

    def _points(self, name: str) -> float:
        games, points = self._tally[self._numbers(name)].sum(axis=0)
        return float((points + 0.5) / (games + 1))

    def _mastered(self, place: int) -> bool:
        name = self._names[place]
        games = self._tally[self._numbers(name), GAMES].sum()
        return bool(games >= ENOUGH and self._points(name) >= self.settings.mastered)

    def _odds(self) -> NDArray[np.float64]:
        """How likely each opponent is met, up to a factor."""
        odds = np.zeros(len(self._tally))
        for name in self._names[: self._reached]:
            numbers = self._numbers(name)
            odds[numbers] = self._pool_odds() if name == SELF else 1.0
        return odds

    def _pool_odds(self) -> NDArray[np.float64]:
        """How likely each snapshot is met; they add up to 1."""
        tally = self._tally[self._numbers(SELF)]
        if self.settings.draw == "latest":
            newest = (self._parts // self.settings.snapshot_every) % self.settings.pool
            return (np.arange(len(tally)) == newest).astype(np.float64)
        if self.settings.draw == "uniform":
            return np.full(len(tally), 1 / len(tally))
        lost = 1 - (tally[:, POINTS] + 0.5) / (tally[:, GAMES] + 1)
        return lost**2 / (lost**2).sum()

    # ---- kept

    def state(self) -> Arrays:
        """All that the rest depends on."""
        counts = np.array([self._parts, self._reached, len(self.snapshots)])
        kept = enumerate(self.snapshots.weights)
        pool = {f"pool.{place}.{name}": array for place, weights in kept for name, array in weights.items()}
        return {"counts": counts, "tally": self._tally.copy(), **pool}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Goes back to a state.

        Raises:
            ValueError, KeyError: it is none of such a schedule.
        """
        parts, reached, filled = map(int, state["counts"])
        counted = 1 <= reached <= len(self._names) and 1 <= filled <= self.settings.pool
        if not counted or state["tally"].shape != self._tally.shape:
            raise ValueError("it tells of other opponents")
        for place in range(filled):
            self.snapshots.put(place, below(f"pool.{place}.", state))
        self._parts, self._reached, self._tally = parts, reached, state["tally"].copy()
        self._heights = self._odds().cumsum()
