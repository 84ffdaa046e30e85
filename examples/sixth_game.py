"""A sixth game in one file: Connect Four. Everything that works for the other five games works for it, too.

Discs fall to the lowest free cell of a column of a board of 6 rows and 7 columns; four in a row, column or diagonal win.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import gymnasium as gym
import numpy as np
import pettingzoo

import ludus
from ludus.arena import evaluate
from ludus.rules import (
    FIRST,
    INK,
    ONE,
    ONGOING,
    Box,
    Game,
    Pen,
    Permutation,
    Planes,
    State,
    Symmetries,
    bit,
    count,
    has,
    number,
    register_game,
    u64,
)

# Words 0 and 1 are the discs of players 0 and 1. A row takes eight bits, of which the highest stays free, so that
# lines do not run over the edge: the cell in row r (0 on top), column c is bit 8·r + c.
TOP, ROWS, COLUMNS = u64(0x7F), 6, 7


def player(state: State) -> int:
    return count(state[0]) - count(state[1])


def legal(state: State, word: int) -> np.uint64:
    return ~(state[0] | state[1]) & TOP


def play(state: State, action: int) -> State:
    cell = 8 * (ROWS - 1) + action
    while has(state[0] | state[1], cell):
        cell -= 8
    if player(state) == 0:
        return state[0] | bit(cell), state[1]
    return state[0], state[1] | bit(cell)


def outcome(state: State) -> int:
    if has_four(state[0]):
        return 1
    if has_four(state[1]):
        return -1
    return 0 if (state[0] | state[1]) & TOP == TOP else ONGOING


def has_four(discs: np.uint64) -> bool:
    found = u64(0)
    for step in (1, 7, 8, 9):
        pairs = discs & (discs >> u64(step))
        found |= pairs & (pairs >> u64(2 * step))
    return found != u64(0)


def observe(state: State, seat: int, planes: Planes) -> None:
    for cell in range(ROWS * COLUMNS):
        place = u64(8 * (cell // COLUMNS) + cell % COLUMNS)
        planes[seat, cell] = (state[0] >> place) & ONE
        planes[1 - seat, cell] = (state[1] >> place) & ONE
    planes[2] = 1


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    first, second = u64(0), u64(0)
    for cell in range(ROWS * COLUMNS):
        place = 8 * (cell // COLUMNS) + cell % COLUMNS
        to = number(cells[cell])
        if has(state[0], place):
            first |= bit(8 * (to // COLUMNS) + to % COLUMNS)
        if has(state[1], place):
            second |= bit(8 * (to // COLUMNS) + to % COLUMNS)
    return first, second


@register_game
@dataclass(frozen=True)
class ConnectFour(Game):
    """Connect Four on 6 rows and 7 columns."""

    name: ClassVar[str] = "connectfour"
    title: ClassVar[str] = "Connect Four"
    player_names: ClassVar[tuple[str, str]] = ("X", "O")
    num_words: ClassVar[int] = 2
    planes: ClassVar[tuple[str, ...]] = ("own discs", "the opponent's discs", "ones")
    planes_by_owner: ClassVar[bool] = True
    variants: ClassVar[tuple[str, ...]] = ("connectfour",)

    @property
    def board(self) -> tuple[int, int]:
        return ROWS, COLUMNS

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return tuple("abcdefg")

    @property
    def start_words(self) -> tuple[int, ...]:
        return 0, 0

    @cached_property
    def symmetries(self) -> Symmetries:
        cells = np.arange(ROWS * COLUMNS, dtype=np.int16).reshape(ROWS, COLUMNS)
        columns = np.arange(COLUMNS, dtype=np.int16)
        return Symmetries(np.array([cells.ravel(), cells[:, ::-1].ravel()]), np.array([columns, columns[::-1]]))

    def _cells(self, state: np.ndarray) -> str:
        first, second = map(int, state)
        places = [8 * row + column for row in range(ROWS) for column in range(COLUMNS)]
        return "".join("X" if first >> p & 1 else "O" if second >> p & 1 else "-" for p in places)

    def text(self, state: np.ndarray) -> str:
        return f"{self._cells(state)} {'XO'[self.player(state)]}"

    def parse(self, text: str) -> np.ndarray:
        cells, _, mover = text.partition(" ")
        floating = any(disc != "-" and below == "-" for disc, below in zip(cells, cells[COLUMNS:], strict=False))
        moved = {"X": 0, "O": 1}.get(mover) == cells.count("X") - cells.count("O")
        if len(cells) != ROWS * COLUMNS or set(cells) - set("XO-") or floating or not moved:
            raise ValueError(f"{text!r} is not a position of Connect Four: 42 cells of X, O or -, a space, who moves")
        packed = [sum(1 << 8 * (i // COLUMNS) + i % COLUMNS for i, c in enumerate(cells) if c == mark) for mark in "XO"]
        return np.array(packed, np.uint64)

    def picture(self, state: np.ndarray, action: int | None = None) -> str:
        cells = self._cells(state)
        rows = [" ".join(cells[COLUMNS * row : COLUMNS * (row + 1)]) for row in range(ROWS)]
        return "\n".join(["a b c d e f g", *rows, "", self.status(state)])

    def clicks(self, state: np.ndarray, action: int) -> tuple[Box, ...]:
        return (Box(10 + action * 60, 10, 60, 360),)

    def svg(self, state: np.ndarray, action: int | None = None) -> str:
        pen = Pen(7 * 60 + 20, 6 * 60 + 60)
        pen.rectangle(10, 10, 420, 360, "#2f5d8a", round=12)
        for i, cell in enumerate(self._cells(state)):
            pen.circle(40 + i % 7 * 60, 40 + i // 7 * 60, 24, {"X": FIRST, "O": "#e8b93a", "-": "#f6f2ea"}[cell])
        pen.text(10, 400, self.status(state), 15, INK, "start")
        return pen.finish()


if __name__ == "__main__":
    game = ludus.make_game("connectfour")
    print("perft 1 to 6:", [game.perft(depth) for depth in range(1, 7)])

    random = ludus.make_policy("random", game)
    result = evaluate(random, game, random, games=10_000)
    print(f"random against random: {result.wins} wins, {result.draws} draws, {result.losses} losses")

    env = pettingzoo.make("aec", "ludus/connectfour-v0")
    env.reset(seed=0)
    for _ in env.agent_iter():
        env.step(None if any(env.last()[2:4]) else random(env))

    envs = gym.make_vec("ludus/ConnectFour-v0", num_envs=1024, opponent="random")
    observation, info = envs.reset(seed=0)
    print("planes of 1024 boards:", observation["observation"].shape)
    print(game.picture(game.parse("-" * 35 + "XXXOO-- O")))
