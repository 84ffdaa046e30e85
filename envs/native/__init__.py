"""Kernels: plain Python functions over 64-bit words that run as machine code.

A kernel is written once, as a readable function over any game; `compiled(kernel, rules)` links it
with the rules of one game, has numba compile the whole to one object file, and keeps that file in
the cache. A later process loads the file with LLVM alone and never imports numba, so that a warm
start costs milliseconds, and a call costs about 50 nanoseconds.

    link.py       which functions a kernel reaches, and a fingerprint of all that they say
    build.py      numba: those functions -> LLVM -> an object file
    signature.py  arguments by annotation; the entry that takes numpy arrays straight from Python
    load.py       LLVM: an object file -> a function that Python calls
    pool.py       threads that share the rows of a batch
    cache.py      where object files lie, under which names, and how they are cleared
    turns.py      which of several processes compiles a kernel, and which ones wait for it
    announcing.py who hears of it

The file's name is the fingerprint: the bytecode and constants of every function reached, the
arguments, and the versions and processor it was compiled for. An edited rules file asks for another
name, so that nothing stale is ever run.

What a kernel may do: integers, floats, tuples, and arrays that the caller passes in. It allocates
nothing and raises nothing; the build refuses one that does.
"""

from __future__ import annotations

from .announcing import Compilation, announce, listening
from .link import Function, Link
from .load import compiled, is_kept, serve
from .pool import new_pool
from .signature import Compiled, apart, in_ranges, is_instruction, releases_gil

__all__ = [
    "Compilation",
    "Compiled",
    "Function",
    "Link",
    "announce",
    "apart",
    "compiled",
    "in_ranges",
    "is_instruction",
    "is_kept",
    "listening",
    "new_pool",
    "releases_gil",
    "serve",
]
