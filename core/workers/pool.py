"""`WorkerPool`: processes that share calls among them. A call whose process dies is made again in another.

What plays games and what trains both hand their work to a pool: worker processes of this machine (`ProcessPool`), or the processes
of a Ray cluster (`RayPool`, in ray_pool.py). No result depends on which, or on how many there are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from ..threads import thread_count
from .processes import Died, Helper, TooLate, close_all, wait

ATTEMPTS = 3
"""After how many dead processes a call is given up."""


class Call(NamedTuple):
    """A function of a module, and its arguments.

    Args:
        function: what to call.
        arguments: what to call it with.
        repeated: further arguments, which come again in other calls, so that a cluster keeps them.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    repeated: tuple[bytes, ...] = ()


class PoolTask(Protocol):
    """What a pool is to do."""

    def call(self, deaths: int) -> Call:
        """The call that does it, after `deaths` processes have died of it."""
        ...

    def __str__(self) -> str:
        """What it is, for a message."""
        ...


T = TypeVar("T", bound=PoolTask)
Worker = TypeVar("Worker")


class WorkerPool(ABC, Generic[Worker]):
    """Workers, each of which does one task at a time; a subclass says what they are.

    Args:
        size: how many.
    """

    def __init__(self, size: int) -> None:
        self._size, self._busy = size, dict[Worker, Any]()

    def run(self, next_task: Callable[[], T | None]) -> Iterator[tuple[T, Any]]:
        """Does tasks until there are no more, and gives each with its result when it is done, in any order.

        Args:
            next_task: gives the next task, when a worker is free to do it; None when there are no more.

        Raises:
            ChildProcessError: ATTEMPTS workers have died of a task.
            Exception: what a call raised; the pool is to be closed then.
        """
        retries = deque[tuple[T, int]]()
        while True:
            for _ in range(self.size - len(self._busy)):
                task, deaths = retries.popleft() if retries else (next_task(), 0)
                if task is None:
                    break
                self._busy[self._start(task.call(deaths))] = task, deaths
            if not self._busy:
                return
            worker = self._wait()
            task, deaths = self._busy.pop(worker)
            try:
                result = self._result(worker)
            except TooLate:  # it had something to log, and is still at work
                self._busy[worker] = task, deaths
            except Died as death:
                if deaths + 1 == ATTEMPTS:
                    raise ChildProcessError(
                        f"{ATTEMPTS} worker processes died of the same work, {task}; the last {death}"
                    ) from death
                retries.append((task, deaths + 1))
            else:
                yield task, result

    @property
    def size(self) -> int:
        """How many tasks may be under way."""
        return self._size

    @abstractmethod
    def close(self) -> None:
        """Stops, whatever is under way."""

    @abstractmethod
    def _start(self, call: Call) -> Worker:
        """Has a free worker make a call."""

    @abstractmethod
    def _wait(self) -> Worker:
        """Waits for one of the busy workers."""

    @abstractmethod
    def _result(self, worker: Worker) -> Any:
        """What its call returned.

        Raises:
            TooLate: it has not returned yet.
            Died: its process ended.
            Exception: what the call raised.
        """


class ProcessPool(WorkerPool[Helper]):
    """Processes of this machine, each with its share of the threads.

    Args:
        size: how many.
    """

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._threads = max(1, thread_count() // size)
        self._free: list[Helper] = []

    def close(self) -> None:
        close_all([*self._free, *self._busy])
        self._free, self._busy = [], {}

    def _start(self, call: Call) -> Helper:
        helper = self._free.pop() if self._free else Helper(self._threads)
        helper.send(call.function, *call.arguments, *call.repeated)
        return helper

    def _wait(self) -> Helper:
        return wait(self._busy)[0]

    def _result(self, worker: Helper) -> Any:
        self._free.append(worker)
        try:
            return worker.reply(0)
        except (TooLate, Died):
            self._free.remove(worker)
            raise
