"""Games over numbered positions (positions.py), each followed by learning from it: kernels.

What is learnt from a game is a function of its own, `learn`, declared here and meant by each trainer in its way. A table has an
entry for each edge or, where a trainer learns what positions are worth, for each position that an edge leads to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...envs.kernels.arrays import BothRewards, Counts, Flags, Numbers, Rewards
from ...envs.kernels.bits import number
from ...envs.kernels.keys import below, derive, uniform
from ...envs.kernels.rules import ONGOING
from ...envs.native import releases_gil

GAMES, OPPONENT, MODE = range(3)
"""Places of whole numbers among the settings: how many games there are, whether there is an opponent, which way of learning."""
EXPLORATION, EXPLORATION_END, EXPLORING_STARTS, DISCOUNT, RATE, RATE_DECAY, RATE_LEAST, DRAW = range(8)
"""Places of the others; at DRAW the reward of a draw to player 0, and behind it to player 1."""
OWN = DRAW + 2
"""Where a trainer's own settings begin."""
PLIES, CHANGES, LEARNT = 3, 4, 5
"""Places in what is counted, behind the games that player 0 won, drew and lost."""
SEAT_KEY, START_KEY, PLACE_KEY = -1, -2, -3
"""What is drawn by the key of a game, the keys of whose plies count from 0."""
EXPLORE_KEY, ACTION_KEY = 0, 1
"""What is drawn by the key of a ply."""
NOBODY = -1


class Values(NamedTuple):
    """A table: what each entry is worth and how often that was learnt (C,), where each position's edges begin, and for
    `shared_entry` which entry is an edge's (E,)."""

    values: Rewards
    visits: Numbers
    begins: Numbers
    entries: Numbers


class Moves(NamedTuple):
    """The moves of all positions: who is to move in each position, and where its edges begin; of each edge where it leads, whether
    the turn passes, the result for the mover, and up to where the opponent draws it."""

    starters: Flags
    begins: Numbers
    leads: Numbers
    turns: Flags
    results: Flags
    odds: Rewards


class Tables(NamedTuple):
    """The tables of one learner or of two (1 or 2, C), and for `shared_entry` which entry is an edge's (E,)."""

    values: BothRewards
    visits: Counts
    entries: Numbers


class Trail(NamedTuple):
    """The plies of a game: of each the position before it, the entry of the edge that was taken, by whom, and what it brought by
    itself. And a place for a mark for each entry, `stamps` (C,)."""

    places: Numbers
    taken: Numbers
    movers: Flags
    gains: Rewards
    stamps: Numbers


class Played(NamedTuple):
    """A game: how many plies it had, and its result for player 0. Marks from `stamp` on are this game's and the learner's own."""

    plies: int
    result: int
    stamp: int
    trail: Trail


def learn(learner: int, reward: float, played: Played, table: Values, whole: Numbers, numbers: Rewards, tally: Rewards) -> None:
    """Learns from a game that one learner, or the two in turn, played.

    Args:
        learner: whose moves are learnt from.
        reward: what he got at the end; not a number in a game that was left.
        played: the game.
        table: what changes.
        whole, numbers: the settings.
        tally: where changes are counted.
    """
    raise NotImplementedError


def entry_of(edge: int, table: Values) -> int:
    """Where the value of an edge stands: each has its own, unless `shared_entry` is meant."""
    return edge


def shared_entry(edge: int, table: Values) -> int:
    """Where the value of an edge stands that other edges may share."""
    return table.entries[edge]


@releases_gil
def learn_games(
    first: int, behind: int, seed: np.uint64, whole: Numbers, numbers: Rewards, moves: Moves, tables: Tables, trail: Trail,
    tally: Rewards,
) -> None:  # fmt: skip
    """Plays the games from `first` on, each followed by learning from it; moves bring nothing by themselves: `gains` are zeros.

    With two tables (2, C) there are two learners, and which of them is player 0 is drawn for each game.
    """
    begins, longest = moves.begins, trail.places.shape[0]
    for game in range(first, behind):
        key = derive(seed, game)
        seat = opponent_of(key, whole)
        both = tables_of(key, tables, begins)
        exploration = exploration_of(game, whole, numbers)
        plies, place, result = 0, 0, ONGOING
        if uniform(derive(key, START_KEY)) < numbers[EXPLORING_STARTS]:
            place = below(derive(key, PLACE_KEY), moves.starters.shape[0])
        mover = moves.starters[place]
        while place >= 0 and plies < longest:
            behind_edge = begins[place + 1]
            if mover == seat:
                edge = drawn(begins[place], behind_edge, moves.odds, derive(key, plies))
            else:
                edge = chosen(begins[place], behind_edge, of_player(both, mover), exploration, derive(key, plies))
            trail.places[plies], trail.taken[plies], trail.movers[plies] = place, entry_of(edge, both[0]), mover
            plies += 1
            place = moves.leads[edge]
            if place < 0:
                result = moves.results[edge] * (1 - 2 * mover)
            mover ^= moves.turns[edge]
        learn_both(seat, Played(plies, result, 2 * game * longest, trail), both, whole, numbers, tally)


