"""`Game`: one game with its variant fixed, as everything above the rules knows it.

A game's module defines the rules (games/kernels/rules.py) as functions and one frozen dataclass, a subclass of
`Game`, whose fields are the variant's settings. From these two, everything else follows: the
environments, the drawing on the screen, policies, perft, the command line.
"""

from __future__ import annotations

import operator
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core import specs
from ..core.native import Compiled, Function
from ..core.numbers import short_repr, whole
from .batches import one_each, whole_state, whole_states
from .drawing.clicks import Box, Place
from .drawing.layout import Content
from .drawing.svg import MARGIN, Pen
from .evaluation import PLAIN, Evaluation
from .kernels import queries
from .kernels.arrays import Permutations
from .kernels.rules import CONTRACT, ONGOING
from .known import NOTHING, Known
from .linking import LinkedKernel, kernel_of, linked

MOST_DEPTH = 1000
"""Plies that `perft` looks ahead at most."""

CHARACTER, LINE = 11, 22
"""In pixels of a drawing made of characters: the width of one, and the height of a line."""

StateArray = NDArray[np.uint64]
"""A state as Python holds it: the rules' words, shape (W,), uint64."""


class Symmetries(NamedTuple):
    """The symmetries of a game, one a row, the first of them the one that changes nothing.

    Row s says that under symmetry s, what is on cell c comes to `cells[s, c]`, and action a becomes `actions[s, a]`.
    """

    cells: Permutations
    actions: Permutations


