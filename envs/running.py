"""The games on many boards as arrays, and what happens on one of them: a game begins, an action is taken, the end is reported."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from ..core.native import apart
from ..games.kernels.arrays import BothRewards, Flags, Keys, Moves, Numbers, PlanesOfBoards, Rewards, States, Words
from ..games.kernels.bits import ONE, has, number, u64
from ..games.kernels.keys import OPENING_STREAM, SEAT_STREAM, below, derive
from ..games.kernels.queries import choose, write_legal
from ..games.kernels.rules import ONGOING, State, load, observe, outcome, play, player, store

PLAYING, OVER, REPORTED = 0, 1, 2
RULES, LIMIT, ILLEGAL = 1, 2, 3
SELF_PLAY, RANDOM_SEAT = 2, 3  # else the learner's seat: 0 or 1
FROM_LIST = -1
"""Stands for the number of random plies where games begin with openings of a list."""
Row: TypeAlias = int | np.uint64
"""The number of a board."""


class Running(NamedTuple):
    """The games on N boards, one row per board."""

    seeds: Keys
    """The board's key (N,)."""
    keys: Keys
    """This game's key (N,)."""
    states: States
    """The rules' value (N, W)."""
    choices: States
    """Its legal actions as bits (N, K); all bits once the game is over."""
    games: Numbers
    """How many games the board has begun (N,)."""
    plies: Numbers
    """Actions so far (N,)."""
    lasts: Numbers
    """The last action, or -1 (N,)."""
    players: Flags
    """Who moves (N,)."""
    phases: Flags
    """PLAYING; OVER: ended, but no step has reported it yet; REPORTED: ended, and a step has reported it (N,)."""
    endings: Flags
    """Why the game ended (N,); it means nothing before."""
    results: Flags
    """Player 0's result (N,); it means nothing before the end."""
    seats: Flags
    """Whose view and reward the board gives (N,)."""
    starts: States
    """Where the game began (N, W); no rows where no lines are kept."""
    moves: Moves
    """The actions since then (N, L), an opening's included; no columns where no lines are kept."""


class News(NamedTuple):
    """The rewards and ends of a step; zeros where no game ended."""

    rewards: Rewards
    """The seat's reward (N,)."""
    terminated: Flags
    truncated: Flags
    ended: Flags
    """Either of the two (N,)."""


class Seen(NamedTuple):
    """What there is to see on each board, and what its `info` says."""

    planes: PlanesOfBoards
    """What the seat sees (N, C, H·W)."""
    masks: Flags
    """The masks, board after board (N·A,)."""
    copies: Flags
    """The masks once more, for `info` (N·A,)."""
    who: Flags
    """The seat (N,)."""
    both: BothRewards
    """Both players' rewards (N, 2)."""
    illegal: Flags
    """Whether an illegal action ended the game (N,)."""


class OpeningChoice(NamedTuple):
    """What games begin with."""

    plies: int
    """How many random plies; FROM_LIST for one of the openings in the list."""
    starts: States
    """The states that the openings of the list start from (S, W)."""
    lines: Moves
    """Their moves from there (S, L), -1 after the last."""


def settle(state: State, plies: int, max_plies: int) -> tuple[int, int]:
    """How a state stands after `plies` plies: (ending, player 0's result); ending 0 means that the game is not over."""
    result = outcome(state)
    if result != ONGOING:
        return RULES, result
    if max_plies != 0 and plies >= max_plies:
        return LIMIT, 0
    return 0, 0


def begin_game(on: Running, i: Row, state: State, opening: OpeningChoice, seat: int) -> None:
    """Begins a game on board i, with an opening where there is to be one."""
    on.games[i] += 1
    on.keys[i] = derive(on.seeds[i], on.games[i])
    store(on.states[i], state)
    write_legal(state, on.choices[i])
    on.plies[i] = 0
    on.lasts[i] = -1
    on.phases[i] = PLAYING
    on.players[i] = player(state)
    if opening.plies != 0:
        play_opening(on, int(i), opening)
    if seat == SELF_PLAY:
        on.seats[i] = on.players[i]
    elif seat == RANDOM_SEAT:
        on.seats[i] = below(derive(on.keys[i] ^ SEAT_STREAM, 0), 2)
    else:
        on.seats[i] = seat


