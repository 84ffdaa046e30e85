"""Games over numbered positions (positions.py), each followed by learning from it: kernels.

How a table learns from a game is a function of its own, `learn`: declared here, and implemented by each trainer. A table has an
entry for each edge or, where a trainer learns values of positions, for each position that an edge leads to.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.native import releases_gil
from ...games.kernels.arrays import BothRewards, Counts, Flags, Masks, Numbers, Permutations, Rewards, Words
from ...games.kernels.bits import number
from ...games.kernels.keys import below, derive, uniform
from ...games.kernels.rules import ONGOING

Keys2: TypeAlias = Annotated[NDArray[np.uint64], 2]
"""Hashes of 128 bits (N, 2)."""
EXPLORATION, EXPLORATION_END, EXPLORING_STARTS, DISCOUNT, RATE, RATE_DECAY, RATE_LEAST, DRAW = range(8)
"""Indices of the settings in `WalkSettings.numbers`; at DRAW the reward of a draw for player 0, at DRAW + 1 for player 1."""
OWN = DRAW + 2
"""The index at which a trainer's own settings begin."""
PLIES, CHANGES, LEARNT = 3, 4, 5
"""Indices of the statistics, after the games that player 0 won, drew and lost."""
SEAT_KEY, START_KEY, PLACE_KEY = -1, -2, -3
"""Random numbers of a game that belong to no ply: the keys of its plies count from 0."""
EXPLORE_KEY, ACTION_KEY = 0, 1
"""Random numbers of a ply."""
NOBODY = -1
LOWEST = -1.0e300
"""Lower than all values, except that of an illegal action: minus infinity."""


class WalkSettings(NamedTuple):
    """The settings for kernels: the number of games, whether there is an opponent, the variant of the rule, and the others."""

    games: int
    opponent: int
    mode: int
    numbers: Rewards


class Values(NamedTuple):
    """A table: the value of each entry and how often it was updated (C,), where the edges of each position begin, and for
    `shared_entry` the entry of each edge (E,)."""

    values: Rewards
    visits: Numbers
    begins: Numbers
    entries: Numbers


class PositionMoves(NamedTuple):
    """The moves of all positions: who is to move in each; for each edge where it leads, whether the other player moves next, and
    the result for the mover."""

    starters: Flags
    leads: Numbers
    turns: Flags
    results: Flags


class Rows(NamedTuple):
    """The rows of a bounded table, and scratch space for looking positions up.

    Args:
        start: the state that games begin with.
        cells, turns, backs: the symmetries that are merged, as permutations of cells (S, H·W), of actions (S, A), and back.
        apart: whether the player to move is part of the hash.
        keys: the hash of each row (R, 2).
        planes, views, choices: room for an observation, for a hash a ply (plies, 2), and for a set of actions (K,).
    """

    start: Words
    cells: Permutations
    turns: Permutations
    backs: Permutations
    apart: int
    keys: Keys2
    planes: Masks
    views: Keys2
    choices: Words


NO_MOVES = PositionMoves(np.zeros(0, np.int8), np.zeros(0, np.int64), np.zeros(0, np.int8), np.zeros(0, np.int8))
NO_KEYS = np.zeros((0, 2), np.uint64)
"""What a table lacks: a bounded one has no moves of all positions, and any other one no hashes of rows. Kernels take both."""


class LearnerTables(NamedTuple):
    """The tables of one learner or of two (1 or 2, C), where the edges of each position begin, and for `shared_entry` the entry of
    each edge (E,)."""

    values: BothRewards
    visits: Counts
    begins: Numbers
    entries: Numbers


class Trail(NamedTuple):
    """The plies of a game: for each the position before it, the entry of the edge that was taken, the player who took it, and the
    reward of the move itself. And a number for each entry, `stamps` (C,), which says when it was first taken."""

    positions: Numbers
    edges: Numbers
    movers: Flags
    gains: Rewards
    stamps: Numbers


