"""Many boards at once: begin games, take actions, tell how they went, show what there is to see.

One row per board in each array:

    states (N, W)    the rules' value        choices (N, K)   its legal actions as bits; all bits once it is over
    plies (N,)       actions so far          players (N,)     who moves
    lasts (N,)       the last action, or -1
    phases (N,)      PLAYING; OVER: ended and not yet told; TOLD: ended and told
    endings (N,)     why it ended            results (N,)     player 0's result
    seats (N,)       whose view and reward a board is told from
    seeds, keys (N,) the board's key and this game's; games (N,) counts a board's games

A step passes over the boards several times: `advance`, `tell`, then, where the next game is to begin at once,
`show_finals` and `begin`, and `show`. After `advance` and `begin` an opponent may answer (envs/boards.py).
"""

from __future__ import annotations

import numpy as np

from ..native import in_ranges
from ..rules import ONGOING, State, legal, load, observe, outcome, play, player, store
from .arrays import BothRewards, Flags, Keys, Masks, Numbers, PlanesOfBoards, Rewards, States, Words
from .bits import count, has, number, select, spread, u64
from .keys import SAMPLE_STREAM, SEAT_STREAM, below, derive
from .queries import choose, write_mask

PLAYING, OVER, TOLD = 0, 1, 2
RULES, LIMIT, ILLEGAL = 1, 2, 3
SELF_PLAY, RANDOM_SEAT = 2, 3  # else the learner's seat: 0 or 1


def settle(state: State, plies: int, max_plies: int) -> tuple[int, int]:
    """How a state stands after so many plies: (ending, player 0's result); ending 0 means that play goes on."""
    result = outcome(state)
    if result != ONGOING:
        return RULES, result
    if max_plies != 0 and plies >= max_plies:
        return LIMIT, 0
    return 0, 0


@in_ranges
def begin(lo: np.uint64, hi: np.uint64, which: Flags, starts: States, seat: int, seeds: Keys, games: Numbers, keys: Keys,
          states: States, choices: States, plies: Numbers, lasts: Numbers, players: Flags, phases: Flags,
          seats: Flags) -> None:  # fmt: skip
    """Begins a game on the boards that `which` marks, from `starts`: one state for all, or one each."""
    for i in range(lo, hi):
        if which[i] != 0:
            games[i] += 1
            keys[i] = derive(seeds[i], games[i])
            state = load(starts[i % u64(starts.shape[0])])
            store(states[i], state)
            for word in range(choices.shape[1]):
                choices[i, word] = legal(state, word)
            plies[i] = 0
            lasts[i] = -1
            phases[i] = PLAYING
            players[i] = player(state)
            if seat == SELF_PLAY:
                seats[i] = players[i]
            elif seat == RANDOM_SEAT:
                seats[i] = below(derive(keys[i] ^ SEAT_STREAM, 0), 2)
            else:
                seats[i] = seat


@in_ranges
def advance(lo: np.uint64, hi: np.uint64, which: Numbers, actions: Numbers, max_plies: int, seat: int, states: States,
            choices: States, plies: Numbers, lasts: Numbers, players: Flags, phases: Flags, endings: Flags, results: Flags,
            seats: Flags) -> None:  # fmt: skip
    """Takes action j on board `which[j]`, for j from lo to hi, where a game is being played; -1 leaves a board alone."""
    for j in range(lo, hi):
        i = u64(which[j])  # unsigned: no row is counted from the end
        action = actions[j]
        if phases[i] != PLAYING or action < 0:
            continue
        if seat == SELF_PLAY:
            seats[i] = players[i]
        if has(choices[i, action >> 6], action & 63):
            state = play(load(states[i]), action)
            store(states[i], state)
            plies[i] += 1
            lasts[i] = action
            players[i] = player(state)
            ending, result = settle(state, plies[i], max_plies)
            # without a branch on whether it ended, which no processor could guess
            every = ~u64(0) if ending != 0 else u64(0)
            for word in range(choices.shape[1]):
                choices[i, word] = legal(state, word) | every
        else:
            ending, result = ILLEGAL, 2 * players[i] - 1
            for word in range(choices.shape[1]):
                choices[i, word] = ~u64(0)
        phases[i] = OVER if ending != 0 else PLAYING
        endings[i] = ending
        results[i] = result


