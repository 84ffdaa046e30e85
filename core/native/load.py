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
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from ..announcing import announce_compilation
from . import cache as files
from .compiler.link import Function, Link
from .compiler.signature import POOL, Argument, Compiled, Signature, signature_of
from .compiler.target import LEVELS, Target, host, level, machine_of
from .entry import entry, refuse
from .pool import SERVE

METH_FASTCALL = 0x80
_lock = threading.RLock()
_in_llvm = threading.Lock()  # a fork waits until no thread is inside LLVM, whose own locks it would copy as they are
_loaded: dict[str, tuple[Compiled, Any]] = {}  # by symbol; a function points to its definition


class _MethodDefinition(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p)]


class ObjectFile(NamedTuple):
    """The object file of a kernel, for whatever machine: what it is made from.

    Args:
        owner: the game it is for; "any" where it serves all games.
        name: the kernel's.
        code: a fingerprint of its text, its constants and its arguments.
        signature: what the function takes and gives.
        make: compiles it; called with the name of the function and the target.
    """

    owner: str
    name: str
    code: str
    signature: Signature
    make: Callable[[str, Target], bytes]

    def symbol(self, target: Target) -> str:
        """The name of the function as it is compiled for a target; another one for each game, whose folder its file lies in."""
        text = repr((self[:3], _compile_environment(target)))
        return f"ludus_{hashlib.blake2b(text.encode(), digest_size=16).hexdigest()}"

    def file(self, target: Target) -> str:
        """The name of its object file."""
        return f"{self.name}-{self.symbol(target).removeprefix('ludus_')}"

    def read(self, target: Target) -> bytes | None:
        """The object file for a target, from the cache or as it comes with ludus."""
        return files.read(self.owner, self.file(target))

    def is_kept(self) -> bool:
        """Whether the cache has it as it is compiled for this machine."""
        return self.read(host()) is not None

    def compile(self, target: Target) -> bytes:
        """The object file for a target: from the cache, or compiled and kept there, by this process or by a quicker one."""
        if (body := self.read(target)) is None:
            with announce_compilation(self.owner, self.name), files.turn(self.symbol(target)):
                if (body := self.read(target)) is None:
                    with _in_llvm:
                        body = self.make(self.symbol(target), target)
                    files.write(self.owner, self.file(target), body)
        return body

    def load(self) -> int:
        """Where the function lies: as it was compiled for this machine, or else as it comes with ludus, or else compiled now.

        Kernels that come with ludus are used at once wherever they run, also where this processor could do more: those of V3 lose
        little by that, those of V2 may take twice as long in tree search. What `ludus cache --warm` compiles is used before them.
        """
        target = host()
        body = self.read(target)
        if body is None and (shipped := level()) and (body := self.read(shipped)):
            target = shipped
        return _load_object(body or self.compile(target), self.symbol(target))


def object_file_of(kernel: Function, link: Link) -> ObjectFile:
    """The object file of a kernel linked with a game; TypeError where it is no function that `def` defines, or its arguments are
    not as `signature.py` says."""
    if not isinstance(kernel, FunctionType):
        raise TypeError(f"a kernel is a function that is defined by `def`, not {kernel!r}")
    signature = signature_of(kernel)

    def make(symbol: str, target: Target) -> bytes:
        from .build import build

        return build(kernel, link, signature, symbol, target)

    return ObjectFile(link.owner(kernel), kernel.__name__, link.fingerprint(kernel, str(signature)), signature, make)


def compile_kernel(kernel: Function, link: Link) -> Compiled:
    """A kernel, every argument annotated as `signature.py` says, linked with a game's functions, as a function that Python calls.
    TypeError where it does something that kernels may not do."""
    return _function(object_file_of(kernel, link))


def _make_serve(symbol: str, target: Target) -> bytes:
    module = llvm.parse_assembly(SERVE + entry(SERVING.signature, "serve_words", symbol))
    module.triple = target.triple
    return machine_of(target).emit_object(module)


SERVING = ObjectFile(
    "any", "serve", "", Signature((POOL, Argument("spins", np.dtype(np.int64), 0)), None, True, False), _make_serve
)


@cache
def serve() -> Compiled:
    """`serve(pool, spins)` of pool.py: works for a pool, and returns when nothing has come for a while."""
    return _function(SERVING)


def _function(object_file: ObjectFile) -> Compiled:
    """The function of an object file: loaded already, or from the cache, or made and kept there."""
    symbol = object_file.symbol(host())
    with _lock:
        if symbol not in _loaded:
            definition = _MethodDefinition(object_file.name.encode(), object_file.load(), METH_FASTCALL, None)
            new = ctypes.pythonapi.PyCFunction_NewEx
            new.restype = ctypes.py_object
            new.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
            kept = np.ndarray, partial(refuse, object_file.name, object_file.signature)  # what entry.py finds in `self`
            _loaded[symbol] = new(ctypes.addressof(definition), kept, None), definition
        return _loaded[symbol][0]


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
    """What compiled code depends on besides the code: this folder, the interpreter's objects, the processor and, but for what
    comes with ludus, LLVM: whichever is installed loads that."""
    folder = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py")))
    version = "" if target in LEVELS else llvmlite.__version__
    return repr((hashlib.blake2b(folder).hexdigest(), version, object.__basicsize__, target))
