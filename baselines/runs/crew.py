"""Crews: who does the work that a trainer can hand out; threads of this process, worker processes, or a Ray cluster.

Work is a function of this package and its arguments. What comes back depends on neither who does it nor how many they are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol

from ...arena.engines.engines import ATTEMPTS, check_engine
from ...arena.engines.on_ray import Surroundings, connected, surroundings, take_on
from ...arena.engines.processes import Died, Helper, close_all, wait
from ...envs.native.threads import thread_count

Work = Callable[..., Any]


class Crew(Protocol):
    """Who does the work."""

    def each(self, work: Work, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Calls a function with each of several arguments, at the same time as far as they are many.

        Raises:
            ChildProcessError: processes die of it, again and again.
            Exception: what the function raised.
        """
        ...

    def close(self) -> None:
        """Leaves off."""
        ...


@contextmanager
def crew_of(engine: str, workers: int) -> Generator[Crew]:
    """A crew for as long as it is needed.

    Args:
        engine: "local", or "ray" for the Ray cluster that this process is connected to, or a local one.
        workers: how many processes; 1 for the threads of this one, and on Ray for one on each processor of the cluster.

    Raises:
        ValueError: no such engine, fewer workers than one, or Ray is not installed.
    """
    check_engine(engine, workers)
    crew: Crew = OnRay(workers) if engine == "ray" else Threads() if workers == 1 else Processes(workers)
    try:
        yield crew
    finally:
        crew.close()


class Threads:
    """The threads of this process, as many as batches run on; the work lets go of the GIL where it is heavy."""

    def each(self, work: Work, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        with ThreadPoolExecutor(min(thread_count(), len(arguments)), "ludus") as team:
            return list(team.map(work, *zip(*arguments, strict=True)))

    def close(self) -> None:
        pass


class Processes:
    """Worker processes, each with its share of the threads. Work that a process dies of is done again by another.

    Args:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        self._count, self._threads = count, max(1, thread_count() // count)
        self._free: list[Helper] = []
        self._busy: dict[Helper, int] = {}

    def each(self, work: Work, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        results, deaths = [None] * len(arguments), [0] * len(arguments)
        left = deque(range(len(arguments)))
        while left or self._busy:
            while left and len(self._busy) < self._count:
                self._hand(left.popleft(), work, arguments)
            done = wait(self._busy)[0]
            number = self._busy.pop(done)
            try:
                results[number] = done.reply()
            except Died as death:
                deaths[number] += 1
                if deaths[number] == ATTEMPTS:
                    raise ChildProcessError(f"{ATTEMPTS} worker processes died of the same work; the last {death}") from death
                left.append(number)
                continue
            self._free.append(done)
        return results

    def close(self) -> None:
        close_all([*self._free, *self._busy])
        self._free, self._busy = [], {}

    def _hand(self, number: int, work: Work, arguments: Sequence[tuple[Any, ...]]) -> None:
        helper = self._free.pop() if self._free else Helper(self._threads)
        self._busy[helper] = number
        helper.send(work, *arguments[number])


class OnRay:
    """The Ray cluster that this process is connected to, or another that it finds or starts; see arena/engines/on_ray.py.

    Args:
        workers: how much is under way at a time; 1 for one on each processor of the cluster. Where the cluster has GPUs, each
            worker has its share of one.

    Raises:
        ValueError: Ray is not installed.
    """

    def __init__(self, workers: int) -> None:
        self._ray, self._mine = connected(workers)
        resources = self._ray.cluster_resources()
        places = workers if workers > 1 else int(resources.get("CPU", 1))
        share = resources.get("GPU", 0) / places
        self._do = self._ray.remote(num_cpus=1, num_gpus=min(1.0, share), max_retries=ATTEMPTS - 1)(alone)

    def each(self, work: Work, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        ray = self._ray
        try:
            return ray.get([self._do.remote(surroundings(), work, *given) for given in arguments])
        except ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except ray.exceptions.RayError as death:
            raise ChildProcessError(f"{ATTEMPTS} worker processes of the Ray cluster died of the same work: {death}") from death

    def close(self) -> None:
        if self._mine:
            self._ray.shutdown()


def alone(of_caller: Surroundings, work: Work, *arguments: Any) -> Any:
    """Does work in a process of the cluster."""
    take_on(of_caller)
    return work(*arguments)