@dataclass(frozen=True)
class Game(specs.BySettings, ABC):
    """A two-player game with its variant fixed.

    Subclasses are frozen dataclasses. Each field is a setting, and its annotation declares its bounds, as
    `Annotated[int, OneOf(4, 6, 8)]`. Games compare equal, hash, pickle and copy by their settings.
    """

    name: ClassVar[str]
    """The name in specs and ids: lower case, one word."""
    title: ClassVar[str]
    """The name as people write it."""
    version: ClassVar[int] = 0
    """The version in ids; it rises when results could change."""
    num_words: ClassVar[int]
    """How many 64-bit words a state takes."""
    functions: ClassVar[tuple[str, ...]] = tuple(CONTRACT)
    """The functions of the contract that the game's module must define."""
    player_names: ClassVar[tuple[str, str]] = ("player 0", "player 1")
    """What people call player 0 and player 1."""
    planes: ClassVar[tuple[str, ...]]
    """What each plane of an observation shows."""
    planes_by_owner: ClassVar[bool] = False
    """Whether the cells of plane 0 belong to the observing seat, and those of plane 1 to its opponent."""
    counts_moves: ClassVar[bool] = False
    """Whether plane 0 starts empty, is never empty after a move of the observing seat, and gains at most one cell by each."""
    variants: ClassVar[tuple[str, ...]]
    """Specs of the variants that tests, lists and demonstrations go through, the default one first."""
    wordings: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Other ways to write a move: regular expressions that match it whole, in lower case, and its name (`re.Match.expand`)."""
    evaluation: ClassVar[Evaluation] = PLAIN
    """What an unfinished position seems worth, for searches that stop before the end; by default nothing."""
    known: ClassVar[Known] = NOTHING
    """What is known of the game besides its rules: how far exact play reaches, and settings of trainers that suit it."""

    # ---- what a game says of its variant

    @property
    @abstractmethod
    def board(self) -> tuple[int, int]:
        """Height and width of an observation's planes."""

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The name of each action."""
        raise NotImplementedError

    @property
    @abstractmethod
    def start_words(self) -> tuple[int, ...]:
        """The words of the state that games start from."""

    @property
    def explanation(self) -> str:
        """The rules of this variant and how its moves read, in a paragraph for players who see the game for the first time."""
        return ""

    @cached_property
    def symmetries(self) -> Symmetries:
        """Ways to turn, mirror or rename a position that leave the game the same."""
        raise NotImplementedError

    @property
    def max_plies(self) -> int:
        """After how many plies the environments call a game drawn (truncated); 0 where the rules end every game."""
        return 0

    @abstractmethod
    def text(self, state: StateArray) -> str:
        """The position as text, in the game's notation."""

    @abstractmethod
    def parse(self, text: str) -> StateArray:
        """The state of a position in the game's notation.

        Raises:
            ValueError: the text is not a position of this variant; the message says why.
        """

    @abstractmethod
    def picture(self, state: StateArray, action: int | None = None) -> str:
        """The position as text to look at, with coordinates; the last action is marked where it is given."""

    def svg(self, state: StateArray, action: int | None = None) -> str:
        """The position as an SVG drawing, the last action marked where it is given; by default the characters of `picture`."""
        lines = self.picture(state, action).splitlines()
        pen = Pen(CHARACTER * max(map(len, lines)) + 2 * MARGIN, LINE * len(lines) + 2 * MARGIN)
        for row, line in enumerate(lines):
            for column, symbol in enumerate(line):
                if symbol != " ":
                    pen.text(MARGIN + CHARACTER * (column + 0.5), MARGIN + LINE * (row + 0.75), symbol, 15)
        return pen.finish()

    def winning_cells(self, state: StateArray) -> tuple[int, ...]:
        """The cells of the lines that won a finished game, in rising order; () where there is none."""
        return ()

    def clicks(self, state: StateArray, action: int) -> tuple[Box, ...]:
        """Where one clicks on the drawing, one place after the other, to take an action; () where the drawing has no place for it.

        Of two actions neither has the other's places as the first of its own.
        """
        return ()

    def places(self, state: StateArray, action: int) -> tuple[Place, ...]:
        """The boxes of `clicks`, each with a name and whether it is empty; by default each is named as the move."""
        return tuple(Place(box, self.move_name(action)) for box in self.clicks(state, action))

    def contents(self, state: StateArray) -> tuple[Content, ...]:
        """What stands on each site of the board, for people who do not see it; by default nothing is said."""
        return ()

    def scores(self, state: StateArray) -> tuple[int, ...]:
        """What the players have, where the greater number wins, such as discs; () where nothing is counted."""
        return ()

    @property
    def panels(self) -> tuple[Box, ...]:
        """The parts of a wide drawing, from left to right, that a narrow page puts below one another; () to keep it whole."""
        return ()

    # ---- what follows for every game

    @property
    def spec(self) -> str:
        """The game and its variant as users name it, as `othello:size=6`."""
        return specs.join(self.name, specs.changed_settings(self))

    @property
    def file_stem(self) -> str:
        """The spec in names of files, as `othello-size-6`."""
        return re.sub("[^a-z0-9]+", "-", self.spec)

    def __str__(self) -> str:
        return self.spec

    def _repr_svg_(self) -> str:
        """The start in a notebook."""
        return self.svg(self.start)

    @property
    def num_actions(self) -> int:
        """How many actions there are, A."""
        return len(self.moves)

    @property
    def action_words(self) -> int:
        """How many 64-bit words a set of actions takes, K."""
        return (self.num_actions + 63) // 64

    @property
    def shape(self) -> tuple[int, int, int]:
        """Shape of an observation: planes, height, width."""
        return (len(self.planes), *self.board)

    @property
    def num_cells(self) -> int:
        """How many cells the board has: height · width of an observation."""
        return self.board[0] * self.board[1]

    @cached_property
    def start(self) -> StateArray:
        """The state that games start from (read-only; copy it to change it)."""
        state = np.array(self.start_words, np.uint64)
        state.flags.writeable = False
        return state

    def kernel(self, kernel: Function, plugs: Mapping[Function, Function] | None = None) -> Compiled:
        """A kernel linked with this game's rules, compiled or from the cache.

        Args:
            kernel: a function over the rules' contract.
            plugs: for functions that the kernel only declares, such as a search's evaluation, the ones meant.
        """
        return kernel_of(type(self), kernel, tuple(plugs.items()) if plugs else ())

    def prepare(self, kernels: Iterable[LinkedKernel]) -> None:
        """Loads or compiles kernels, so that nothing is compiled later while a clock runs.

        Each process starts at a different kernel, so that processes which need the same ones do not wait for each other at each.
        """
        wanted = [*kernels]
        first = os.getpid() % max(1, len(wanted))
        for kernel, plugs in [*wanted[first:], *wanted[:first], *self.own_kernels]:
            self.kernel(kernel, plugs)

    @property
    def own_kernels(self) -> tuple[LinkedKernel, ...]:
        """The kernels that the game itself needs whatever it is used for."""
        return linked(queries.first_foreign)

    # ---- one state

    def player(self, state: StateArray) -> int:
        """The player to move, 0 or 1."""
        return int(self.players(self.single(state)[None])[0])

    def outcome(self, state: StateArray, plies: int = 0) -> tuple[int, int] | None:
        """The players' results (1, 0, -1) in a finished game, which is drawn after `max_plies` plies; None in an unfinished one."""
        result = int(self.outcomes(self.single(state)[None])[0])
        if result == ONGOING:
            return (0, 0) if 0 < self.max_plies <= plies else None
        return result, -result

    def status(self, state: StateArray) -> str:
        """How a state stands, in words: who moves, or how the game ended."""
        result = self.outcome(state)
        if result is None:
            return f"{self.player_names[self.player(state)]} to move"
        return "a draw" if result[0] == 0 else f"{self.player_names[result.index(1)]} wins"

    def legal_actions(self, state: StateArray) -> list[int]:
        """The legal actions in rising order; none in a finished game."""
        return np.flatnonzero(self.masks(self.single(state)[None])[0]).tolist()

    def legal_moves(self, state: StateArray) -> list[str]:
        """The names of the legal moves, in the order in which they are listed: that of their actions."""
        return [self.move_name(action) for action in self.legal_actions(state)]

    def play(self, state: StateArray, action: int) -> StateArray:
        """The state after a legal action.

        Raises:
            ValueError: the action is not legal there.
        """
        if action not in self.legal_actions(state):
            raise ValueError(f"{self.move_name(action)} is not legal in {self.text(state)!r} of {self.spec}")
        return self.plays(state[None], np.array([action]))[0]

    def play_line(self, actions: Iterable[int], start: StateArray | None = None) -> StateArray:
        """The states of a line of play, from its first state to its last (N + 1, W).

        Args:
            actions: the actions between them (N,).
            start: the first state; None for the start of the game.

        Raises:
            ValueError: an action is not legal.
        """
        states = [self.start if start is None else start]
        for action in actions:
            states.append(self.play(states[-1], action))
        return np.stack(states)

    def move_name(self, action: int) -> str:
        """The action's name, or its number if there is no such action."""
        return self.moves[action] if 0 <= action < self.num_actions else f"action {action}"

    def action(self, move: str, state: StateArray | None = None) -> int:
        """The action of a move's name; of one that is not legal, too.

        Args:
            move: the name.
            state: the position where it is to be played, for games in which a name may say more than the action.

        Raises:
            ValueError: there is no such move in this game, or what its name says does not hold in the position.
        """
        try:
            return self.actions_by_name[" ".join(move.lower().split())]
        except KeyError:
            some = dict.fromkeys([self.moves[0], self.moves[self.num_actions // 2], self.moves[-1]])
            raise ValueError(f"{self.title} has no move {short_repr(move)}; moves read {', '.join(some)}") from None

    @cached_property
    def actions_by_name(self) -> dict[str, int]:
        """The action of each name that is read: those of moves, and others that a game knows them by."""
        return {move: action for action, move in enumerate(self.moves)}

    def position(self, position: str | Iterable[Any]) -> StateArray:
        """A state from a position's text, or from a state's words after a check that they are one.

        Raises:
            ValueError: it is not a position of this variant.
        """
        if isinstance(position, str):
            return self.parse(position)
        try:
            state = np.array([operator.index(word) for word in position], np.uint64)
        except (TypeError, OverflowError):
            state = np.zeros(0, np.uint64)
        if state.shape != (self.num_words,):
            raise ValueError(f"a state of {self.spec} is {self.num_words} whole numbers (uint64), not {short_repr(position)}")
        try:
            same = self._reread(state)
        except (ValueError, IndexError):
            same = None
        if same is None or not np.array_equal(same, state):
            raise ValueError(f"{[hex(int(word)) for word in state]} is not a state of {self.spec}")
        return state

    def _reread(self, state: StateArray) -> StateArray:
        """The state that is read from the text of a state: the same one, if it is a valid state."""
        return self.parse(self.text(state))

    # ---- many states, shape (B, W)

    def batch(self, states: StateArray) -> StateArray:
        """States as kernels take them (B, W), uint64, in one piece.

        Raises:
            ValueError: they have another shape or type, or a row is no state of this game; the methods below raise it, too.
        """
        states = self._whole(states)
        if (row := self.kernel(queries.first_foreign)(states, self.start)) >= 0:
            words = ", ".join(hex(int(word)) for word in states[row])
            raise ValueError(f"states[{row}] ({words}) is not a state of {self}; is it one of another game or variant?")
        return states

    def single(self, state: StateArray) -> StateArray:
        """One state as kernels take it (W,), uint64, in one piece.

        Raises:
            ValueError: it has another shape or type; what asks about one state raises it, too.
        """
        return whole_state(state, self.num_words, self)

    def players(self, states: StateArray) -> NDArray[np.int8]:
        """Who moves in each state (B,)."""
        states = self._whole(states)
        result = np.empty(len(states), np.int8)
        self._check_row(self.kernel(queries.players)(states, self.start, result), states)
        return result

    def outcomes(self, states: StateArray) -> NDArray[np.int8]:
        """Player 0's result in each state (B,): 1, 0, -1, or ONGOING (2)."""
        states = self._whole(states)
        result = np.empty(len(states), np.int8)
        self._check_row(self.kernel(queries.outcomes)(states, self.start, result), states)
        return result

    def masks(self, states: StateArray) -> NDArray[np.int8]:
        """The legal actions of each state as masks (B, A); zeros where the game is over."""
        states = self._whole(states)
        result = np.empty((len(states), self.num_actions), np.int8)
        choices = np.empty((len(states), self.action_words), np.uint64)
        self._check_row(self.kernel(queries.masks)(states, self.start, choices, result), states)
        return result

    def plays(self, states: StateArray, actions: ArrayLike) -> StateArray:
        """Each state after its action (B,), 0 to A - 1: (B, W).

        The actions must be legal; this is not checked, as `play` does, and an illegal one may give words that are no state.
        """
        states = self._whole(states)
        numbers = one_each(actions, np.int64, "action", len(states))
        result = np.empty((len(states), self.num_words), np.uint64)
        row = self.kernel(queries.plays)(states, self.start, numbers, self.num_actions, result)
        self._check_row(row, states, "action", numbers, self.num_actions)
        return result

    def observations(self, states: StateArray, seats: ArrayLike) -> NDArray[np.int8]:
        """Each state as its seat (B,), 0 or 1, sees it: planes (B, C, H, W) of zeros and ones."""
        states = self._whole(states)
        numbers = one_each(seats, np.int8, "seat", len(states))
        depth, height, width = self.shape
        result = np.empty((len(states), depth, height * width), np.int8)
        row = self.kernel(queries.observations)(states, self.start, numbers, result)
        self._check_row(row, states, "seat", numbers, 2)
        return result.reshape(len(states), depth, height, width)

    def count_empty(self, states: StateArray) -> NDArray[np.int64]:
        """How many cells are empty in each state (B,).

        Raises:
            ValueError: in this game cells are not empty or filled.
        """
        if not self.planes_by_owner:
            raise ValueError(f"{self.title} has no empty cells to count; choose its positions by their ply")
        owned = self.observations(states, np.zeros(np.shape(states)[:1]))[:, :2]
        return self.num_cells - owned.sum(axis=(1, 2, 3), dtype=np.int64)

    def permuted(self, states: StateArray, which: ArrayLike) -> StateArray:
        """Each state under the symmetry that `which` (B,) names: a row of `symmetries`."""
        states = self._whole(states)
        numbers = one_each(which, np.int64, "symmetry", len(states))
        result = np.empty((len(states), self.num_words), np.uint64)
        row = self.kernel(queries.permuted_states)(states, self.start, numbers, *self.symmetries, result)
        self._check_row(row, states, "symmetry", numbers, len(self.symmetries.cells))
        return result

    def _whole(self, states: StateArray) -> StateArray:
        return whole_states(states, self.num_words, self)

    def _check_row(self, row: int, states: StateArray, what: str = "", numbers: ArrayLike = (), count: int = 0) -> None:
        """Says what is wrong in the row at which a kernel has stopped.

        Args:
            row: the row; -1 where all were right.
            states: the states (B, W).
            what: what goes with each state, where something does.
            numbers: that, one a state (B,).
            count: each of them is to be from 0 to count - 1.

        Raises:
            ValueError: the state of that row is not a state of this game, or what goes with it does not exist.
        """
        if row >= 0:
            self.batch(states[: row + 1])
            number = np.asarray(numbers)[row]
            raise ValueError(f"the {what} of row {row} is {number}; in {self} it is a whole number from 0 to {count - 1}")

    def perft(self, depth: int, state: StateArray | None = None) -> int:
        """The leaves of the game tree at a depth below a state (the start); a finished game counts one leaf. See `perft_counts`."""
        return self.perft_counts(depth, state)[0]

    def perft_counts(self, depth: int, state: StateArray | None = None) -> tuple[int, int]:
        """The leaves of the game tree at a depth below a state (the start), and how many are lines of exactly this many plies.

        A game that ended before the depth is a leaf and no such line. Most published numbers are of lines.

        Raises:
            ValueError: the depth is negative, or more than MOST_DEPTH; the state is not a state of this game.
        """
        depth = whole(depth, "depth", 0, MOST_DEPTH)
        states = self.batch((self.start if state is None else self.single(state))[None])
        ended = np.zeros(1, np.int64)
        leaves: int = self.kernel(queries.perft)(states[0], depth, self.action_words, ended)
        return leaves, leaves - int(ended[0])
