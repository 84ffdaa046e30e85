"""From Python functions to an object file: numba types and lowers them, LLVM optimises the whole.

Only a process that compiles imports this module, and with it numba.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba import carray, types  # pyright: ignore[reportPrivateImportUsage]
from numba.core import config, errors
from numba.cpython.unsafe.numbers import leading_zeros
from numba.extending import intrinsic

from .link import Function, Link
from .signature import Argument, Signature, declaration, entry, instruction_of, is_apart

# What the optimised kernel may still ask of the process around it.
ALLOWED = ("llvm.", "memset", "memcpy", "memmove", "PyLong_", "PyErr_", "PyEval_")
MATHEMATICS = {"sqrt", "exp", "log", "pow", "sin", "cos", "tanh", "floor", "ceil"}
SLOW_DEPOSIT = {"bdver4", "znver1", "znver2"}  # these processors deposit bits one by one
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_dispatchers = dict[tuple[tuple[FunctionType, ...], ...], Any]()
"""What has been made of functions so far, by their meaning: kernels and games share those that mean the same to them."""


@intrinsic
def nth_set_bit(typing: Any, bits: Any, nth: Any) -> Any:
    """One bit, deposited where the nth set bit lies, and found there."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word]))
        bits, nth = arguments
        return builder.cttz(builder.call(deposit, [builder.shl(word(1), nth), bits]), ir.IntType(1)(0))

    return types.int64(types.uint64, types.int64), code


def instructions() -> dict[str, Any]:
    """What this processor does in an instruction or two; what it does not is compiled as it is written."""
    deposits = llvm.get_host_cpu_features().get("bmi2", False) and llvm.get_host_cpu_name() not in SLOW_DEPOSIT
    return {"leading zeros": leading_zeros} | ({"nth set bit": nth_set_bit} if deposits else {})


def build(kernel: Function, link: Link, signature: Signature, name: str, machine: llvm.TargetMachine) -> bytes:
    """Compiles a linked kernel to an object file whose only visible function is `name`.

    Raises:
        TypeError: the code is outside of what kernels may do; the message says where.
    """
    try:
        with _own_settings():
            linked = _linked(kernel, link)
            callback = numba.cfunc(_machine_signature(signature), error_model="numpy")(_adapter(linked[kernel], signature))
            apart = {part.fndesc.mangled_name for f, d in linked.items() if is_apart(f) for part in d.overloads.values()}
    except errors.NumbaError as error:
        why = _at_fault(str(error), link.reach(kernel))  # pyright: ignore[reportArgumentType]
        raise TypeError(f"the kernel {kernel.__name__} could not be compiled: {why}. The compiler said:\n{error}") from error
    symbol = callback._wrapper_name  # pyright: ignore[reportAttributeAccessIssue]
    module = llvm.parse_assembly(callback.inspect_llvm())
    module.link_in(llvm.parse_assembly(declaration(signature, symbol) + entry(signature, symbol, name)))
    _optimise(module, name, apart, machine)
    if foreign := [f.name for f in module.functions if f.is_declaration and not _allowed(f.name)]:
        if any("unresolved" in name for name in foreign):
            raise TypeError(
                f"the kernel {kernel.__name__} reaches a function that calls itself in a way that numba cannot follow; "
                "give a function that calls itself variables, not constants, and let it call no other that calls it back"
            )
        raise TypeError(
            f"the kernel {kernel.__name__}, or a function it calls, allocates memory or can raise an error "
            f"(it needs {', '.join(foreign)}); kernels may do neither: pass arrays in, and check before the call"
        )
    return machine.emit_object(module)


def _at_fault(message: str, functions: Iterable[Function]) -> str:
    """What numba found wrong, with the file and the line, or at least the function: innermost calls come first in its message."""
    inner, _, outer = message.partition("During: resolving callee type")
    lines = [line.strip(" >:") for line in inner.splitlines()]
    wrong = [line for line in lines if line and not line.startswith(("Failed in nopython mode", "During", "File", "There are"))]
    reason = ": ".join(wrong[: 2 if "signature" in wrong[0] else 1]) if wrong else "numba does not say why"
    if place := re.search(r" at (\S+) \((\d+)\)", inner):
        return f"{reason} ({place[1]}, line {place[2]})"
    named = re.match(r".*<function (\w+) at ", outer)
    places = [f.__code__ for f in functions if named and f.__name__ == named[1]]
    return f"{reason} ({places[0].co_filename}, in {places[0].co_name})" if places else reason