@apart  # written out, it would slow down the steps of all games, most of which have no opening
def play_opening(on: Running, i: int, opening: OpeningChoice) -> int:
    """Plays an opening on board i, random plies or one of the list, and returns how many plies."""
    row, plies = 0, opening.plies
    if plies == FROM_LIST:
        row, plies = draw_row(on.keys[i], opening.lines.shape[0]), opening.lines.shape[1]
        store(on.states[i], load(opening.starts[row]))
    state = load(on.states[i])
    keep_ply(on, i)
    for ply in range(plies):
        if opening.plies == FROM_LIST:
            action = int(opening.lines[row, ply])
        else:
            action = opening_action(state, on.choices[i], on.keys[i], ply)
        if action < 0:
            break
        state = play(state, action)
        on.plies[i] += 1
        on.lasts[i] = action
        keep_ply(on, i)
    store(on.states[i], state)
    write_legal(state, on.choices[i])
    on.players[i] = player(state)
    return on.plies[i]


def draw_row(key: np.uint64, rows: int) -> int:
    """Which opening of a list a game has, by its key."""
    return below(derive(key ^ OPENING_STREAM, 0), rows)


def opening_action(state: State, choices: Words, key: np.uint64, ply: int) -> int:
    """A random action for a ply of an opening; -1 where it would end the game, as an opening stops before that."""
    write_legal(state, choices)
    action = choose(choices, derive(key ^ OPENING_STREAM, ply))
    return action if outcome(play(state, action)) == ONGOING else -1


def take(on: Running, i: Row, action: int, max_plies: int) -> bool:
    """Takes an action on board i, if a game is being played there; -1 leaves it alone. Returns whether it ended the game."""
    if on.phases[i] != PLAYING or action < 0:
        return False
    if not has(on.choices[i, action >> 6], action & 63):
        end(on, i, ILLEGAL, 2 * on.players[i] - 1)
        return True
    state = play(load(on.states[i]), action)
    store(on.states[i], state)
    on.plies[i] += 1
    on.lasts[i] = action
    on.players[i] = player(state)
    ending, result = settle(state, on.plies[i], max_plies)
    if ending != 0:
        end(on, i, ending, result)
        return True
    write_legal(state, on.choices[i])
    return False


def keep_ply(on: Running, i: Row) -> None:
    """Where lines are kept, keeps the last action on board i, or where the game began, if there was none. Twice does no harm."""
    if on.starts.shape[0] != 0:
        if on.plies[i] == 0:
            store(on.starts[i], load(on.states[i]))
        elif on.plies[i] <= on.moves.shape[1]:
            on.moves[i, on.plies[i] - 1] = on.lasts[i]


def end(on: Running, i: Row, ending: int, result: int) -> None:
    """Ends the game on board i."""
    on.phases[i] = OVER
    on.endings[i] = ending
    on.results[i] = result
    on.choices[i, 0] = ~u64(0)
    for word in range(1, on.choices.shape[1]):
        on.choices[i, word] = ~u64(0)


def report(on: Running, i: Row, news: News, seen: Seen) -> None:
    """Reports how the game on board i ended, once."""
    on.phases[i] = REPORTED
    write_rewards(on.results[i], seen.both[i])
    seen.illegal[i] = on.endings[i] == ILLEGAL
    news.rewards[i] = seen.both[i, on.seats[i]]
    news.terminated[i] = on.endings[i] != LIMIT
    news.truncated[i] = on.endings[i] == LIMIT
    news.ended[i] = 1


def write_rewards(result: int, both: Rewards) -> None:
    """Both players' rewards, from player 0's result."""
    both[0] = result
    both[1] = 0.0 - result


def show_final(on: Running, i: Row, width: np.uint64, final: Seen) -> None:
    """Shows the game that ended on board i."""
    observe(load(on.states[i]), number(final.who[i]), final.planes[i])
    for cell in range(i * width, (i + ONE) * width):
        final.masks[cell] = 1
        final.copies[cell] = 1
    write_rewards(on.results[i], final.both[i])
    final.illegal[i] = on.endings[i] == ILLEGAL
