"""A game's rules, found in its module, and kernels linked with them."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, NamedTuple, Protocol

from ..native import Compiled, Function, Link, compile_kernel
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
    """The functions of the contract as a game's module has them; of those that it need not define, ours where it does not.

    Raises:
        TypeError: one is missing.
    """
    module = sys.modules[cls.__module__]
    if missing := [name for name in cls.functions if not callable(getattr(module, name, None))]:
        raise TypeError(f"the rules of {cls.name} ({module.__name__}) lack {', '.join(missing)}; see ludus.games.kernels.rules")
    return {name: getattr(module, name) for name in rules.CONTRACT} | {
        name: getattr(module, name, default) for name, default in rules.OPTIONAL.items()
    }


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