def tables_of(key: np.uint64, tables: Tables, begins: Numbers) -> tuple[Values, Values]:
    """The tables of player 0 and player 1 in the game of a key; twice the same where there is one."""
    values, visits, entries = tables
    swap = below(derive(key, SEAT_KEY), 2) if values.shape[0] == 2 else 0
    rest = values.shape[0] - 1 - swap
    return Values(values[swap], visits[swap], begins, entries), Values(values[rest], visits[rest], begins, entries)


def of_player(both: tuple[Values, Values], player: int) -> Values:
    """A player's table."""
    return both[0] if player == 0 else both[1]


def opponent_of(key: np.uint64, whole: Numbers) -> int:
    """The seat of the opponent in the game of a key, or NOBODY."""
    return below(derive(key, SEAT_KEY), 2) if whole[OPPONENT] != 0 else NOBODY


def exploration_of(game: int, whole: Numbers, numbers: Rewards) -> float:
    """With which probability a learner explores in the game of a number."""
    share = float(game) / float(whole[GAMES])
    return numbers[EXPLORATION] + (numbers[EXPLORATION_END] - numbers[EXPLORATION]) * share


def learn_both(seat: int, played: Played, both: tuple[Values, Values], whole: Numbers, numbers: Rewards, tally: Rewards) -> None:
    """Learns from a game, for each learner; counts it.

    Args:
        seat: the opponent's, or NOBODY.
        played: the game; its result is ONGOING where it was left.
        both: the tables of player 0 and player 1, or twice the same.
    """
    result = played.result
    over = result != ONGOING
    tally[1 - result if over else 1] += 1.0
    tally[PLIES] += float(played.plies)
    for player in range(2):
        if player != seat:
            reward = reward_of(result, player, numbers) if over else np.nan
            stamp = played.stamp + (player + 1) * played.trail.places.shape[0]
            own = Played(played.plies, result, stamp, played.trail)
            learn(player, reward, own, of_player(both, player), whole, numbers, tally)


def reward_of(result: int, player: int, numbers: Rewards) -> float:
    """What player 0's result is worth to a player."""
    return numbers[DRAW + player] if result == 0 else float(result * (1 - 2 * player))


def chosen(begin: int, behind: int, table: Values, exploration: float, key: np.uint64) -> int:
    """One of the edges of the highest value, each equally likely; or, with the probability of exploration, any."""
    draw = derive(key, ACTION_KEY)
    if uniform(derive(key, EXPLORE_KEY)) < exploration:
        return begin + below(draw, behind - begin)
    best, ties = table.values[entry_of(begin, table)], 0
    for edge in range(begin, behind):
        value = table.values[entry_of(edge, table)]
        if value > best:
            best, ties = value, 1
        elif value == best:
            ties += 1
    nth = below(draw, ties)
    for edge in range(begin, behind):
        if table.values[entry_of(edge, table)] == best:
            if nth == 0:
                return edge
            nth -= 1
    return begin


def drawn(begin: int, behind: int, odds: Rewards, key: np.uint64) -> int:
    """An edge, as likely as it is to the opponent."""
    draw = uniform(derive(key, ACTION_KEY))
    for edge in range(begin, behind - 1):
        if draw < odds[edge]:
            return edge
    return behind - 1


def move_towards(target: float, entry: int, table: Values, numbers: Rewards, tally: Rewards) -> None:
    """Moves the value of an entry towards a target, the less the oftener it was moved."""
    table.visits[entry] += 1
    rate = max(numbers[RATE_LEAST], numbers[RATE] * float(number(table.visits[entry])) ** -numbers[RATE_DECAY])
    change = rate * (target - table.values[entry])
    table.values[entry] += change
    tally[CHANGES] += abs(change)
    tally[LEARNT] += 1.0


def best_of(place: int, table: Values) -> float:
    """The highest value of a position's edges."""
    best = float(table.values[entry_of(table.begins[place], table)])
    for edge in range(table.begins[place] + 1, table.begins[place + 1]):
        best = max(best, float(table.values[entry_of(edge, table)]))
    return best


def moves_of(learner: int, played: Played) -> int:
    """How many moves of a game are a learner's."""
    count = 0
    for ply in range(played.plies):
        count += played.trail.movers[ply] == learner
    return count