class PlayedGame(NamedTuple):
    """A game: the number of its plies, and its result for player 0. Stamps from `stamp` on belong to this game and this learner, so
    that no stamp has to be cleared between games."""

    plies: int
    result: int
    stamp: int
    trail: Trail


class TableLearner(NamedTuple):
    """The state of a trainer, as kernels take it: its settings; the initial value, and the rewards of a bounded table's own
    moves (3,); the cumulated probabilities of the opponent (E,); the tables; room for a game; and the positions: the moves of all
    of them, or the rows of a bounded table."""

    rules: WalkSettings
    extra: Rewards
    odds: Rewards
    tables: LearnerTables
    trail: Trail
    moves: PositionMoves
    rows: Rows


def learn(learner: int, reward: float, played: PlayedGame, table: Values, rules: WalkSettings, tally: Rewards) -> None:
    """Updates the table after a game, from the moves of one learner, and adds to the statistics. The reward is that of the
    learner at the end; nan where the game was stopped before its end."""
    raise NotImplementedError


def entry_of(edge: int, table: Values) -> int:
    """The entry of an edge: its own number, unless `shared_entry` is linked in its position."""
    return edge


def shared_entry(edge: int, table: Values) -> int:
    """The entry of an edge that may share it with other edges."""
    return table.entries[edge]


def play_game(key: np.uint64, seat: int, exploration: float, both: tuple[Values, Values], learner: TableLearner) -> tuple[int, int]:
    """Plays a game against an opponent in a seat, or in self-play, and writes it to the trail: its plies and its result for player
    0, ONGOING where it was stopped before its end. `walk_positions` or `play_by_rows` is linked in its place."""
    raise NotImplementedError


@releases_gil
def learn_games(start: int, stop: int, seed: np.uint64, learner: TableLearner, tally: Rewards) -> None:
    """Plays the games `start` to `stop`, and learns from each.

    With two tables (2, C) there are two learners, and which of them is player 0 is drawn for each game.
    """
    rules, trail, longest = learner.rules, learner.trail, learner.trail.positions.shape[0]
    for game in range(start, stop):
        key = derive(seed, game)
        seat, both = opponent_of(key, rules), tables_of(key, learner.tables)
        plies, result = play_game(key, seat, exploration_of(game, rules), both, learner)
        learn_both(seat, PlayedGame(plies, result, 2 * game * longest, trail), both, rules, tally)


def walk_positions(
    key: np.uint64, seat: int, exploration: float, both: tuple[Values, Values], learner: TableLearner
) -> tuple[int, int]:
    """Plays a game over numbered positions. Moves have no rewards of their own: `gains` are zeros."""
    moves, trail, begins, numbers = learner.moves, learner.trail, learner.tables.begins, learner.rules.numbers
    plies, position, result = 0, 0, ONGOING
    if uniform(derive(key, START_KEY)) < numbers[EXPLORING_STARTS]:
        position = below(derive(key, PLACE_KEY), moves.starters.shape[0])
    mover = moves.starters[position]
    while position >= 0 and plies < trail.positions.shape[0]:
        start, stop = begins[position], begins[position + 1]
        if mover == seat:
            edge = draw_edge(start, stop, learner.odds, derive(key, plies))
        else:
            edge = choose_edge(start, stop, of_player(both, mover), exploration, derive(key, plies))
        trail.positions[plies], trail.edges[plies], trail.movers[plies] = position, entry_of(edge, both[0]), mover
        plies += 1
        position = moves.leads[edge]
        if position < 0:
            result = moves.results[edge] * (1 - 2 * mover)
        mover ^= moves.turns[edge]
    return plies, result


