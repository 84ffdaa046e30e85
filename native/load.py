"""Compiled kernels as functions of Python: from the cache where they are there, built where they are not."""

from __future__ import annotations

import ctypes
import hashlib
import os
import threading
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from ..core.announcing import announce_compilation
from . import cache as files
from .arguments import refuse
from .compiler.link import Function, Link
from .compiler.signature import POOL, Argument, Compiled, Signature, signature_of
from .compiler.target import Target, host, machine_of
from .entry import entry
from .pool import SERVE

METH_FASTCALL = 0x80
_lock = threading.RLock()
_in_llvm = threading.Lock()  # a fork waits until no thread is inside LLVM, whose own locks it would copy as they are
_loaded: dict[str, tuple[Compiled, Any]] = {}  # by symbol; a function points to its definition


class _MethodDefinition(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p)]


def compile_kernel(kernel: Function, link: Link) -> Compiled:
    """A kernel linked with a game, as a function that Python calls.

    Args:
        kernel: the function to compile, every argument annotated as `signature.py` says.
        link: the game's functions.

    Raises:
        TypeError: the kernel does something that kernels may not do.
    """
    if not isinstance(kernel, FunctionType):
        raise TypeError(f"a kernel is a function that is defined by `def`, not {kernel!r}")
    signature = signature_of(kernel)
    symbol = symbol_of(kernel, link, signature)

    def make() -> bytes:
        from .build import build

        return build(kernel, link, signature, symbol, host())

    return _function(link.owner(kernel), kernel.__name__, signature, symbol, make)


def is_kept(kernel: Function, link: Link) -> bool:
    """Whether the cache has a kernel linked with a game, so that `compile_kernel` would not compile it."""
    assert isinstance(kernel, FunctionType)
    symbol = symbol_of(kernel, link, signature_of(kernel))
    return files.read(link.owner(kernel), _file(kernel.__name__, symbol)) is not None


def symbol_of(kernel: FunctionType, link: Link, signature: Signature, target: Target | None = None) -> str:
    """A name for a linked kernel as it is compiled for a target, by default this machine."""
    return f"ludus_{link.fingerprint(kernel, f'{signature} {_compile_environment(target or host())}')}"


def object_of(owner: str, name: str, symbol: str, make: Callable[[], bytes]) -> bytes:
    """The object file of that symbol: from the cache, or made and kept there."""
    return files.read(owner, _file(name, symbol)) or _make_object(owner, name, symbol, make)


@cache
def serve() -> Compiled:
    """`serve(pool, spins)` of pool.py: works for a pool, and returns when nothing has come for a while."""
    symbol = f"ludus_{hashlib.blake2b(_compile_environment(host()).encode(), digest_size=16).hexdigest()}"
    signature = Signature((POOL, Argument("spins", np.dtype(np.int64), 0)), None, True, False)

    def make() -> bytes:
        return machine_of(host()).emit_object(llvm.parse_assembly(SERVE + entry(signature, "serve_words", symbol)))

    return _function("any", "serve", signature, symbol, make)


def _function(owner: str, name: str, signature: Signature, symbol: str, make: Callable[[], bytes]) -> Compiled:
    """The function of that symbol: loaded already, or from the cache, or made and kept there."""
    with _lock:
        if symbol not in _loaded:
            address = _load_object(object_of(owner, name, symbol, make), symbol)
            definition = _MethodDefinition(name.encode(), address, METH_FASTCALL, None)
            new = ctypes.pythonapi.PyCFunction_NewEx
            new.restype = ctypes.py_object
            new.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
            kept = np.ndarray, partial(refuse, name, signature)  # what entry.py finds in `self`
            _loaded[symbol] = new(ctypes.addressof(definition), kept, None), definition
        return _loaded[symbol][0]


def _make_object(owner: str, name: str, symbol: str, make: Callable[[], bytes]) -> bytes:
    """The object file, compiled by this process or by another one that was quicker."""
    with announce_compilation(owner, name), files.turn(symbol):
        if (body := files.read(owner, _file(name, symbol))) is None:
            with _in_llvm:
                body = make()
            files.write(owner, _file(name, symbol), body)
        return body


def _file(name: str, symbol: str) -> str:
    return f"{name}-{symbol.removeprefix('ludus_')}"


def _load_object(body: bytes, symbol: str) -> int:
    """Where the function of that symbol lies once its object file is loaded."""
    with _in_llvm:
        engine = _engine()
        engine.add_object_file(llvm.ObjectFileRef.from_data(body))
        engine.finalize_object()
        return engine.get_function_address(symbol)


def _start_anew() -> None:
    """In a forked child, where no other thread lives on to release the lock."""
    global _lock
    _lock = threading.RLock()
    _in_llvm.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_in_llvm.acquire, after_in_parent=_in_llvm.release, after_in_child=_start_anew)


@cache
def _engine() -> Any:
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine_of(host()))


@cache
def _compile_environment(target: Target) -> str:
    """What compiled code depends on besides the code: this folder, LLVM, the interpreter's objects, the processor."""
    folder = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py")))
    sizes = object.__basicsize__, tuple.__basicsize__
    return repr((hashlib.blake2b(folder).hexdigest(), llvmlite.__version__, sizes, target))
