"""What a check finds: a fact that does not hold, where that was seen, and the function and line at fault."""

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
from typing import Any, NamedTuple

from ...games.game import Game, StateArray
from ...games.kernels.rules import CONTRACT, OPTIONAL


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


def facts_of(module: dict[str, Any]) -> tuple[Callable[..., Iterator[Wrong]], ...]:
    """The facts that a module states: its public generator functions, in the order in which they stand there."""
    facts = [function for name, function in module.items() if inspect.isgeneratorfunction(function) and not name.startswith("_")]
    return tuple(function for function in facts if function.__module__ == module["__name__"])


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
