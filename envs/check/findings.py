"""What the facts of `ludus.check_game` are about, and what is found: a fact that does not hold, and the function and line at fault.

A fact is stated once, as a generator function that yields what is wrong, a `Wrong`; the first line of its docstring is the fact. It
is about a game, or about a `Position` in one of two readings of the rules: run as plain Python, and compiled. As plain Python, an
index out of range is an error with a line instead of a write beyond an array, and a loop that never ends is stopped. So that
is how rules are asked first.
"""

from __future__ import annotations

import ast
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from textwrap import indent
from types import FrameType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game, StateArray
from ...games.kernels import queries
from ...games.kernels.rules import CONTRACT, ONGOING, OPTIONAL
from ...games.linking import rules_of


class Wrong(NamedTuple):
    """What a check yields where its fact does not hold.

    Args:
        function: the function of the game's module, or the attribute of its class, that is most likely at fault.
        saw: what was seen instead, a sentence.
        action: the action that led to it, if one did.
        place: file and line, where they are known better than by the function's name.
    """

    function: str
    saw: str
    action: int | None = None
    place: str | None = None


@dataclass(frozen=True)
class Finding:
    """One fact that does not hold for a game.

    Args:
        fact: the fact, a sentence.
        function: the function or attribute of the game that is most likely at fault.
        place: its file and line, `kalah.py:41`.
        saw: what was seen instead.
        game: the variant, as a spec.
        position: the position as text (the state's words where the text itself fails); None where no position is involved.
        move: the name of the action; None where no action is involved.
    """

    fact: str
    function: str
    place: str
    saw: str
    game: str
    position: str | None = None
    move: str | None = None

    def __str__(self) -> str:
        seen = [self.game]
        if self.position is not None:
            seen.append(f"position {self.position!r}")
        if self.move is not None:
            seen.append(f"move {self.move!r}")
        return f"{self.place}: {self.function}: {self.fact}\n{indent(self.saw, '    ')}\n    in {', '.join(seen)}"


@dataclass(frozen=True)
class Checked:
    """What was done for one variant.

    Args:
        game: the variant, as a spec.
        facts: how many facts were checked.
        positions: at how many positions.
        perft: leaves at depth 1, 2 and so on, as compiled and as counted slowly.
        results: of the compiled games at random, how many player 0 won, drew and lost, and how many had no end.
        longest: the plies of the longest of these games.
        stopped: the stage whose findings ended the check; later stages were not run. Empty where all ran.
    """

    game: str
    facts: int = 0
    positions: int = 0
    perft: tuple[int, ...] = ()
    results: tuple[int, int, int, int] = (0, 0, 0, 0)
    longest: int = 0
    stopped: str = ""

    def __str__(self) -> str:
        if self.stopped:
            return f"{self.game}: {self.facts} facts checked; stopped after {self.stopped}, since later checks rest on it"
        won, drawn, lost, endless = self.results
        games = f"{won} won, {drawn} drawn and {lost} lost by player 0" + (f", {endless} without an end" if endless else "")
        return (
            f"{self.game}: {self.facts} facts checked at {self.positions} positions; perft {', '.join(map(str, self.perft))}; "
            f"random games: {games}, the longest of {self.longest} plies"
        )


