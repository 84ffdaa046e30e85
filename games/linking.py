"""A game's rules, found in its module, and kernels linked with them."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any, ClassVar, NamedTuple, Protocol

from ..core.native import Compiled, Function, Link, compile_kernel
from .kernels import rules

Plugs = tuple[tuple[Function, Function], ...]


class HasRules(Protocol):
    """A class of games, as far as linking uses it: its module holds the rules."""

    name: ClassVar[str]
    num_words: ClassVar[int]
    functions: ClassVar[tuple[str, ...]]


class LinkedKernel(NamedTuple):
    """A kernel that something needs, as `Game.kernel` takes it.

    Args:
        kernel: a function over the rules' contract.
        plugs: for functions that it only declares, the ones meant.
    """

    kernel: Function
    plugs: Mapping[Function, Function] | None = None

    @property
    def pairs(self) -> Plugs:
        """The plugs as pairs, which hash."""
        return tuple((self.plugs or {}).items())


def linked(*kernels: Function) -> tuple[LinkedKernel, ...]:
    """Kernels that something needs, without plugs."""
    return tuple(map(LinkedKernel, kernels))


def rules_of(cls: type[HasRules]) -> dict[str, Function]:
    """The functions of the contract as a game's module has them, and those of its board as it or that of a game it derives from has
    them; of those that a game need not define, ours where it does not.

    Raises:
        TypeError: one is missing.
    """
    modules = [sys.modules[base.__module__] for base in cls.__mro__]
    found = {name: _function_in(modules[:1] if name in rules.CONTRACT else modules, name) for name in cls.functions}
    if missing := [name for name, function in found.items() if function is None]:
        raise TypeError(f"the rules of {cls.name} ({cls.__module__}) lack {', '.join(missing)}; see ludus.games.kernels.rules")
    optional = {name: _function_in(modules, name) or default for name, default in rules.OPTIONAL.items()}
    return {name: function for name, function in found.items() if function} | optional


def _function_in(modules: Sequence[ModuleType], name: str) -> Function | None:
    """The function of a name in the first module that has one."""
    return next((function for module in modules if callable(function := getattr(module, name, None))), None)


@cache
def kernel_of(cls: type[HasRules], kernel: Function, plugs: Plugs = ()) -> Compiled:
    """A kernel linked with a game's rules, compiled or from the cache.

    Args:
        cls: the game.
        kernel: a function over the rules' contract.
        plugs: what stands for functions that the kernel only declares, such as a search's evaluation: pairs of
            the declared function and the one meant.
    """
    return compile_kernel(kernel, link_of(cls, plugs))


@cache
def link_of(cls: type[HasRules], plugs: Plugs = ()) -> Link:
    """The game's rules, with `load` and `store` for as many words as its states have, and the plugs."""
    meant = {**rules_of(cls), **_transfers(cls.num_words)}
    declared = {**rules.CONTRACT, **rules.OPTIONAL, "load": rules.load, "store": rules.store}
    for plug, function in plugs:
        declared[plug.__name__], meant[plug.__name__] = plug, function
    return Link(cls.name, meant, declared)


@cache
def _transfers(words: int) -> dict[str, Function]:
    """`load` and `store` for states of this many words."""
    each, file, scope = range(words), f"<load and store of {words} words>", dict[str, Any]()
    lines = [f"def load(words): return ({' '.join(f'words[{i}],' for i in each)})\n", "def store(words, state):\n"]
    lines += [f"    words[{i}] = state[{i}]\n" for i in each]
    linecache.cache[file] = (0, None, lines, file)  # where the compiler reads it, as it reads a file's text
    exec(compile("".join(lines), file, "exec"), scope)
    return {name: scope[name] for name in ("load", "store")}
