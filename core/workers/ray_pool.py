"""`RayPool`: the processes of a Ray cluster, each call being one of its tasks on one processor."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import declare_worker
from ..plugins import modules
from ..plugins.loading import install_with
from ..threads import set_threads, thread_count
from .pool import Arguments, WorkerPool
from .worker import Died, make_picklable, plug_in_all


class RayPool(WorkerPool):
    """The Ray cluster that this process is connected to; else the one of `RAY_ADDRESS`, or of this machine; else one for
    this machine that is started here, and stopped by `close`.

    The cluster's machines have Ludus installed. Modules of policies and games from outside are looked for in the same folders as
    here; other machines get them by Ray's `working_dir`.

    Args:
        workers: how many calls are under way at a time; 1 for one on each processor of the cluster.
        gpus: whether the workers share the cluster's GPUs; otherwise they see none.

    Raises:
        ValueError: Ray is not installed.
    """

    def __init__(self, workers: int, gpus: bool = False) -> None:
        super().__init__(workers)
        self._ray, self._started_here = connect(workers)
        share = min(1.0, self._ray.cluster_resources().get("GPU", 0) / self.size) if gpus else 0
        self._make: Any = self._ray.remote(num_cpus=1, num_gpus=share, max_retries=0)(make_call)
        self._stored: dict[bytes, Any] = {}

    @property
    def size(self) -> int:
        """How many calls may be under way; a cluster can grow."""
        return self._size if self._size > 1 else int(self._ray.cluster_resources().get("CPU", 1))

    def close(self) -> None:
        for reference in self._busy:
            self._ray.cancel(reference, force=True)
        self._busy = {}
        if self._started_here:
            self._ray.shutdown()

    def _start(self, function: Callable[..., Any], arguments: Arguments) -> Any:
        path = [str(Path(folder).absolute()) for folder in sys.path]
        sent = [self._put(argument) if isinstance(argument, bytes) else argument for argument in arguments]
        return self._make.remote(path, modules(), function, *sent)

    def _wait(self) -> Any:
        return self._ray.wait([*self._busy])[0][0]

    def _result(self, worker: Any) -> Any:
        try:
            return self._ray.get(worker)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except self._ray.exceptions.RayError as death:  # of the process, or its machine
            raise Died(str(death)) from death

    def _put(self, argument: bytes) -> Any:
        """Where the cluster keeps an argument, once for all calls."""
        if argument not in self._stored:
            self._stored[argument] = self._ray.put(argument)
        return self._stored[argument]


def make_call(path: list[str], plugins: list[str], function: Any, *arguments: Any) -> Any:
    """Calls a function in this process of the cluster, on one processor.

    Args:
        path: the folders where the caller looks for modules.
        plugins: the modules whose games, policies and trainers it knows.
        function: what to call.
        arguments: what to call it with.
    """
    set_threads(1)
    declare_worker()
    sys.path += [folder for folder in path if folder not in sys.path]  # last, so that they hide nothing that is here
    plug_in_all(plugins)
    try:
        return function(*arguments)
    except Exception as error:
        raise make_picklable(error).with_traceback(error.__traceback__) from None


def connect(workers: int) -> tuple[Any, bool]:
    """Ray, connected to a cluster; and whether the connection was made here, and so is to be closed here.

    Args:
        workers: how many processors a cluster has that is started on this machine; 1 for as many as batches run on.

    Raises:
        ValueError: Ray is not installed.
    """
    try:
        import ray
        import ray.exceptions  # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise ValueError(f"the engine 'ray' needs Ray, which is not installed; {install_with('ray')} brings it") from None
    if ray.is_initialized():
        return ray, False
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # by default Ray sends statistics to its makers
    try:
        ray.init("auto", logging_level=logging.WARNING)
    except ConnectionError:
        processors = workers if workers > 1 else thread_count()
        ray.init("local", num_cpus=processors, include_dashboard=False, logging_level=logging.WARNING)
    return ray, True
