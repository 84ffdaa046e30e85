"""The deepest layer of a book in the making: its positions are searched on all threads, and the results saved once a minute."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..core.native.threads import share
from ..games.game import StateArray
from ..search.watch import DONE, TOTAL, Stopped, Watch
from .files import read_arrays, write_arrays

SAVE_SECONDS = 60.0


@dataclass(frozen=True)
class LayerFile:
    """The file with the results so far.

    Args:
        path: where it lies.
        name: the name of its array, such as `values`.
        unknown: what stands there for a result that is not known yet.
    """

    path: Path
    name: str
    unknown: int


def search_layer(
    layer: StateArray, search: Callable[[StateArray], int], file: LayerFile, watch: Watch, *, shuffle: bool
) -> NDArray[np.int8]:
    """The result of each position of a layer (N,), those in the file first; unknown where the watch left no time for it.

    Args:
        layer: the positions (N, W).
        search: gives a position's result; raises Stopped where the watch stopped it.
        file: where results are saved.
        watch: limits and progress.
        shuffle: whether positions are searched in random order, in place of theirs.

    Raises:
        OSError: the file cannot be written.
    """
    saved_arrays = read_arrays(file.path, f"its {file.name} are searched again")
    results = np.full(len(layer), file.unknown, np.int8)
    if saved_arrays is not None and len(saved_arrays[file.name]) == len(layer):
        results[:] = saved_arrays[file.name]
    left = np.flatnonzero(results == file.unknown)
    if shuffle:
        left = np.random.default_rng(0).permutation(left)
    watch.words[TOTAL], watch.words[DONE] = len(layer), len(layer) - len(left)
    lock, saved = threading.Lock(), time.monotonic()

    def work(rows: Iterator[int]) -> None:
        nonlocal saved
        for row in rows:
            try:
                results[left[row]] = search(layer[left[row]])
            except Stopped:
                return
            with lock:
                watch.words[DONE] += 1
                if time.monotonic() > saved + SAVE_SECONDS:
                    write_arrays(file.path, **{file.name: results})
                    saved = time.monotonic()

    share(len(left), work)
    if len(left):
        write_arrays(file.path, **{file.name: results})
    return results
