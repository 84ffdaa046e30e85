"""The opponents of a learner, as settings: fixed policies, one after the other or all, and snapshots of the learner itself.

The pools of `ludus.opponents` do the rest: a mixture, or with `ladder` a ladder, in which a league stands in place of `self`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ...envs.games.game import Game
from ...envs.settings.bounds import Count, OneOf
from ...envs.settings.numbers import Range
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
    mastered: Annotated[float, Range(above=0, most=1)] = 0.8
    pool: Count = 5
    snapshot_every: Count = 5
    draw: Annotated[str, OneOf(*DRAWS)] = "uniform"
    seat: Annotated[str, OneOf("0", "1", "random")] = "random"
    opening_plies: Annotated[int, Range(0)] = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "seat", str(self.seat))
        super().__post_init__()
        if not (self.opponents and all(self.opponents)) or len(set(self.opponents)) < len(self.opponents):
            raise ValueError(f"opponents is {'+'.join(self.opponents)!r}; it must name 1 policy or more, and none of them twice")


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
