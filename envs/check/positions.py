"""Facts about the rules at one position: what any function of the contract says there agrees with the others.

Each check is a function over a `Position`; the first line of its docstring is the fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...games.game import Game, StateArray
from ...games.kernels.rules import ONGOING
from .finding import Wrong, facts_of, in_hexadecimal
from .readings import UNWRITTEN, Reading

TRIED = 6
"""How many of the legal actions, and of the symmetries, are tried at a position."""


@dataclass(frozen=True)
class Position:
    """A state that random play reached, and the reading of the rules that answers questions about it.

    Args:
        rules: as plain Python, or compiled.
        state: the state (W,).
        seed: the source of what is picked at random there.
    """

    rules: Reading
    state: StateArray
    seed: int = 0

    @property
    def game(self) -> Game:
        return self.rules.game

    @cached_property
    def player(self) -> int:
        return self.rules.player(self.state)

    @cached_property
    def outcome(self) -> int:
        return self.rules.outcome(self.state)

    @cached_property
    def legal(self) -> list[int]:
        """The legal actions; none in a finished game."""
        return self.rules.legal(self.state) if self.outcome == ONGOING else []

    @cached_property
    def some_actions(self) -> list[int]:
        """A few of the legal actions, those that do not exist left out."""
        there = [action for action in self.legal if action < self.game.num_actions]
        return some(there, self.seed)

    @cached_property
    def some_symmetries(self) -> list[int]:
        """A few of the symmetries but the first."""
        return some(range(1, len(self.game.symmetries.cells)), self.seed)

    def after(self, action: int) -> Position:
        """The position after an action."""
        return Position(self.rules, self.rules.play(self.state, action), self.seed)

    def under(self, which: int) -> Position:
        """The position under a symmetry."""
        cells, actions = (table[which] for table in self.game.symmetries)
        return Position(self.rules, self.rules.permute(self.state, cells, actions), self.seed)

    def neighbours(self) -> Iterator[StateArray]:
        """The states that differ from this one in a single bit."""
        for bit in range(64 * self.game.num_words):
            state = self.state.copy()
            state[bit >> 6] ^= np.uint64(1 << (bit & 63))
            yield state


Check = Callable[[Position], Iterator[Wrong]]


def some(numbers: Any, seed: int) -> list[int]:
    """A few of the numbers, in rising order."""
    if len(numbers) <= TRIED:
        return list(numbers)
    return sorted(np.random.default_rng(seed).choice(numbers, TRIED, replace=False).tolist())


# ---- what it is, who moves, what may be done, how it ends


def a_state_that_comes_up_is_one(at: Position) -> Iterator[Wrong]:
    """`is_state`, where a game has it, holds for every state that comes up."""
    if not at.rules.is_state(at.state):
        yield Wrong("is_state", "it says that this is no state of the game")


def player_is_0_or_1(at: Position) -> Iterator[Wrong]:
    """The player to move is 0 or 1."""
    if at.player not in (0, 1):
        yield Wrong("player", f"it is {at.player}")


def outcome_is_ongoing_or_a_result(at: Position) -> Iterator[Wrong]:
    """The outcome is ONGOING (2), or player 0's result: 1, 0 or -1."""
    if at.outcome not in (ONGOING, 1, 0, -1):
        yield Wrong("outcome", f"it is {at.outcome}")


def an_unfinished_game_has_a_legal_action(at: Position) -> Iterator[Wrong]:
    """An unfinished game has a legal action."""
    if at.outcome == ONGOING and not at.legal:
        yield Wrong("outcome", "the outcome is ONGOING, and no bit of legal is set: the game is over, or legal misses an action")


def legal_actions_exist(at: Position) -> Iterator[Wrong]:
    """Every legal action is one of the game's actions."""
    if beyond := [action for action in at.legal if action >= at.game.num_actions]:
        yield Wrong("legal", f"it sets the bits of {beyond}; actions go from 0 to {at.game.num_actions - 1}")


def play_changes_the_state(at: Position) -> Iterator[Wrong]:
    """A legal action leads to another state."""
    for action in at.some_actions:
        if np.array_equal(at.after(action).state, at.state):
            yield Wrong("play", "the state after the action is the state before it: legal allows it, or play does nothing", action)


# ---- what is seen


