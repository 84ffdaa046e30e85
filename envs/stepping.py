"""Many boards at once: begin games, take actions, report rewards and ends, show observations.

`step` is a whole step of self-play, in one pass that threads share. Where an opponent answers, Python lets both act first
(`advance`), and shows the boards (`show`) once the opponent has moved in the new games too (envs/boards.py).

Lines are kept in loops of their own: within the others they would slow down those who keep none.
"""

from __future__ import annotations

import numpy as np

from ..core.native import in_ranges
from ..games.kernels.arrays import Flags, Keys, Masks, Numbers, PlanesOfBoards, States, Words
from ..games.kernels.bits import count, has, number, select, u64
from ..games.kernels.keys import SAMPLE_STREAM, below, derive
from ..games.kernels.queries import choose, write_legal, write_mask
from ..games.kernels.rules import load, observe, play, player, store
from .running import (
    ILLEGAL,
    OVER,
    SELF_PLAY,
    News,
    OpeningChoice,
    Running,
    Seen,
    begin_game,
    keep_ply,
    opening_action,
    report,
    settle,
    show_final,
    take,
)


@in_ranges
def begin(lo: np.uint64, hi: np.uint64, which: Flags, starts: States, opening: OpeningChoice, seat: int, on: Running) -> None:
    """Begins a game on the boards that `which` marks, from `starts`: one state for all, or one each; with an opening."""
    for i in range(lo, hi):
        if which[i] != 0:
            begin_game(on, i, load(starts[i % u64(starts.shape[0])]), opening, seat)
    if on.starts.shape[0] != 0:
        for i in range(lo, hi):
            if which[i] != 0:
                keep_ply(on, i)


@in_ranges
def advance(lo: np.uint64, hi: np.uint64, which: Numbers, actions: Numbers, max_plies: int, on: Running) -> None:
    """Takes action j on board `which[j]`, for j from lo to hi."""
    for j in range(lo, hi):
        take(on, u64(which[j]), actions[j], max_plies)  # unsigned: no row is counted from the end
    if on.starts.shape[0] != 0:
        for j in range(lo, hi):
            keep_ply(on, u64(which[j]))


@in_ranges
def step(
    lo: np.uint64,
    hi: np.uint64,
    actions: Numbers,
    start: States,
    max_plies: int,
    opening: OpeningChoice,
    seat: int,
    on: Running,
    news: News,
    seen: Seen,
    final: Seen,
) -> None:
    """Reports the ends of games and begins new ones; in self-play it takes the actions before, and shows the boards after.

    Nothing is reported of a board whose action is -1. `final` shows the games that ended, zeros where none did; it has no rows
    where no game is to follow at once.
    """
    restart = final.who.shape[0] != 0
    width = u64(seen.masks.shape[0] // seen.who.shape[0])
    clear(lo, hi, news, seen)
    if restart:
        clear_view(lo, hi, width, final)
    for i in range(lo, hi):
        over = take(on, i, actions[i], max_plies) if seat == SELF_PLAY else on.phases[i] == OVER and actions[i] >= 0
        if restart:
            final.who[i] = on.players[i] if seat == SELF_PLAY else on.seats[i]
        if over:
            report(on, i, news, seen)
            if restart:
                show_final(on, i, width, final)
                begin_game(on, i, load(start[0]), opening, seat)
    if on.starts.shape[0] != 0:
        for i in range(lo, hi):
            keep_ply(on, i)
    if seat == SELF_PLAY:
        show(lo, hi, seat, on, seen)


def clear(lo: np.uint64, hi: np.uint64, news: News, seen: Seen) -> None:
    """A step in which no game ends."""
    news.rewards[lo:hi] = 0
    news.terminated[lo:hi] = 0
    news.truncated[lo:hi] = 0
    news.ended[lo:hi] = 0
    seen.both[lo:hi] = 0
    seen.illegal[lo:hi] = 0


def clear_view(lo: np.uint64, hi: np.uint64, width: np.uint64, seen: Seen) -> None:
    """A view of nothing, but for `who`."""
    seen.planes[lo:hi] = 0
    seen.masks[lo * width : hi * width] = 0
    seen.copies[lo * width : hi * width] = 0
    seen.both[lo:hi] = 0
    seen.illegal[lo:hi] = 0


@in_ranges
def show(lo: np.uint64, hi: np.uint64, seat: int, on: Running, seen: Seen) -> None:
    """Writes what each board's seat sees, and its mask, in loops that LLVM makes fast; the mask of a finished game is all ones."""
    if seat == SELF_PLAY:
        for i in range(lo, hi):
            on.seats[i] = on.players[i]
    for i in range(lo, hi):
        seen.who[i] = on.seats[i]
    for i in range(lo, hi):
        observe(load(on.states[i]), number(on.seats[i]), seen.planes[i])
    width = u64(seen.masks.shape[0] // seen.who.shape[0])
    for i in range(lo, hi):
        write_mask(on.choices[i], seen.masks, i * width, width)
    for cell in range(lo * width, hi * width):
        seen.copies[cell] = seen.masks[cell]


@in_ranges
def sample(lo: np.uint64, hi: np.uint64, round_: int, seeds: Keys, choices: States, action_count: int, actions: Numbers) -> None:
    """One legal action a board, each equally likely; on a finished board any action."""
    if choices.shape[1] == 1:  # the usual case, in a form that LLVM makes fast
        every = ~u64(0) >> u64(64 - action_count)
        for i in range(lo, hi):
            bits = choices[i, 0] & every
            actions[i] = select(bits, below(derive(seeds[i] ^ SAMPLE_STREAM, round_), count(bits)))
    else:
        for i in range(lo, hi):
            actions[i] = min(choose(choices[i], derive(seeds[i] ^ SAMPLE_STREAM, round_)), action_count - 1)


def draw_opening(words: Words, choices: Words, key: np.uint64, ply: int) -> int:
    """A random action for a ply of an opening, for the AEC environment; -1 where the opening stops."""
    return opening_action(load(words), choices, key, ply)


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
        write_legal(state, choices)
        write_mask(choices, masks[mover], u64(0), u64(masks.shape[1]))
    return mover + 2 * ending + 8 * (result + 1)
