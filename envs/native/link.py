"""Which functions a kernel reaches, and a fingerprint of all that they say.

A kernel calls the functions of the contract (`player`, `legal`, `play`, …) by their bare names. To
link it with a game is to read those names in the game's own module instead. Everything else that a
function mentions is taken as it stands: other functions are linked along, and constants become part
of the fingerprint.
"""

from __future__ import annotations

import dis
import hashlib
from collections.abc import Callable, Iterator
from enum import EnumMeta as EnumType
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

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

    def mentions(self, function: FunctionType) -> dict[str, Any]:
        """The globals that a function's code names, each with what it means for this game.

        What it reads from a module has the module's name before it, as `helpers.count`.
        """
        found = {name: function.__globals__.get(name) for name in _names(function.__code__)}
        if any(map(_is_looked_into, found.values())):
            found |= dict(_read_from_modules(function))
        return {name: self.resolve(value) for name, value in found.items() if value is not None}

    def calls(self, function: FunctionType) -> list[FunctionType]:
        """The functions that a function's code names, as they are meant for this game."""
        return [value for value in self.mentions(function).values() if isinstance(value, FunctionType)]

    def reach(self, kernel: FunctionType) -> list[FunctionType]:
        """The kernel and every function it calls, directly or through others, in the order found."""
        found: dict[FunctionType, None] = {}
        waiting = [kernel]
        while waiting:
            function = waiting.pop()
            if function not in found:
                found[function] = None
                waiting.extend(self.calls(function))
        return list(found)

    def meaning(self, function: FunctionType) -> tuple[tuple[FunctionType, ...], ...]:
        """Every function that it reaches, each with those it calls: where two games give the same, it is the same for both."""
        return tuple((reached, *self.calls(reached)) for reached in self.reach(function))

    def owner(self, kernel: FunctionType) -> str:
        """Whose kernel it is: the game's, or that of any game where it asks nothing of the rules."""
        return self._owner if self._rules.intersection(self.reach(kernel)) else "any"

    def fingerprint(self, kernel: FunctionType, circumstances: str) -> str:
        """A name for what the linked kernel computes: equal code and constants under equal circumstances."""
        digest = hashlib.blake2b(circumstances.encode(), digest_size=16)
        for function in self.reach(kernel):
            for part in _says(function.__code__):
                digest.update(part)
            digest.update(repr((_constant(function.__defaults__, []), sorted(function.__dict__.items()))).encode())
            names = sorted(set(_names(function.__code__)))
            for name, value in sorted(self.mentions(function).items()):
                digest.update(f"{name}={_constant(value, names)}".encode())
            for cell in function.__closure__ or ():
                digest.update(_constant(cell.cell_contents, names).encode())
        return digest.hexdigest()


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_looked_into(value: Any) -> bool:
    """Whether something is a module whose functions are linked; those of numpy and math, the compiler knows by itself."""
    return isinstance(value, ModuleType) and value.__name__.partition(".")[0] not in ("numpy", "math")


def _read_from_modules(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function's code reads from modules, by dotted name."""
    for first, *attributes in _chains(function.__code__):
        name, value = first, function.__globals__.get(first)
        for attribute in attributes:
            if not _is_looked_into(value) or not hasattr(value, attribute):
                break
            name, value = f"{name}.{attribute}", getattr(value, attribute)
        if name != first:
            yield name, value


def _chains(code: CodeType) -> Iterator[list[str]]:
    """Each global name in code with the attributes that are read from it in a row, as ["helpers", "count"]."""
    chain = list[str]()
    for instruction in dis.get_instructions(code):
        if chain and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            chain.append(instruction.argval)
            continue
        if chain:
            yield chain
        chain = [instruction.argval] if instruction.opname == "LOAD_GLOBAL" else []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _chains(constant)


def _says(code: CodeType) -> Iterator[bytes]:
    """Instructions, constants and names of a function, without its line numbers."""
    yield code.co_code
    yield repr((code.co_names, code.co_varnames, code.co_argcount)).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _says(constant)
        else:
            yield repr(constant).encode()


def _constant(value: Any, names: list[str]) -> str:
    """What a value says; of a module or an enumeration, what those of its attributes say that code names."""
    if isinstance(value, FunctionType):
        return value.__name__
    if isinstance(value, (ModuleType, EnumType)):
        return f"{value.__name__}({[(n, _constant(getattr(value, n), names)) for n in names if hasattr(value, n)]})"
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.blake2b(value.tobytes()).hexdigest()}"
    if isinstance(value, tuple):
        return f"{type(value).__name__}({[_constant(part, names) for part in value]})"
    if isinstance(value, type):
        return f"{value!r}{getattr(value, '_fields', '')}"
    if callable(value):  # of numpy or Python: its name, for what it prints names a place in memory
        return f"{getattr(value, '__module__', None)}.{getattr(value, '__name__', type(value).__name__)}"
    return f"{type(value).__name__}:{value!r}"
