"""The opponents of a learner, as settings: fixed policies, one after the other or all, and snapshots of the learner itself.

The pools of `ludus.opponents` do the rest: a mixture, or with `ladder` a ladder, in which a league stands in place of `self`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from ...envs.games.game import Game
from ...envs.settings.specs import check_between
from ...opponents import DRAWS, Ladder, League, Mixture, Pool
from ..runs.trainer import Settings

SELF = "self"


@dataclass(frozen=True)
class OpponentSettings(Settings):
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


def opponents_of(game: Game, settings: OpponentSettings, league: League) -> Pool:
    """The opponents of a learner.

    Args:
        game: what is played.
        settings: names them.
        league: stands in place of `self`.

    Raises:
        ValueError: there is no such policy, or it does not play the game.
    """
    members = {name: league if name == SELF else name for name in settings.opponents}
    return Ladder(game, members, mastered=settings.mastered) if settings.ladder else Mixture(game, members)