def _allowed(name: str) -> bool:
    return name.startswith(ALLOWED) or name.removesuffix("f") in MATHEMATICS


@contextmanager
def _own_settings() -> Generator[None]:
    """Numba as we need it, whatever the user's environment asks of it for other code."""
    settings: Any = config
    wanted = {"DISABLE_JIT": 0, "BOUNDSCHECK": 0, "DEBUGINFO_DEFAULT": 0, "OPT": type(settings.OPT)(3)}
    kept = {name: getattr(settings, name) for name in wanted}
    try:
        for name, value in wanted.items():
            setattr(settings, name, value)
        yield
    finally:
        for name, value in kept.items():
            setattr(settings, name, value)


def _linked(kernel: Function, link: Link) -> dict[Function, Any]:
    """A numba dispatcher of the kernel and of every function it reaches, each linked with those it calls."""
    linked, new, short = dict[Function, Any](), list[Function](), instructions()
    for function in link.reach(kernel):  # pyright: ignore[reportArgumentType]
        meaning = link.meaning(function)
        if meaning not in _dispatchers:
            scope = {**function.__globals__, **link.mentions(function)}
            copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
            _dispatchers[meaning] = short.get(instruction_of(function) or "") or numba.njit(**OPTIONS)(copy)
            new.append(function)
        linked[function] = _dispatchers[meaning]
    for function in filter(lambda f: instruction_of(f) not in short, new):
        scope = linked[function].py_func.__globals__
        scope.update({k: linked[v] for k, v in scope.items() if isinstance(v, FunctionType) and v in linked})
        _stand_in(scope)
    return linked


def _stand_in(scope: dict[str, Any]) -> None:
    """Puts modules of our own in the place of those that code reads from, each with what it reads there, as linked."""
    for name, value in [(name, value) for name, value in scope.items() if "." in name]:
        first, *modules, last = name.split(".")
        if not isinstance(scope[first], _Module):
            scope[first] = _Module(first)
        place = scope[first]
        for module in modules:
            vars(place).setdefault(module, _Module(module))
            place = vars(place)[module]
        setattr(place, last, value)


class _Module(ModuleType):
    """What stands for a module that code reads from."""


def _machine_signature(signature: Signature) -> Any:
    taken: list[Any] = []
    for argument in signature.arguments:
        dtype = numba.from_dtype(argument.dtype)
        taken += [types.CPointer(dtype), *[types.int64] * argument.dimensions] if argument.dimensions else [dtype]
    return (types.int64 if signature.returns is None else numba.from_dtype(signature.returns))(*taken)


def _adapter(kernel: Any, signature: Signature) -> Any:
    """A function over pointers and lengths that hands the kernel arrays, as machine code is called."""

    def names(argument: Argument) -> list[str]:
        return [argument.name, *(f"{argument.name}_{d}" for d in range(argument.dimensions))]

    def taken(argument: Argument) -> str:
        pointer, *lengths = names(argument)
        return f"carray({pointer}, ({', '.join(lengths)},))" if lengths else pointer

    parameters = ", ".join(name for argument in signature.arguments for name in names(argument))
    call = f"kernel({', '.join(map(taken, signature.arguments))})"
    body = f"{call}; return 0" if signature.returns is None else f"return {call}"
    scope: dict[str, Any] = {"kernel": kernel, "carray": carray}
    exec(f"def adapter({parameters}): {body}", scope)
    return scope["adapter"]


def _optimise(module: llvm.ModuleRef, name: str, apart: set[str], machine: llvm.TargetMachine) -> None:
    """Hides everything but the entry, then optimises the module as one: what nobody calls any more goes."""
    for function in module.functions:
        if not function.is_declaration and function.name != name:
            function.linkage = "internal"
            if function.name in apart:
                function.add_function_attribute("noinline")
            elif function.name not in (f"{name}_job", "pool_run", "pool_work"):
                function.add_function_attribute("alwaysinline")
    for variable in module.global_variables:
        if variable.linkage == llvm.Linkage.common:
            variable.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
