"""`BoardGame`: a game whose file declares its board as data, from which text, drawings, places to click and words follow."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import ClassVar

import numpy as np

from .drawing.clicks import Box, Place
from .drawing.grid import grid
from .drawing.layout import Content, Layout
from .game import Game, StateArray
from .kernels import boards
from .linking import LinkedKernel, linked


class BoardGame(Game):
    """A game that declares its board as data.

    Subclasses give `layout`, and their module defines `contents`, `trace`, `arrange` and, where a line wins, `winning`
    (games/kernels/rules.py), beside the functions that every game has.
    """

    functions: ClassVar[tuple[str, ...]] = (*Game.functions, "contents", "trace", "arrange")

    label_words: ClassVar[str] = ""
    """In a disguise with other labels: how the explanation describes them; empty for the game's own words."""
    signs: ClassVar[str] = ""
    """How positions write what belongs to player 0 and to player 1, where a disguise can put others in their place; else empty."""

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names that moves are made of, such as those of all cells, where a disguise can put others in their place.

        The layout, the moves and the explanation follow them. () where they can not.
        """
        return ()

    @cached_property
    @abstractmethod
    def layout(self) -> Layout:
        """The board: what can stand where, how that is drawn, written and named."""

    @property
    def own_kernels(self) -> tuple[LinkedKernel, ...]:
        return *super().own_kernels, *linked(boards.look, boards.set_up, *[boards.foresee] * self.layout.needs_trace)

    def text(self, state: StateArray) -> str:
        return self.layout.write(self._look(state)[0], self.player(state) if self.layout.notation.movers else 0)

    def parse(self, text: str) -> StateArray:
        symbols, mover = self.layout.read(text)
        return self._set_up(symbols, mover, text)

    def status(self, state: StateArray) -> str:
        return self._status(state, self._look(state)[0])

    def winning_cells(self, state: StateArray) -> tuple[int, ...]:
        return tuple(cell for cell, won in enumerate(self._look(state)[2]) if won)

    def svg(self, state: StateArray, action: int | None = None) -> str:
        symbols, marks, won = self._look(state, action)
        return self.layout.draw(symbols, marks, won, self._status(state, symbols))

    def picture(self, state: StateArray, action: int | None = None) -> str:
        symbols, marks, _ = self._look(state, action)
        written = [self.layout.symbols[symbol] for symbol in symbols[: self.num_cells]]
        marked = [site for site, mark in enumerate(marks) if mark]
        below = ["", *self._notes(symbols), self._status(state, symbols) + self.layout.words.key]
        return self._draw_cells([symbol.letters or symbol.char for symbol in written], marked, below)

    def _draw_cells(self, symbols: list[str], marked: list[int], below: list[str]) -> str:
        """The cells as characters, with the names that moves use, and lines below."""
        return grid(symbols, self.board[1], marked, below)

    def _notes(self, symbols: list[int]) -> list[str]:
        """Lines between a picture's cells and its status."""
        return []

    def clicks(self, state: StateArray, action: int) -> tuple[Box, ...]:
        return tuple(self.layout.sites[site].box for site in self.layout.path(action, self._aim(state, action)))

    def places(self, state: StateArray, action: int) -> tuple[Place, ...]:
        return self.layout.places(self._look(state)[0], action, self.move_name(action), self._aim(state, action))

    def contents(self, state: StateArray) -> tuple[Content, ...]:
        return self.layout.contents(self._look(state)[0])

    def scores(self, state: StateArray) -> tuple[int, ...]:
        symbols = self._look(state)[0]
        return tuple(symbols.count(symbol) for symbol in self.layout.counted)

    @property
    def panels(self) -> tuple[Box, ...]:
        return self.layout.panels

    def _look(self, state: StateArray, action: int | None = None) -> list[list[int]]:
        """For each site its symbol, the mark of the last action, and whether it won.

        Raises:
            ValueError: the words are no state of this game, or there is no such action.
        """
        if action is not None and not 0 <= action < self.num_actions:
            raise ValueError(f"there is no action {action} in {self.spec}; actions are numbered from 0 to {self.num_actions - 1}")
        sites = np.zeros((3, len(self.layout.sites)), np.int8)
        if self.kernel(boards.look)(self.single(state), self.start, -1 if action is None else action, sites) < 0:
            self.batch(state[None])
        return sites.tolist()

    def _aim(self, state: StateArray, action: int) -> int:
        """The first site of the trace that a legal action will leave, where places depend on it."""
        if not self.layout.needs_trace:
            return 0
        sites = np.zeros(len(self.layout.sites), np.int8)
        self.kernel(boards.foresee)(self.batch(self.single(state)[None])[0], action, sites)
        return int(sites.argmax())

    def _set_up(self, symbols: list[int], mover: int, text: str) -> StateArray:
        """The state of a position.

        Raises:
            ValueError: there is no such position; the message says why.
        """
        result, fault = np.zeros(self.num_words, np.uint64), np.zeros(2, np.int64)
        self.kernel(boards.set_up)(np.array(symbols, np.int8), mover, self.start, result, fault)
        if fault[0]:
            raise ValueError(self.layout.describe_fault(text, symbols, mover, *fault.tolist()))
        return result

    def _reread(self, state: StateArray) -> StateArray:
        return self._set_up(self._look(state)[0], self.player(state), "")

    def _status(self, state: StateArray, symbols: list[int]) -> str:
        return self.layout.status(symbols, self.outcome(state), self.player(state), self.player_names)
