"""`WorkerPool`: worker processes that share calls among them. A call whose process dies is made again in another.

What plays games, trains and compiles kernels hands its work to a pool: of this machine, or of a Ray cluster (`RayPool`, in
ray_pool.py). No result depends on which, or on how many processes there are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..threads import thread_count
from .worker import Died, TooLate, Worker, close_all, wait

ATTEMPTS = 3
"""After how many dead processes a call is given up."""

Arguments = tuple[Any, ...]


class WorkerPool:
    """Processes of this machine, each with its share of the threads. They start when they are needed, and stay until `close`.

    Args:
        size: how many.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._free: list[Worker] = []
        self._busy = dict[Any, tuple[Arguments, int]]()

    @property
    def size(self) -> int:
        """How many calls may be under way."""
        return self._size

    def run(
        self,
        function: Callable[..., Any],
        calls: Iterable[Arguments | None],
        *,
        again: Callable[..., Any] | None = None,
        name: Callable[[Arguments], str] | None = None,
    ) -> Iterator[tuple[Arguments, Any]]:
        """Calls a function with each of several tuples of arguments, and gives each with its result when it is done, in any order.

        Args:
            function: a function of an installed module.
            calls: the arguments, each taken when a process is free; None where there are none before a result is back. Bytes among
                them reach a cluster once, in however many calls they come.
            again: what is called in its place after a process has died; None for the same.
            name: says of arguments what the work is, for a message; None for the function's name.

        Raises:
            ChildProcessError: ATTEMPTS processes have died of a call.
            Exception: what a call raised; the pool is to be closed then.
        """
        left, retries = iter(calls), deque[tuple[Arguments, int]]()
        while True:
            for _ in range(self.size - len(self._busy)):
                arguments, deaths = retries.popleft() if retries else (next(left, None), 0)
                if arguments is None:
                    break
                self._busy[self._start(again if again and deaths else function, arguments)] = arguments, deaths
            if not self._busy:
                return
            worker = self._wait()
            arguments, deaths = self._busy.pop(worker)
            try:
                result = self._result(worker)
            except TooLate:  # it had something to log, and is still at work
                self._busy[worker] = arguments, deaths
            except Died as death:
                if deaths + 1 == ATTEMPTS:
                    work = name(arguments) if name else function.__name__
                    raise ChildProcessError(
                        f"{ATTEMPTS} worker processes died of the same work, {work}; the last {death}"
                    ) from death
                retries.append((arguments, deaths + 1))
            else:
                yield arguments, result

    def starmap(self, function: Callable[..., Any], calls: Sequence[Arguments]) -> list[Any]:
        """The results of a function for several tuples of arguments, in their order; the errors are those of `run`."""
        numbered = ((number, function, arguments) for number, arguments in enumerate(calls))
        results = {number: result for (number, *_), result in self.run(_call, numbered, name=lambda _: function.__name__)}
        return [results[number] for number in range(len(calls))]

    def close(self) -> None:
        """Stops, whatever is under way."""
        close_all([*self._free, *self._busy])
        self._free, self._busy = [], {}

    def _start(self, function: Callable[..., Any], arguments: Arguments) -> Any:
        """Has a free worker make a call."""
        worker = self._free.pop() if self._free else Worker(max(1, thread_count() // self._size))
        worker.send(function, *arguments)
        return worker

    def _wait(self) -> Any:
        """Waits for one of the busy workers."""
        return wait(self._busy)[0]

    def _result(self, worker: Any) -> Any:
        """What its call returned; the worker is free then.

        Raises:
            TooLate: it has not returned yet.
            Died: its process ended.
            Exception: what the call raised.
        """
        self._free.append(worker)
        try:
            return worker.reply(0)
        except TooLate:
            self._free.remove(worker)
            raise


def _call(number: int, function: Callable[..., Any], arguments: Arguments) -> Any:
    """Makes one of the calls of `starmap`, which come back with their numbers."""
    return function(*arguments)
