"""What trainers that work in generations share, whatever they breed: random numbers, and the games that measure fitness.

In each generation every genome plays paired games, both seats from each opening, against groups of opponents: fixed policies,
members of its own generation and others. All begin from the same openings with the same keys.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...agents.registry import make_policy
from ...arena.matches.openings import stream_keys
from ...core.bounds import Count
from ...core.numbers import Range
from ...games.game import Game
from ..runs.trainer import Settings, Trainer
from .contest import Choose, EvenCount, Outcomes, draw_openings, play_all

MANY = 10**6
S = TypeVar("S", bound=Settings)


class Generations(Trainer[S]):
    """A trainer whose parts are generations, as many as its setting of this name, each with its own random numbers."""

    unit: ClassVar[str] = "generations"

    def keys(self, purpose: str, count: int) -> NDArray[np.uint64]:
        """Random keys of this generation for a purpose (count,)."""
        return stream_keys(self.game, self.seed, ("generation", str(self._done), purpose), np.arange(count))

    def key(self, purpose: str) -> int:
        """One random key of this generation for a purpose."""
        return int(self.keys(purpose, 1)[0])


@dataclass(frozen=True)
class ContestSettings(Settings):
    """Settings of all trainers whose genomes play games for their fitness.

    Args:
        generations: the number of generations.
        games: the number of games of each genome against each fixed policy, and as many against its own generation; an even number.
        opponents: specs of fixed policies that all play against, joined by +; none for no policy.
        peers: the number of members of the generation, drawn at random for each, that each genome plays against.
        opening_plies: the number of random plies that games begin with.
    """

    generations: Count = 100
    games: EvenCount = 20
    opponents: tuple[str, ...] | None = ("random",)
    peers: Annotated[int, Range(0)] = 0
    opening_plies: Annotated[int, Range(0, MANY)] = 2


C = TypeVar("C", bound=ContestSettings)


class OpponentGroup(NamedTuple):
    """A group of opponents.

    Args:
        purpose: what their openings are drawn for.
        members: policies, or for each player the number of another player (P,).
        pairs: the number of pairs of games against each.
    """

    purpose: str
    members: Sequence[Policy | NDArray[np.int64]]
    pairs: int


class Contest(Generations[C]):
    """A trainer whose genomes play games for their fitness."""

    against: ClassVar[Mapping[str, Any] | None] = {
        "opponents": ("random",),  # which `play_against` replaces
        "peers": 0,
        "opening_plies": 0,
        "games": 4,
    }

    def __init__(self, game: Game, settings: C, seed: int) -> None:
        super().__init__(game, settings, seed)
        self.fixed = [make_policy(spec, game) for spec in settings.opponents or ()]

    def play_against(self, policy: Policy) -> None:
        self.fixed = [policy]

    def play_groups(self, choose: Choose, players: NDArray[np.int64], *groups: OpponentGroup) -> list[list[Outcomes]]:
        """The games of players, by their numbers (P,), against each member of each group that has any."""

        def play(group: OpponentGroup, k: int) -> Outcomes:
            name = "generation", str(self._done), f"{group.purpose} {k}"
            start = draw_openings(self.game, self.seed, name, group.pairs, self.settings.opening_plies)
            return play_all(self.game, choose, players, group.members[k], start)

        return [[play(group, k) for k in range(len(group.members))] for group in groups if group.members]


@contextmanager
def seed_global_random(key: int) -> Generator[None]:
    """Seeds Python's global generator for a block, for libraries that draw from it, and restores its state afterwards."""
    before = random.getstate()
    random.seed(key)
    try:
        yield
    finally:
        random.setstate(before)
