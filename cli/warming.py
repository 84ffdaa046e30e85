"""Kernels compiled ahead: all that games need, in several processes at once."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import NamedTuple

from ..agents import make_policy, policies_for
from ..agents.oracles import make_oracle
from ..agents.oracles.whole import WHOLE_KERNELS
from ..agents.search.mcts.guided import GuidedSearch
from ..agents.statespace.sweeps import find_ends, leave_traps, push, respond
from ..arena.engines.processes import Died, Helper, TooLate, close_all, wait
from ..arena.grading.asking import keys_of
from ..envs import make_game
from ..envs.check.compiling import KERNELS
from ..envs.games.linking import Linked, link_of, linked
from ..envs.games.registry import GAMES
from ..envs.kernels import keys, queries
from ..envs.native import cache as files
from ..envs.native import is_kept, serve
from ..envs.native.threads import thread_count

ENVIRONMENTS = (*KERNELS, queries.first_illegal, keys.derive_key, keys.derive_keys)
"""What environments, vector views and `ludus check` take of any game."""
GRADES = (*WHOLE_KERNELS, keys_of, find_ends, push, leave_traps, respond)
"""What grades take of any game, and so the page of a tournament."""


class Job(NamedTuple):
    """A kernel to compile: its place among those that a game needs."""

    spec: str
    place: int

    @property
    def linked(self) -> Linked:
        """The kernel."""
        return needed(self.spec)[self.place]

    @property
    def name(self) -> str:
        """What to call it."""
        return f"the kernel {self.linked.kernel.__name__} of {self.spec}"

    def is_done(self) -> bool:
        """Whether the cache has it."""
        return is_kept(self.linked.kernel, link_of(type(make_game(self.spec)), self.linked.pairs))

    def length(self) -> int:
        """How much code it reaches, which says about how long it takes to compile."""
        reached = link_of(type(make_game(self.spec)), self.linked.pairs).reach(self.linked.kernel)  # pyright: ignore[reportArgumentType]
        return sum(len(function.__code__.co_code) for function in reached)

    def work(self) -> None:
        """Compiles it.

        Raises:
            TypeError: it does something that kernels may not do.
        """
        make_game(self.spec).prepare([self.linked])


def specs_of(named: str) -> list[str]:
    """What somebody means who names a game: all of its variants by its name alone, one variant by its spec.

    Raises:
        ValueError: there is no such game.
    """
    game = make_game(named)
    return [*type(game).variants] if GAMES.has(named.strip()) else [named]


@cache
def needed(spec: str) -> tuple[Linked, ...]:
    """The kernels that a game's environments, grades, policies and oracle take."""
    game = make_game(spec)
    found = [*linked(*ENVIRONMENTS, *GRADES), *make_oracle(game).kernels, *GuidedSearch(game).kernels]
    for name in policies_for(game):
        with suppress(ValueError):  # one that needs settings
            found += make_policy(name, game).kernels
    return tuple(found)


def jobs_of(specs: Sequence[str]) -> list[Job]:
    """What there is to compile for games, none twice."""
    found = dict[object, Job]()
    for spec in specs:
        for place, one in enumerate(needed(spec)):
            found.setdefault((type(make_game(spec)), one.kernel, one.pairs), Job(spec, place))
    return [*found.values()]


def warm(jobs: Sequence[Job], progress: Callable[[int, int], object]) -> int:
    """Compiles what the cache does not have, the longest first, in as many processes as batches have threads.

    Args:
        jobs: the kernels.
        progress: called with how many are ready, of how many.

    Returns:
        How many were compiled.

    Raises:
        ValueError: one does not compile, as it may be with a game from outside.
        OSError: one could not be kept, or a process died.
    """
    serve()
    missing = sorted((job for job in jobs if not job.is_done()), key=Job.length, reverse=True)
    for done, job in enumerate(_worked(missing), len(jobs) - len(missing) + 1):
        if not job.is_done():
            raise OSError(f"{job.name} was compiled, but could not be kept; make room in {files.folder()}")
        progress(done, len(jobs))
    return len(missing)


def _worked(jobs: Sequence[Job]) -> Iterator[Job]:
    """Compiles kernels, and gives each when it is done."""
    left, busy = deque(jobs), dict[Helper, Job]()
    if os.name != "posix":  # no helpers there
        for job in jobs:
            with _in_words(job):
                job.work()
            yield job
        return
    free = [Helper() for _ in range(min(thread_count(), len(jobs)))]
    try:
        while left or busy:
            while left and free:
                helper = free.pop()
                busy[helper] = left.popleft()
                helper.send(Job.work, busy[helper])
            helper = wait(busy)[0]
            with suppress(TooLate), _in_words(busy[helper]):  # too late: it has said what it compiles, and is still at it
                helper.reply(0)
                free.append(helper)
                yield busy.pop(helper)
    finally:
        close_all([*free, *busy])


@contextmanager
def _in_words(job: Job) -> Generator[None]:
    """Makes a sentence of what goes wrong while a kernel is compiled."""
    try:
        yield
    except TypeError as error:
        first = str(error).partition("\n")[0]
        raise ValueError(f"{job.name} cannot be compiled ahead: {first} `ludus check {job.spec}` says more") from error
    except Died as death:
        raise OSError(f"the process that compiled {job.name} {death}") from death
