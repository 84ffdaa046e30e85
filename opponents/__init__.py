"""Several opponents for a training loop: one of them is drawn for each game, by the game's key.

    from ludus.opponents import Ladder, League, Mixture

    mixture = Mixture("othello", ["random", "greedy", my_function], weights=[1, 1, 2])
    ladder = Ladder("othello", ["random", "greedy", "minimax:depth=2"])  # the next one when the last is beaten often enough
    league = League("othello", draw="prioritised")                      # snapshots of the learner, added while it learns
    league.add(net)

    envs = gym.make_vec("ludus/Othello-v0", num_envs=64, opponent=league)  # gym.make and BoardsVecEnv take them too

A member can be such a pool itself, as in `Mixture("othello", ["random", league])`. `ludus train` uses these classes as well.
"""

from __future__ import annotations

from ..core.files.named_arrays import Arrays
from .ladder import Ladder
from .league import DRAWS, League
from .mixture import Mixture
from .pool import Pool

__all__ = ["DRAWS", "Arrays", "Ladder", "League", "Mixture", "Pool"]
