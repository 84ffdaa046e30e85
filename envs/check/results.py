"""What `ludus.check_game` gives: each fact that does not hold, with the function and line at fault, and what was done."""

from __future__ import annotations

import inspect
import os
import re
import sys
import traceback
from dataclasses import asdict, dataclass
from textwrap import indent
from typing import Any

from ...core.native import KernelError
from ...games.game import Game
from ...games.kernels.rules import CONTRACT, OPTIONAL


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
        perft: leaves at depth 1, 2 and so on.
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


class Source:
    """Where the parts of a game stand in its file.

    Args:
        cls: the game's class.
    """

    def __init__(self, cls: type[Game]) -> None:
        self._cls = cls
        self._module = sys.modules[cls.__module__]
        self._file = getattr(self._module, "__file__", None) or cls.__module__

    def place(self, name: str) -> str:
        """File and line of a function of the game's module, or of an attribute of its class; else of the class."""
        in_module = name in (*CONTRACT, *OPTIONAL)
        function: Any = vars(self._module).get(name) if in_module else inspect.getattr_static(self._cls, name, None)
        for wrapped in ("fget", "func", "__wrapped__"):  # of a property, a cached property, a decorated function
            function = getattr(function, wrapped, function)
        code = getattr(function, "__code__", None)
        if code is not None and code.co_filename == self._file:
            return _at_line(self._file, code.co_firstlineno)
        return _at_line(self._file, self._line_in_class(name) or self._line_in_class(self._cls.__name__) or 1)

    def _line_in_class(self, name: str) -> int | None:
        """The line that begins the class, or that gives an attribute in its body."""
        try:
            lines, start = inspect.getsourcelines(self._cls)
        except (OSError, TypeError):
            return None
        begins = re.compile(rf"\s*(class {name}\b|{name}\s*[:=])")
        return next((number for number, line in enumerate(lines, start) if begins.match(line)), None)

    def blame(self, error: Exception) -> tuple[str, str]:
        """The innermost function of the game's file that an error came through, and the line there."""
        if isinstance(error, KernelError):
            return error.function.__name__, _at_line(error.file, error.line)
        for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
            if frame.f_code.co_filename == self._file:
                return frame.f_code.co_name, _at_line(self._file, line)
        return self._cls.__name__, self.place(self._cls.__name__)


def _at_line(file: str, line: int) -> str:
    """`kalah.py:41`, the path from the working folder where the file lies below it."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # on another drive
        near = file
    return f"{file if near.startswith(os.pardir) else near}:{line}"