def observe_writes_every_cell(at: Position) -> Iterator[Wrong]:
    """`observe` writes every cell of every plane."""
    for seat in (0, 1):
        if missing := np.argwhere(at.rules.observe(at.state, seat) == UNWRITTEN).tolist():
            plane, row, column = missing[0]
            name = at.game.planes[plane]
            yield Wrong("observe", f"for seat {seat} it leaves row {row}, column {column} of plane {plane} ({name}) as it was")


def planes_are_zeros_and_ones(at: Position) -> Iterator[Wrong]:
    """Planes hold 0 and 1 alone."""
    for seat in (0, 1):
        planes = at.rules.observe(at.state, seat)
        if other := np.argwhere((planes != 0) & (planes != 1) & (planes != UNWRITTEN)).tolist():
            plane, row, column = other[0]
            value, name = planes[plane, row, column], at.game.planes[plane]
            yield Wrong("observe", f"for seat {seat} plane {plane} ({name}) holds {value} in row {row}, column {column}")


def planes_are_never_all_zero(at: Position) -> Iterator[Wrong]:
    """An observation is never all zero."""
    for seat in (0, 1):
        if not at.rules.observe(at.state, seat).any():
            yield Wrong("observe", f"every plane is 0 for seat {seat}; a constant plane of ones prevents that")


# ---- symmetries


def the_first_symmetry_gives_the_state_back(at: Position) -> Iterator[Wrong]:
    """The first symmetry gives the same state."""
    if not np.array_equal(at.under(0).state, at.state):
        yield Wrong("permute", f"under symmetry 0, which changes nothing, it gives {in_hexadecimal(at.under(0).state)}")


def a_symmetry_can_be_undone(at: Position) -> Iterator[Wrong]:
    """A symmetry and its inverse give the same state."""
    for which in at.some_symmetries:
        inverse = (np.argsort(table[which]).astype(np.int16) for table in at.game.symmetries)
        if not np.array_equal(at.rules.permute(at.under(which).state, *inverse), at.state):
            yield Wrong("permute", f"symmetry {which} and its inverse lose a part of the state")


def a_symmetry_keeps_player_and_outcome(at: Position) -> Iterator[Wrong]:
    """A symmetry keeps the player to move and the outcome."""
    for which in at.some_symmetries:
        turned = at.under(which)
        if (turned.player, turned.outcome) != (at.player, at.outcome):
            yield Wrong(
                "permute",
                f"under symmetry {which} player and outcome are {turned.player} and {turned.outcome}; "
                f"they were {at.player} and {at.outcome}",
            )


def a_symmetry_renames_the_legal_actions(at: Position) -> Iterator[Wrong]:
    """Under a symmetry, the legal actions are those that its row of actions names."""
    if at.outcome != ONGOING:
        return
    for which in at.some_symmetries:
        actions, turned = at.game.symmetries.actions[which], at.under(which)
        expected = sorted(int(actions[action]) for action in at.legal if action < at.game.num_actions)
        if turned.legal != expected:
            saw = f"under symmetry {which} the legal actions are {turned.legal}; its row of actions says {expected}"
            yield Wrong(_at_fault(which, at), saw)


def symmetries_commute_with_play(at: Position) -> Iterator[Wrong]:
    """`permute(play(state, a))` is `play(permute(state), actions[a])`."""
    for which in at.some_symmetries:
        actions, turned = at.game.symmetries.actions[which], at.under(which)
        for action in at.some_actions:
            image = int(actions[action])
            if image not in turned.legal:
                continue  # another check's finding
            if not np.array_equal(turned.after(image).state, at.after(action).under(which).state):
                saw = f"symmetry {which} makes action {action} to {image}, and the states after them are not images of each other"
                yield Wrong(_at_fault(which, at, at.after(action)), saw, action)


def _at_fault(which: int, *positions: Position) -> str:
    """Where planes are carried as the symmetry's cells say, its row of actions is wrong; else `permute` is."""
    return "symmetries" if all(_carries_planes(at, which) for at in positions) else "permute"


def _carries_planes(at: Position, which: int) -> bool:
    cells, planes = at.game.symmetries.cells[which], len(at.game.planes)
    before, after = (at.rules.observe(state, 0).reshape(planes, -1) for state in (at.state, at.under(which).state))
    return np.array_equal(after[:, cells], before)


RULES: tuple[Check, ...] = facts_of(globals())
"""The facts that hold at any position, for either reading of the rules."""