@in_ranges
def tell(lo: np.uint64, hi: np.uint64, phases: Flags, endings: Flags, results: Flags, seats: Flags, renewed: Flags,
         rewards: Rewards, both: BothRewards, terminated: Flags, truncated: Flags, illegal: Flags,
         ended: Flags) -> None:  # fmt: skip
    """Writes what the boards' last step brought; what ended becomes TOLD, so that it is told once.

    A board that this step renewed has nothing to tell yet, even if its new game is over already.
    """
    for i in range(lo, hi):
        over = phases[i] == OVER and renewed[i] == 0
        result = np.float64(results[i]) if over else 0.0
        both[i, 0] = result
        both[i, 1] = 0.0 - result
        rewards[i] = both[i, seats[i]]
        terminated[i] = over and endings[i] != LIMIT
        truncated[i] = over and endings[i] == LIMIT
        illegal[i] = over and endings[i] == ILLEGAL
        ended[i] = over
        if over:
            phases[i] = TOLD


@in_ranges
def show(lo: np.uint64, hi: np.uint64, seat: int, states: States, choices: States, players: Flags, seats: Flags,
         planes: PlanesOfBoards, masks: Masks) -> None:  # fmt: skip
    """Writes what each board's seat sees, and its mask; the mask of a finished game is all ones."""
    for i in range(lo, hi):
        if seat == SELF_PLAY:
            seats[i] = players[i]
        observe(load(states[i]), number(seats[i]), planes[i])
    if choices.shape[1] == 1:  # the usual case, in a form that LLVM makes fast
        for i in range(lo, hi):
            spread(choices[i, 0], masks[i])
    else:
        for i in range(lo, hi):
            write_mask(choices[i], masks[i])


@in_ranges
def show_finals(lo: np.uint64, hi: np.uint64, which: Flags, seat: int, states: States, players: Flags, seats: Flags,
                planes: PlanesOfBoards, masks: Masks) -> None:  # fmt: skip
    """As `show`, for the boards that `which` marks, whose games are over; zeros elsewhere."""
    planes[lo:hi] = 0
    masks[lo:hi] = 0
    for i in range(lo, hi):
        if which[i] != 0:
            observe(load(states[i]), number(players[i] if seat == SELF_PLAY else seats[i]), planes[i])
            masks[i] = 1


@in_ranges
def sample(lo: np.uint64, hi: np.uint64, round_: int, seeds: Keys, choices: States, action_count: int, actions: Numbers) -> None:
    """One legal action a board, each equally likely; on a finished board one of all."""
    if choices.shape[1] == 1:  # the usual case, in a form that LLVM makes fast
        every = ~u64(0) >> u64(64 - action_count)
        for i in range(lo, hi):
            bits = choices[i, 0] & every
            actions[i] = select(bits, below(derive(seeds[i] ^ SAMPLE_STREAM, round_), count(bits)))
    elif choices.shape[1] == 2:
        every = ~u64(0) >> u64(128 - action_count)
        for i in range(lo, hi):
            low, high = choices[i, 0], choices[i, 1] & every
            inside = count(low)
            nth = below(derive(seeds[i] ^ SAMPLE_STREAM, round_), inside + count(high))
            in_low = nth < inside
            place = select(low if in_low else high, nth if in_low else nth - inside)
            actions[i] = place if in_low else place + 64
    else:
        for i in range(lo, hi):
            actions[i] = min(choose(choices[i], derive(seeds[i] ^ SAMPLE_STREAM, round_)), action_count - 1)


def turn(words: Words, choices: Words, action: int, plies: int, max_plies: int, planes: PlanesOfBoards, masks: Masks) -> int:
    """One action on one board, seen from both seats, for the AEC environment.

    Returns:
        player to move + 2 · ending + 8 · (player 0's result + 1)
    """
    state = load(words)
    mover = player(state)
    if action >= 0:
        if not has(choices[action >> 6], action & 63):
            masks[mover] = 0
            return mover + 2 * ILLEGAL + 8 * (2 * mover)
        state = play(state, action)
        store(words, state)
    mover = player(state)
    observe(state, 0, planes[0])
    observe(state, 1, planes[1])
    masks[1 - mover] = 0
    ending, result = settle(state, plies + 1, max_plies)
    if ending != 0:
        masks[mover] = 0
    else:
        for word in range(choices.shape[0]):
            choices[word] = legal(state, word)
        write_mask(choices, masks[mover])
    return mover + 2 * ending + 8 * (result + 1)
