"""`ludus cache --warm`: compiles all kernels that games need, in several processes at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from typing import NamedTuple

from ..agents import make_policy, policies_for
from ..arena.grading.answers import keys_of
from ..arena.grading.seat import LOSS_KERNELS
from ..core.native import SERVING, ObjectFile, Target, host, object_file_of
from ..core.native import cache as files
from ..core.threads import thread_count
from ..core.workers.pool import WorkerPool
from ..envs import make_game
from ..envs.check.facts import KERNELS
from ..games.kernels import keys, queries
from ..games.linking import LinkedKernel, link_of, linked
from ..games.registry import GAMES
from ..oracles import make_oracle
from ..oracles.searched import SOLVING_KERNELS
from ..oracles.statespace.chain import CHAIN_KERNELS
from ..search.mcts.guided import GuidedSearch

ENVIRONMENTS = (*KERNELS, queries.first_illegal, keys.derive, keys.derive_keys)
"""The kernels that environments, vector environments and `ludus check` need for any game."""
GRADES = (*SOLVING_KERNELS, *CHAIN_KERNELS, *LOSS_KERNELS, keys_of)
"""The kernels that grades, and so the page of a tournament, need for any game."""


class GameKernel(NamedTuple):
    """A kernel to compile, and the spec of a game that needs it."""

    spec: str
    linked: LinkedKernel

    @property
    def name(self) -> str:
        """Its name in messages."""
        return f"the kernel {self.linked.kernel.__name__} of {self.spec}"

    @property
    def object_file(self) -> ObjectFile:
        """Its object file, for whatever machine."""
        return object_file_of(self.linked.kernel, link_of(type(make_game(self.spec)), self.linked.pairs))

    def size(self) -> int:
        """The size of the code it calls, a rough measure of the time to compile it."""
        functions = link_of(type(make_game(self.spec)), self.linked.pairs).reach(self.linked.kernel)  # pyright: ignore[reportArgumentType]
        return sum(len(function.__code__.co_code) for function in functions)

    def compile(self, target: Target) -> None:
        """Compiles it for a target, if the cache lacks that.

        Raises:
            ValueError: it uses something that kernels cannot use.
        """
        try:
            self.object_file.compile(target)
        except TypeError as error:
            first = str(error).partition("\n")[0]
            raise ValueError(f"{self.name} cannot be compiled: {first} `ludus check {self.spec}` shows more") from error


def specs_of(spec_or_name: str) -> list[str]:
    """The specs that a name or spec stands for: a game's name for all its variants, a spec for itself.

    Raises:
        ValueError: there is no such game.
    """
    game = make_game(spec_or_name)
    return [*type(game).variants] if GAMES.has(spec_or_name.strip()) else [spec_or_name]


def kernels_for(spec: str) -> tuple[LinkedKernel, ...]:
    """The kernels that the environments, grades, policies and the oracle of a game need."""
    game = make_game(spec)
    kernels = [*game.own_kernels, *linked(*ENVIRONMENTS, *GRADES), *make_oracle(game).kernels, *GuidedSearch(game).kernels]
    for name in policies_for(game):
        with suppress(ValueError):  # a policy that cannot be made without settings
            kernels += make_policy(name, game).kernels
    return tuple(kernels)


def needed_kernels(specs: Sequence[str]) -> list[GameKernel]:
    """The kernels that games need, each once."""
    kernels = dict[object, GameKernel]()
    for spec in specs:
        for needed in kernels_for(spec):
            kernels.setdefault((type(make_game(spec)), needed.kernel, needed.pairs), GameKernel(spec, needed))
    return [*kernels.values()]


def warm(kernels: Sequence[GameKernel], progress: Callable[[int, int], object]) -> int:
    """Compiles the kernels that are not in the cache, large ones first, in one process per thread.

    Args:
        kernels: the kernels.
        progress: called with the number of kernels that are ready, and the number of all.

    Returns:
        The number of kernels compiled.

    Raises:
        ValueError: a kernel cannot be compiled, for example one of a game from outside this package.
        OSError: a kernel cannot be written to the cache, or processes died of it.
    """
    missing = [kernel for kernel in kernels if not kernel.object_file.is_kept()]
    for done, kernel in enumerate(compile_each(missing, host()), len(kernels) - len(missing) + 1):
        if not kernel.object_file.is_kept():
            raise OSError(f"{kernel.name} was compiled, but could not be written; make room in {files.folder()}")
        progress(done, len(kernels))
    return len(missing)


def compile_each(kernels: Sequence[GameKernel], target: Target) -> Iterator[GameKernel]:
    """Compiles kernels for a target, large ones first, and what threads share; yields each kernel when it is in the cache."""
    SERVING.compile(target)
    calls = [(kernel, target) for kernel in sorted(kernels, key=GameKernel.size, reverse=True)]
    if os.name != "posix":  # worker processes need POSIX
        for kernel, _ in calls:
            kernel.compile(target)
            yield kernel
        return
    with closing(WorkerPool(min(thread_count(), len(calls)) or 1)) as pool:
        for (kernel, _), _ in pool.run(GameKernel.compile, calls, name=lambda call: call[0].name):
            yield kernel
