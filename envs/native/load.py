"""Compiled kernels as functions of Python: from the cache where they are there, built where they are not."""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from . import cache as files
from . import objects
from .announcing import announced
from .compiler.link import Function, Link
from .compiler.signature import POOL, Argument, Compiled, Signature, signature_of
from .compiler.target import host, machine_of
from .entry import entry
from .pool import SERVE

METH_FASTCALL = 0x80
_lock = threading.RLock()
_loaded: dict[str, tuple[Compiled, Any]] = {}  # by symbol; a function points to its definition


class _MethodDefinition(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p)]


def compiled(kernel: Function, link: Link) -> Compiled:
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
    symbol = _symbol(kernel, link, signature)

    def make() -> bytes:
        from .build import build

        return build(kernel, link, signature, symbol, host())

    return _function(link.owner(kernel), kernel.__name__, symbol, make)


def is_kept(kernel: Function, link: Link) -> bool:
    """Whether the cache has a kernel linked with a game, so that `compiled` would not compile it."""
    assert isinstance(kernel, FunctionType)
    symbol = _symbol(kernel, link, signature_of(kernel))
    body = files.read(link.owner(kernel), _file(kernel.__name__, symbol))
    return body is not None and _is_whole(body, symbol)


def _symbol(kernel: FunctionType, link: Link, signature: Signature) -> str:
    return f"ludus_{link.fingerprint(kernel, f'{signature} {_circumstances()}')}"


@cache
def serve() -> Compiled:
    """`serve(pool, spins)` of pool.py: works for a pool, and returns when nothing has come for a while."""
    symbol = f"ludus_{hashlib.blake2b(_circumstances().encode(), digest_size=16).hexdigest()}"
    signature = Signature((POOL, Argument("spins", np.dtype(np.int64), 0)), None, True, False)

    def make() -> bytes:
        return machine_of(host()).emit_object(llvm.parse_assembly(SERVE + entry(signature, "serve_words", symbol)))

    return _function("any", "serve", symbol, make)


def _function(owner: str, name: str, symbol: str, make: Callable[[], bytes]) -> Compiled:
    """The function of that symbol: loaded already, or from the cache, or made and kept there."""
    with _lock:
        if symbol not in _loaded:
            address = _kept_at(owner, name, symbol) or _made_at(owner, name, symbol, make)
            definition = _MethodDefinition(name.encode(), address, METH_FASTCALL, None)
            new = ctypes.pythonapi.PyCFunction_NewEx
            new.restype = ctypes.py_object
            new.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
            _loaded[symbol] = new(ctypes.addressof(definition), np.ndarray, None), definition
        return _loaded[symbol][0]


def _kept_at(owner: str, name: str, symbol: str) -> int:
    """Where the function lies once its file in the cache is loaded; 0 where there is none that can be."""
    body = files.read(owner, _file(name, symbol))
    return 0 if body is None or not _is_whole(body, symbol) else _loaded_at(body, symbol)


def _made_at(owner: str, name: str, symbol: str, make: Callable[[], bytes]) -> int:
    """Where the function lies once it is compiled, by this process or by another one that was quicker."""
    with announced(owner, name), files.turn(_fingerprint(symbol)):
        if address := _kept_at(owner, name, symbol):
            return address
        body = make()
        files.write(owner, _file(name, symbol), body)
    return _loaded_at(body, symbol)


def _fingerprint(symbol: str) -> str:
    return symbol.removeprefix("ludus_")


def _file(name: str, symbol: str) -> str:
    return f"{name}-{_fingerprint(symbol)}"


def _is_whole(body: bytes, symbol: str) -> bool:
    """Whether an object file from the cache can be loaded; LLVM would end the process over one that is damaged."""
    try:
        objects.check(body, symbol)
    except ValueError:
        return False
    return True


def _loaded_at(body: bytes, symbol: str) -> int:
    """Where the function of that symbol lies once an object file is loaded; 0 where the file has none."""
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(body))
    engine.finalize_object()
    return engine.get_function_address(symbol)


@cache
def _engine() -> Any:
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine_of(host()))


@cache
def _circumstances() -> str:
    """What compiled code depends on besides the code: this folder, LLVM, the interpreter's objects, the processor."""
    folder = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py")))
    target = host()
    return repr((hashlib.blake2b(folder).hexdigest(), llvmlite.__version__, object.__basicsize__, target))