def tables_of(key: np.uint64, tables: LearnerTables) -> tuple[Values, Values]:
    """The tables of player 0 and player 1 in a game: one table twice where there is only one."""
    values, visits, begins, entries = tables
    swap = below(derive(key, SEAT_KEY), 2) if values.shape[0] == 2 else 0
    rest = values.shape[0] - 1 - swap
    return Values(values[swap], visits[swap], begins, entries), Values(values[rest], visits[rest], begins, entries)


def of_player(both: tuple[Values, Values], player: int) -> Values:
    """A player's table."""
    return both[0] if player == 0 else both[1]


def opponent_of(key: np.uint64, rules: WalkSettings) -> int:
    """The seat of the opponent in a game, or NOBODY."""
    return below(derive(key, SEAT_KEY), 2) if rules.opponent != 0 else NOBODY


def exploration_of(game: int, rules: WalkSettings) -> float:
    """The probability of exploration in a game."""
    numbers, share = rules.numbers, float(game) / float(rules.games)
    return numbers[EXPLORATION] + (numbers[EXPLORATION_END] - numbers[EXPLORATION]) * share


def learn_both(seat: int, played: PlayedGame, both: tuple[Values, Values], rules: WalkSettings, tally: Rewards) -> None:
    """Updates the tables of player 0 and player 1, or one table twice, after a game, for each learner but the opponent's seat, and
    adds to the statistics. The game's result is ONGOING where it was stopped before its end."""
    result = played.result
    over = result != ONGOING
    tally[1 - result if over else 1] += 1.0
    tally[PLIES] += float(played.plies)
    for player in range(2):
        if player != seat:
            own_result = float(result * (1 - 2 * player)) if result != 0 else rules.numbers[DRAW + player]
            reward = own_result if over else np.nan
            stamp = played.stamp + (player + 1) * played.trail.positions.shape[0]
            own = PlayedGame(played.plies, result, stamp, played.trail)
            learn(player, reward, own, of_player(both, player), rules, tally)


def choose_edge(start: int, stop: int, table: Values, exploration: float, key: np.uint64) -> int:
    """One of the edges with the highest value, uniformly; or, with the probability of exploration, any edge of a legal action."""
    least, count = LOWEST, 0
    if uniform(derive(key, EXPLORE_KEY)) >= exploration:
        least = highest(start, stop, table)
    for edge in range(start, stop):
        count += table.values[entry_of(edge, table)] >= least
    nth = below(derive(key, ACTION_KEY), count)
    for edge in range(start, stop):
        if table.values[entry_of(edge, table)] >= least:
            if nth == 0:
                return edge
            nth -= 1
    return start


def draw_edge(start: int, stop: int, odds: Rewards, key: np.uint64) -> int:
    """An edge, with the probabilities of the opponent."""
    draw = uniform(derive(key, ACTION_KEY))
    for edge in range(start, stop - 1):
        if draw < odds[edge]:
            return edge
    return stop - 1


def move_towards(target: float, entry: int, table: Values, numbers: Rewards, tally: Rewards) -> None:
    """Moves the value of an entry towards a target, by a learning rate that falls with the number of its updates."""
    table.visits[entry] += 1
    learning_rate = max(numbers[RATE_LEAST], numbers[RATE] * float(number(table.visits[entry])) ** -numbers[RATE_DECAY])
    change = learning_rate * (target - table.values[entry])
    table.values[entry] += change
    tally[CHANGES] += abs(change)
    tally[LEARNT] += 1.0


def best_of(position: int, table: Values) -> float:
    """The highest value of the edges of a position."""
    return highest(table.begins[position], table.begins[position + 1], table)


def highest(start: int, stop: int, table: Values) -> float:
    """The highest value of some edges."""
    best = float(table.values[entry_of(start, table)])
    for edge in range(start + 1, stop):
        best = max(best, float(table.values[entry_of(edge, table)]))
    return best


def moves_of(learner: int, played: PlayedGame) -> int:
    """The number of moves that a learner made in a game."""
    count = 0
    for ply in range(played.plies):
        count += played.trail.movers[ply] == learner
    return count
