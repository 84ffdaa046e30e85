"""Which functions a kernel reaches, and a fingerprint of their code and constants.

A kernel calls the functions of the contract (`player`, `legal`, `play`, …) by their bare names. To
link it with a game is to read those names in the game's own module instead. Everything else that a
function mentions is taken as it stands: other functions are linked along, and constants become part
of the fingerprint.
"""

from __future__ import annotations

import builtins
import hashlib
from collections.abc import Callable, Iterator, Mapping
from enum import EnumMeta
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from .source import text_of
from .types import RefusedError

Function = Callable[..., Any]


class Link:
    """The functions of one game, read through the names of the contract.

    Args:
        owner: the game's name, under which its kernels are kept.
        rules: the functions the game defines, by their names in the contract.
        declared: the contract's declarations, which stand for the game's functions.
    """

    def __init__(self, owner: str, rules: dict[str, Function], declared: dict[str, Function]) -> None:
        self._owner = owner
        self._rules = set(rules.values())
        self._meaning = {id(declared[name]): rules[name] for name in declared if name in rules}

    def resolve(self, value: Any) -> Any:
        """What a value found under some global name means for this game."""
        return self._meaning.get(id(value), value)

    def look_up(self, function: FunctionType, name: str) -> Any:
        """What a name that is not a variable means in a function of this game; RefusedError where nothing has that name."""
        for scope in (_closure_variables(function), function.__globals__, vars(builtins)):
            if name in scope:
                return self.resolve(scope[name])
        raise RefusedError(f"nothing is called `{name}` here")

    def mentions(self, function: FunctionType) -> dict[str, Any]:
        """What a function's code may name outside of itself, each with what it means for this game.

        What it may read from a module has the module's name before it, as `helpers.count`.
        """
        names = frozenset((*function.__code__.co_names, *function.__code__.co_freevars))
        scope = _closure_variables(function) | function.__globals__
        return {name: self.resolve(value) for name, value in _find_names(scope, names)}

    def reach(self, kernel: FunctionType) -> list[FunctionType]:
        """The kernel and every function it calls, directly or through others, in the order found."""
        reached: dict[FunctionType, None] = {}
        waiting = [kernel]
        while waiting:
            function = waiting.pop()
            if function not in reached:
                reached[function] = None
                waiting.extend(value for value in self.mentions(function).values() if isinstance(value, FunctionType))
        return list(reached)

    def owner(self, kernel: FunctionType) -> str:
        """The game that a kernel is kept for; "any" where it calls none of the rules."""
        return self._owner if self._rules.intersection(self.reach(kernel)) else "any"

    def fingerprint(self, kernel: FunctionType, environment: str) -> str:
        """A name for what the linked kernel computes: the same for equal code and constants in an equal environment."""
        digest = hashlib.blake2b(environment.encode(), digest_size=16)
        for function in self.reach(kernel):
            marks = sorted(function.__dict__.items())
            said = [f"{name}={_constant(value)}" for name, value in sorted(self.mentions(function).items())]
            digest.update(repr((text_of(function), _constant(function.__defaults__), marks, said)).encode())
        return digest.hexdigest()


def _closure_variables(function: FunctionType) -> dict[str, Any]:
    """The variables of the functions around a function, which are constants to a kernel."""
    return dict(zip(function.__code__.co_freevars, (cell.cell_contents for cell in function.__closure__ or ()), strict=True))


def _find_names(scope: Mapping[str, Any], names: frozenset[str], before: str = "") -> Iterator[tuple[str, Any]]:
    """Those of the names that a scope has, and what is found in the modules and enumerations among them."""
    for name in sorted(names & scope.keys()):
        value = scope[name]
        yield before + name, value
        if isinstance(value, EnumMeta) or (isinstance(value, ModuleType) and not _is_library(value)):
            yield from _find_names(vars(value), names - {name}, f"{before}{name}.")


def _is_library(module: ModuleType) -> bool:
    """Whether the compiler knows a module's functions by itself."""
    return module.__name__.partition(".")[0] in ("numpy", "math")


def _constant(value: Any) -> str:
    """A constant as text, the same in every process."""
    if isinstance(value, FunctionType):
        return value.__name__
    if isinstance(value, ModuleType):
        return f"module {value.__name__}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.blake2b(value.tobytes()).hexdigest()}"
    if isinstance(value, tuple):
        return f"{type(value).__name__}({[_constant(part) for part in value]})"
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__}{getattr(value, '_fields', '')}"
    if callable(value):  # of numpy or Python: its name, for what it prints names a place in memory
        return f"{getattr(value, '__module__', None)}.{getattr(value, '__name__', type(value).__name__)}"
    return f"{type(value).__name__}:{value!r}"
