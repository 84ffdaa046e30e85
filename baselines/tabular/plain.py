"""Learning by table in PettingZoo's loop: what tabular.py does in compiled code, in the words of the textbooks.

The keys are the same, and so are the tables, to the last bit; it takes 500 times as long. `plain=true` learns so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.aec import SEATS, AECGame
from ...envs.kernels.keys import derive_key
from .walk import ACTION_KEY, EXPLORE_KEY, PLACE_KEY, PLIES, SEAT_KEY, START_KEY

if TYPE_CHECKING:
    from .positions import Positions
    from .tabular import Tabular


class Move(NamedTuple):
    """A move of a learner.

    Args:
        position: the entries of the position's actions in the table.
        entry: that of the action taken.
        again: whether the learner moves next, too.
    """

    position: list[int]
    entry: int
    again: bool


class Part(NamedTuple):
    """A learner's part in a game.

    Args:
        player: 0 or 1.
        values, visits: the learner's table.
        moves: its moves.
        result: 1, 0 or -1; None where the game was left before its end.
        reward: what the result is worth to it.
    """

    player: int
    values: NDArray[np.float64]
    visits: NDArray[np.int64]
    moves: list[Move]
    result: int | None
    reward: float | None


def play_plainly(trainer: Tabular[Any], positions: Positions, first: int, behind: int, tally: NDArray[np.float64]) -> None:
    """Plays the games with these numbers and learns from them; `tally` as in the kernel."""
    random, env = _Random(trainer, positions), AECGame(trainer.game)
    for number in range(first, behind):
        side = random.below(random.derive(random.derive(trainer.seed, number), SEAT_KEY), 2)
        learners = {seat: player ^ side if trainer.settings.tables == 2 else 0 for player, seat in enumerate(SEATS)}
        if len(trainer.odds):
            del learners[SEATS[side]]  # the opponent's
        for part in play_one(trainer, env, random, number, learners, tally):
            trainer.learn_plainly(part, tally)


def play_one(
    trainer: Tabular[Any], env: AECGame, random: _Random, number: int, learners: Mapping[str, int], tally: NDArray[np.float64]
) -> list[Part]:
    """Plays the game with a number: the parts of the learners, named by their seats with the number of the table of each."""
    settings, positions, key = trainer.settings, random.positions, random.derive(trainer.seed, number)
    exploration = settings.exploration + (settings.exploration_end - settings.exploration) * (number / settings.games)
    env.reset(options={"position": random.start(trainer, key)})
    moves: dict[str, list[Move]] = {seat: [] for seat in SEATS}
    results: dict[str, int | None] = {}
    entries_of, plies = trainer.by_edges(np.arange(trainer.tables.shape[1])), 0
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            results[agent] = None if truncated else int(reward)
            tally[1 - int(reward)] += agent == SEATS[0]
            env.step(None)
            continue
        edges, actions = positions.find(env.rules_state)
        entries = entries_of[edges].tolist()
        ply_key = random.derive(key, plies)
        if agent in learners:
            choice = random.chosen(trainer.tables[learners[agent]][entries].tolist(), exploration, ply_key)
        else:
            choice = random.drawn(trainer.odds[edges].tolist(), ply_key)
        env.step(int(actions[choice]))
        moves[agent].append(Move(entries, entries[choice], env.agent_selection == agent))
        plies += 1
    tally[PLIES] += plies
    draws = settings.draw_first, settings.draw_second
    parts: list[Part] = []
    for seat, which in learners.items():
        player, result = SEATS.index(seat), results[seat]
        reward = None if result is None else result or draws[player]
        parts.append(Part(player, trainer.tables[which], trainer.visit_tables[which], moves[seat], result, reward))
    return parts


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