@dataclass(frozen=True)
class CheckResult:
    """What `check_game` found.

    Args:
        findings: every fact that does not hold, once for each function at fault.
        checked: what was done for each variant.
    """

    findings: tuple[Finding, ...]
    checked: tuple[Checked, ...]

    @property
    def ok(self) -> bool:
        """Whether every fact holds."""
        return not self.findings

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, for JSON."""
        return {"ok": self.ok, "findings": list(map(asdict, self.findings)), "checked": list(map(asdict, self.checked))}

    def __str__(self) -> str:
        count = len(self.findings)
        verdict = "no fact is violated" if self.ok else f"{count} {'facts are' if count > 1 else 'fact is'} violated"
        return "\n".join([*map(str, self.findings), *map(str, self.checked), verdict])


class Home:
    """Where the parts of a game stand.

    Args:
        cls: the game's class.
    """

    def __init__(self, cls: type[Game]) -> None:
        self._cls = cls
        self._module = sys.modules[cls.__module__]
        self._file = getattr(self._module, "__file__", None) or cls.__module__

    def place(self, name: str) -> str:
        """File and line of a function of the game's module, or of an attribute of its class; else of the class."""
        function: Any = (
            vars(self._module).get(name) if name in (*CONTRACT, *OPTIONAL) else inspect.getattr_static(self._cls, name, None)
        )
        for wrapped in ("fget", "func", "__wrapped__"):
            function = getattr(function, wrapped, function)
        code = getattr(function, "__code__", None)
        if code is not None and code.co_filename == self._file:
            return at_line(self._file, code.co_firstlineno)
        return at_line(self._file, self._lines.get(name) or self._lines.get(self._cls.__name__, 1))

    @cached_property
    def _lines(self) -> dict[str, int]:
        """The lines of the class and of the attributes assigned in its body."""
        try:
            tree = ast.parse(inspect.getsource(self._module))
        except (OSError, TypeError):
            return {}
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == self._cls.__name__]
        parts = [part for node in classes for part in node.body if isinstance(part, (ast.Assign, ast.AnnAssign))]
        names = (node for part in parts for node in ast.walk(part) if isinstance(node, ast.Name))
        lines = {node.id: node.lineno for node in names if isinstance(node.ctx, ast.Store)}
        return lines | {node.name: node.lineno for node in classes}

    def blame(self, error: BaseException) -> tuple[str, str]:
        """The innermost function of the game's file that an error came through, and the line there."""
        frames = list(traceback.walk_tb(error.__traceback__))
        for frame, line in reversed(frames):
            if frame.f_code.co_filename == self._file:
                return frame.f_code.co_name, at_line(self._file, line)
        return self._cls.__name__, self.place(self._cls.__name__)


def facts_of(module: dict[str, Any], *arguments: str) -> tuple[Callable[..., Iterator[Wrong]], ...]:
    """The facts that a module has stated so far: its public generator functions with these arguments, in their order."""
    facts = [function for name, function in module.items() if inspect.isgeneratorfunction(function) and not name.startswith("_")]
    return tuple(function for function in facts if tuple(inspect.signature(function).parameters) == arguments)


def at_line(file: str, line: int) -> str:
    """`kalah.py:41`, the path from the working folder where the file lies below it."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # on another drive
        near = file
    return f"{file if near.startswith(os.pardir) else near}:{line}"


def position_text(game: Game, state: StateArray) -> str:
    """A position as text, or as the state's words where the text fails."""
    try:
        return game.text(state)
    except Exception:
        return in_hexadecimal(state)


def in_hexadecimal(state: StateArray) -> str:
    """The words of a state."""
    return " ".join(hex(int(word)) for word in state)


UNWRITTEN = 7
"""What planes hold before `observe` writes them."""
MOST_LINES = 200_000
"""Lines of Python after which a call counts as endless; the built-in games need less than 2,000."""
Table: TypeAlias = NDArray[np.int16]
"""A symmetry's cells, or its actions."""


class Endless(Exception):
    """A function of the rules ran for `MOST_LINES` lines."""


class NoState(Exception):
    """A function of the rules gives something else than a state.

    Args:
        function: its name.
    """

    def __init__(self, function: str, message: str) -> None:
        super().__init__(message)
        self.function = function


