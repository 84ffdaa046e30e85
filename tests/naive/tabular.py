"""Learning by table in PettingZoo's loop, in the words of the textbooks: a slow twin of the kernels of `ludus.baselines.tabular`.

It draws from the same keys, and so its tables are the same to the last bit; it takes 500 times as long.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.baselines.tabular.montecarlo import MonteCarlo
from ludus.baselines.tabular.qlearning import QLearning
from ludus.envs.aec import SEATS, AECGame
from ludus.games.kernels.keys import derive

from ..helpers.training.tabular import edges_of

PLIES, CHANGES, LEARNT = 3, 4, 5
SEAT_KEY, START_KEY, PLACE_KEY = -1, -2, -3
EXPLORE_KEY, ACTION_KEY = 0, 1


class Move(NamedTuple):
    """A move of a learner: the entries of the position's actions, the entry taken, and whether the learner moves next, too."""

    position: list[int]
    entry: int
    again: bool


class LearnerGame(NamedTuple):
    """A game as one learner saw it: its player, its table, its moves, its result (None: stopped early) and its reward."""

    player: int
    values: NDArray[np.float64]
    visits: NDArray[np.int64]
    moves: list[Move]
    result: int | None
    reward: float | None


class Twin:
    """Plays a trainer's games and updates its tables.

    Args:
        trainer: a trainer that has done nothing yet; its kernels are not used.
    """

    def __init__(self, trainer: QLearning | MonteCarlo) -> None:
        self.trainer: Any = trainer
        self.settings: Any = trainer.settings
        self.derive = trainer.game.kernel(derive)

    def play(self, start: int, stop: int, tally: NDArray[np.float64]) -> None:
        """In place of `Tabular.play`."""
        env = AECGame(self.trainer.game)
        for number in range(start, stop):
            side = self.below(self.derive(self.derive(self.trainer.seed, number), SEAT_KEY), 2)
            learners = {seat: player ^ side if self.settings.tables == 2 else 0 for player, seat in enumerate(SEATS)}
            if len(self.trainer.odds):
                del learners[SEATS[side]]  # the opponent's
            for game in self.play_one(env, number, learners, tally):
                self.learn(game, tally)

    def play_one(self, env: AECGame, number: int, learners: Mapping[str, int], tally: NDArray[np.float64]) -> list[LearnerGame]:
        """Plays one game; learners are given by seat, with the number of the table of each."""
        trainer, s, key = self.trainer, self.settings, self.derive(self.trainer.seed, number)
        exploration = s.exploration + (s.exploration_end - s.exploration) * (number / s.games)
        env.reset(options={"position": self.start(key)})
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
            edges, actions = edges_of(trainer.positions, env.rules_state)
            entries, ply_key = entries_of[edges].tolist(), self.derive(key, plies)
            if agent in learners:
                choice = self.chosen(trainer.tables[learners[agent]][entries].tolist(), exploration, ply_key)
            else:
                choice = self.drawn(trainer.odds[edges].tolist(), ply_key)
            env.step(int(actions[choice]))
            moves[agent].append(Move(entries, entries[choice], env.agent_selection == agent))
            plies += 1
        tally[PLIES] += plies
        draws = s.draw_first, s.draw_second
        games: list[LearnerGame] = []
        for seat, which in learners.items():
            player, result = SEATS.index(seat), results[seat]
            reward = None if result is None else result or draws[player]
            games.append(LearnerGame(player, trainer.tables[which], trainer.visit_tables[which], moves[seat], result, reward))
        return games

    # ---- the rules

    def learn(self, game: LearnerGame, tally: NDArray[np.float64]) -> None:
        """Updates a table by the rule that the settings name."""
        if isinstance(self.trainer, MonteCarlo):
            self.learn_returns(game, tally)
        elif self.settings.ahead == "board":
            self.learn_q_by_board(game, tally)
        else:
            self.learn_q(game, tally)

    def learn_returns(self, game: LearnerGame, tally: NDArray[np.float64]) -> None:
        """Monte Carlo: towards the return, the last move first."""
        if game.reward is None:
            return
        discount, of_states = self.settings.discount, self.settings.values == "states"
        returned, factor = (discount * game.reward, 1.0) if of_states else (game.reward, discount)
        taken = [move.entry for move in game.moves]
        for number in range(len(taken) - 1, -1, -1):
            if self.settings.visit == "every" or taken[number] not in taken[:number]:
                self.move_towards(returned, game, taken[number], tally)
            returned *= factor

    def learn_q(self, game: LearnerGame, tally: NDArray[np.float64]) -> None:
        """Q-learning: towards the reward and the best value of the learner's next position, the last move first."""
        moves, ahead = game.moves, 0.0
        count = len(moves)
        if game.reward is None and moves:  # stopped early: the result of the last move is not known
            ahead = self.settings.discount * float(game.values[moves[-1].position].max())
            moves = moves[:-1]
        for number in range(len(moves), 0, -1):
            move = moves[number - 1]
            self.move_towards(self.reward(game, number, count) + ahead, game, move.entry, tally)
            ahead = self.settings.discount * float(game.values[move.position].max())

    def learn_q_by_board(self, game: LearnerGame, tally: NDArray[np.float64]) -> None:
        """Q-learning with the board right after each move, the first move first."""
        count = len(game.moves)
        for number, (move, after) in enumerate(zip_longest(game.moves, game.moves[1:]), 1):
            ahead = self.settings.discount * float(game.values[after.position].max()) if after and move.again else 0.0
            if after or game.reward is not None:
                self.move_towards(self.reward(game, number, count) + ahead, game, move.entry, tally)

    def reward(self, game: LearnerGame, number: int, count: int) -> float:
        """The reward of a learner's move, by its number of `count`."""
        s = self.settings
        if game.reward is None:
            return 0.0
        if not s.spaced:
            return game.reward if number == count else 0.0
        drawn = (s.drawn_first, s.drawn_second)[game.player]
        first, last = {1: s.won, -1: s.lost, 0: drawn}[game.result or 0]
        share = (number - 1) / (count - 1) if count > 1 else 0.0
        return (first + (last - first) * share) ** 2

    def move_towards(self, target: float, game: LearnerGame, entry: int, tally: NDArray[np.float64]) -> None:
        """Moves the value of an entry towards a target."""
        game.visits[entry] += 1
        learning_rate = max(self.settings.rate_least, self.settings.rate * float(game.visits[entry]) ** -self.settings.rate_decay)
        change = learning_rate * (target - float(game.values[entry]))
        game.values[entry] += change
        tally[CHANGES] += abs(change)
        tally[LEARNT] += 1

    # ---- random numbers, as the kernels draw them

    def start(self, key: int) -> NDArray[np.uint64]:
        """The position that a game begins with."""
        positions = self.trainer.positions
        if self.uniform(self.derive(key, START_KEY)) < self.settings.exploring_starts:
            return positions.leaders[self.below(self.derive(key, PLACE_KEY), len(positions))]
        return self.trainer.game.start

    def below(self, key: int, bound: int) -> int:
        return (key >> 32) * bound >> 32

    def uniform(self, key: int) -> float:
        return (key >> 11) * 2.0**-53

    def chosen(self, values: Sequence[float], exploration: float, key: int) -> int:
        """The index of one of the highest values, uniformly; or, with the probability of exploration, any index."""
        draw = self.derive(key, ACTION_KEY)
        if self.uniform(self.derive(key, EXPLORE_KEY)) < exploration:
            return self.below(draw, len(values))
        best = [place for place, value in enumerate(values) if value == max(values)]
        return best[self.below(draw, len(best))]

    def drawn(self, odds: Sequence[float], key: int) -> int:
        """An index, with the cumulated probabilities of the opponent."""
        draw = self.uniform(self.derive(key, ACTION_KEY))
        return next((place for place, below in enumerate(odds[:-1]) if draw < below), len(odds) - 1)
