"""The opponents of a learner, as settings: fixed policies, one after the other or all, and snapshots of the learner itself.

They become a pool of `ludus.opponents`: a mixture, or with `ladder` a ladder, in which `self` is a league.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ...core.bounds import Count, OneOf
from ...core.numbers import Range
from ...games.game import Game
from ...opponents import DRAWS, Ladder, League, Mixture, Pool
from ..runs.trainer import Settings

SELF = "self"


@dataclass(frozen=True)
class OpponentSettings(Settings):
    """The opponents of a learner.

    Args:
        opponents: policies by their specs, joined by +; self stands for snapshots of the learner.
        ladder: whether they join one by one, the next when the learner has mastered the last.
        mastered: the share of the points at which an opponent counts as mastered; a draw is half a point.
        pool: the number of snapshots.
        snapshot_every: the number of parts after which a new snapshot replaces the oldest.
        draw: the snapshot for a game: latest, uniform or prioritised.
        seat: the learner's seat: 0, 1, or random, drawn for each game.
        opening_plies: a game begins with up to this many random plies, so that more positions come up; their number is uniform.
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
        game: the game and variant.
        settings: the settings that name them.
        league: the snapshots that `self` stands for.

    Raises:
        ValueError: there is no such policy, or it does not play the game.
    """
    members = {name: league if name == SELF else name for name in settings.opponents}
    return Ladder(game, members, mastered=settings.mastered) if settings.ladder else Mixture(game, members)