class AsPython:
    """The rules as the plain Python that they are written in, asked about one state.

    Args:
        game: the game and variant.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._rules = rules_of(type(game))

    def player(self, state: StateArray) -> int:
        """What `player` says."""
        return int(self._call("player", tuple(state)))

    def is_state(self, state: StateArray) -> bool:
        """What `is_state` says."""
        return bool(self._call("is_state", tuple(state), tuple(self.game.start)))

    def outcome(self, state: StateArray) -> int:
        """What `outcome` says."""
        return int(self._call("outcome", tuple(state)))

    def legal(self, state: StateArray) -> list[int]:
        """The actions whose bits `legal` sets, those that do not exist included; for unfinished states."""
        words = [int(self._call("legal", tuple(state), word)) for word in range(self.game.action_words)]
        return [64 * i + place for i, word in enumerate(words) for place in range(64) if word >> place & 1]

    def play(self, state: StateArray, action: int) -> StateArray:
        """The state that `play` gives."""
        return self._state("play", tuple(state), action)

    def observe(self, state: StateArray, seat: int) -> NDArray[np.int8]:
        """The planes (C, H, W) that `observe` writes over `UNWRITTEN`."""
        depth, height, width = self.game.shape
        planes = np.full((depth, height * width), UNWRITTEN, np.int8)
        self._call("observe", tuple(state), seat, planes)
        return planes.reshape(self.game.shape)

    def permute(self, state: StateArray, cells: Table, actions: Table) -> StateArray:
        """The state that `permute` gives."""
        return self._state("permute", tuple(state), cells, actions)

    def _state(self, name: str, *arguments: Any) -> StateArray:
        given = self._call(name, *arguments)
        if not isinstance(given, tuple) or [type(word) for word in given] != [np.uint64] * self.game.num_words:
            kinds = ", ".join(type(word).__name__ for word in given) if isinstance(given, tuple) else type(given).__name__
            raise NoState(name, f"it gives ({kinds}); a state is a tuple of {self.game.num_words} np.uint64")
        return np.array(given, np.uint64)

    def _call(self, name: str, *arguments: Any) -> Any:
        with np.errstate(all="ignore"):  # machine words wrap around without a warning
            return _run_limited(self._rules[name], *arguments)


class AsCompiled:
    """The rules as machine code, asked about one state. The methods are those of `AsPython`.

    Args:
        game: the game and variant.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def player(self, state: StateArray) -> int:
        return self.game.player(state)

    def is_state(self, state: StateArray) -> bool:
        return self.game.kernel(queries.first_foreign)(*self._kernel_arguments(state)) < 0

    def outcome(self, state: StateArray) -> int:
        return int(self.game.outcomes(state[None])[0])

    def legal(self, state: StateArray) -> list[int]:
        return self.game.legal_actions(state)

    def play(self, state: StateArray, action: int) -> StateArray:
        return self.game.plays(state[None], [action])[0]

    def observe(self, state: StateArray, seat: int) -> NDArray[np.int8]:
        return self.game.observations(state[None], [seat])[0]

    def permute(self, state: StateArray, cells: Table, actions: Table) -> StateArray:
        result = np.empty((1, self.game.num_words), np.uint64)
        tables = np.ascontiguousarray(cells[None]), np.ascontiguousarray(actions[None])
        self.game.kernel(queries.permuted_states)(*self._kernel_arguments(state), np.zeros(1, np.int64), *tables, result)
        return result[0]

    def _kernel_arguments(self, state: StateArray) -> tuple[StateArray, StateArray]:
        """A state and the start, as kernels take them."""
        return np.ascontiguousarray(state[None]), self.game.start


Reading: TypeAlias = AsPython | AsCompiled


def _run_limited(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives.

    Raises:
        Endless: it ran for too many lines.
    """
    left = MOST_LINES

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise Endless(f"it was still running after {MOST_LINES:,} lines of Python")
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return function(*arguments)
    finally:
        sys.settrace(before)


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


def some(numbers: Any, seed: int) -> list[int]:
    """A few of the numbers, in rising order."""
    if len(numbers) <= TRIED:
        return list(numbers)
    return sorted(np.random.default_rng(seed).choice(numbers, TRIED, replace=False).tolist())
