"""Kernels: plain Python functions over 64-bit words that run as machine code.

A kernel is written once, as a readable function over any game; `compile_kernel(kernel, link)` links it with the rules of one game,
compiles the whole to one object file, and keeps that file in the cache. A later process only loads the file, so that a warm
start costs milliseconds, and a call costs about 50 nanoseconds. Kernels are written in a small part of Python, which
docs/kernels.md defines.

    compiler/     a function and its annotations -> syntax trees -> types -> LLVM text
    entry.py      LLVM text of what Python calls: it takes numpy arrays apart, and calls the kernel; errors for wrong arguments
    build.py      LLVM text -> an object file
    load.py       an object file -> a function that Python calls
    wasm.py       object files for browsers -> one module
    pool.py       threads that share the rows of a batch
    threads.py    how many there are, and which batches they share
    recycling.py  arrays that are used again
    cache.py      where object files lie, under which names, who may write there, and how they are cleared

The file's name is the fingerprint: the text and the constants of every function reached, the arguments, the version of the
compiler, and the processor it was compiled for. An edited rules file gets another name, so that nothing outdated is ever run.
"""

from __future__ import annotations

from .compiler.link import Function, Link
from .compiler.signature import Compiled, apart, in_ranges, is_instruction, releases_gil
from .compiler.source import KernelError
from .compiler.target import LEVELS, Target, host
from .load import SERVING, ObjectFile, compile_kernel, object_file_of, serve
from .pool import new_pool

__all__ = [
    "LEVELS",
    "SERVING",
    "Compiled",
    "Function",
    "KernelError",
    "Link",
    "ObjectFile",
    "Target",
    "apart",
    "compile_kernel",
    "host",
    "in_ranges",
    "is_instruction",
    "new_pool",
    "object_file_of",
    "releases_gil",
    "serve",
]
