"""Learning by table in PettingZoo's loop: what tabular.py does in compiled code, in the words of the textbooks.

The keys are the same, and so are the tables, to the last bit; it takes 500 times as long. `plain=true` learns so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..envs.aec import SEATS, AECGame
from ..envs.kernels.keys import derive_key
from .walk import ACTION_KEY, EXPLORE_KEY, PLACE_KEY, PLIES, SEAT_KEY, START_KEY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .positions import Positions
    from .tabular import Tabular


class Move(NamedTuple):
    """A move of a learner.

    Args:
        position: where the actions of the position stand in the table.
        action: where the one that was taken stands.
    """

    position: slice
    action: int


def play_plainly(trainer: Tabular[Any], positions: Positions, first: int, behind: int, tally: NDArray[np.float64]) -> None:
    """Plays the games with these numbers and learns from them; `tally` as in the kernel."""
    random, env = _Random(trainer, positions), AECGame(trainer.game)
    for number in range(first, behind):
        key = random.derive(trainer.seed, number)
        learners = [*SEATS]
        if len(trainer.odds):
            learners.remove(SEATS[random.below(random.derive(key, SEAT_KEY), 2)])  # the opponent's
        moves, rewards = play_one(trainer, env, random, number, learners, tally)
        for seat in learners:
            trainer.learn_plainly(moves[seat], rewards[seat], tally)


def play_one(
    trainer: Tabular[Any], env: AECGame, random: _Random, number: int, learners: Sequence[str], tally: NDArray[np.float64]
) -> tuple[dict[str, list[Move]], dict[str, float | None]]:
    """Plays the game with a number: the moves of each seat, and its reward, or None where the game was left before its end."""
    settings, positions, key = trainer.settings, random.positions, random.derive(trainer.seed, number)
    exploration = settings.exploration + (settings.exploration_end - settings.exploration) * (number / settings.games)
    env.reset(options={"position": random.start(trainer, key)})
    moves: dict[str, list[Move]] = {seat: [] for seat in SEATS}
    rewards: dict[str, float | None] = {}
    plies = 0
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            rewards[agent] = None if truncated else reward or (settings.draw_first, settings.draw_second)[SEATS.index(agent)]
            tally[1 - int(reward)] += agent == SEATS[0]
            env.step(None)
            continue
        position, actions = positions.find(env.rules_state)
        ply_key = random.derive(key, plies)
        if agent in learners:
            choice = random.chosen(trainer.values[position].tolist(), exploration, ply_key)
        else:
            choice = random.drawn(trainer.odds[position].tolist(), ply_key)
        moves[agent].append(Move(position, position.start + choice))
        env.step(int(actions[choice]))
        plies += 1
    tally[PLIES] += plies
    return moves, rewards


class _Random:
    """Draws by keys, as the kernels make them."""

    def __init__(self, trainer: Tabular[Any], positions: Positions) -> None:
        self.derive, self.positions = trainer.game.kernel(derive_key), positions

    def start(self, trainer: Tabular[Any], key: int) -> NDArray[np.uint64]:
        """What a game begins with."""
        if self.uniform(self.derive(key, START_KEY)) < trainer.settings.exploring_starts:
            return self.positions.leaders[self.below(self.derive(key, PLACE_KEY), len(self.positions))]
        return trainer.game.start

    def below(self, key: int, bound: int) -> int:
        return (key >> 32) * bound >> 32

    def uniform(self, key: int) -> float:
        return (key >> 11) * 2.0**-53

    def chosen(self, values: Sequence[float], exploration: float, key: int) -> int:
        """The place of one of the highest values, each equally likely; or, with the probability of exploration, any."""
        draw = self.derive(key, ACTION_KEY)
        if self.uniform(self.derive(key, EXPLORE_KEY)) < exploration:
            return self.below(draw, len(values))
        best = [place for place, value in enumerate(values) if value == max(values)]
        return best[self.below(draw, len(best))]

    def drawn(self, odds: Sequence[float], key: int) -> int:
        """A place, as likely as it is to the opponent."""
        draw = self.uniform(self.derive(key, ACTION_KEY))
        return next((place for place, below in enumerate(odds[:-1]) if draw < below), len(odds) - 1)
