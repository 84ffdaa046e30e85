"""A kernel's arguments, read from its annotations, and the marks that functions may carry.

Arguments are C-contiguous numpy arrays (`Annotated[NDArray[np.int8], 2]`: dtype and dimensions), `int` (64 bits),
`np.uint64`, and NamedTuples whose fields are annotated so; a kernel returns `int`, `np.uint64` or None.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any, TypeAlias, TypeVar, get_args, get_type_hints

import numpy as np

from .source import KernelError
from .types import ELEMENTS

Compiled = Callable[..., Any]
F = TypeVar("F", bound=Callable[..., Any])


def releases_gil(kernel: F) -> F:
    """Marks a kernel that runs long enough to release the GIL."""
    kernel.__dict__["releases_gil"] = True
    return kernel


def in_ranges(kernel: F) -> F:
    """Marks a kernel over rows `lo` to `hi`, its first two arguments, that threads share in parts.

    Python calls it with a pool before all other arguments (native/threads.py), and it releases the GIL.
    """
    kernel.__dict__["in_ranges"] = True
    return releases_gil(kernel)


def apart(function: F) -> F:
    """Marks a function that stays a function of its own where it is called; all others are written out at each call."""
    function.__dict__["apart"] = True
    return function


def is_instruction(name: str) -> Callable[[F], F]:
    """Marks a function that some processors do in an instruction or two (arithmetic.py lists them by name)."""

    def mark(function: F) -> F:
        function.__dict__["instruction"] = name
        return function

    return mark


@dataclass(frozen=True)
class Argument:
    """One argument of a kernel: an array of `dimensions` > 0, or a scalar (`dimensions` 0)."""

    name: str
    dtype: np.dtype[Any]
    dimensions: int

    @property
    def words(self) -> list[str]:
        """LLVM types of what the machine-code function takes for it: a pointer and a length per dimension."""
        return ["ptr"] + ["i64"] * self.dimensions if self.dimensions else ["i64"]


@dataclass(frozen=True)
class Group:
    """Several arguments that Python passes as one tuple.

    Args:
        name: what the kernel calls it.
        members: what the tuple holds, in order.
        made_by: the NamedTuple that names them in the kernel.
    """

    name: str
    members: tuple[Parameter, ...]
    made_by: type[tuple[Any, ...]]

    @property
    def words(self) -> list[str]:
        """LLVM types of what the machine-code function takes for it: those of its members, side by side."""
        return [word for member in self.members for word in member.words]


Parameter: TypeAlias = Argument | Group
POOL = Argument("pool", np.dtype(np.int64), 1)
"""What kernels over ranges take before everything else."""


@dataclass(frozen=True)
class Signature:
    """What a kernel takes and gives.

    Args:
        arguments: what it takes, in order.
        returns: the dtype it returns; None for nothing.
        releases_gil: whether other threads of Python may run at the same time.
        in_ranges: whether a pool of threads shares its rows.
    """

    arguments: tuple[Parameter, ...]
    returns: np.dtype[Any] | None
    releases_gil: bool
    in_ranges: bool

    @property
    def words(self) -> list[str]:
        """LLVM types of what the machine-code function takes."""
        return [word for argument in self.arguments for word in argument.words]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What Python passes, in order."""
        return (POOL, *self.arguments) if self.in_ranges else self.arguments


def signature_of(kernel: Callable[..., Any]) -> Signature:
    """The signature that a kernel's annotations state; KernelError where one is of something that kernels do not take."""
    try:
        hints = inspect.get_annotations(kernel, eval_str=True)
    except Exception as error:  # an annotation may be any expression
        raise kernel_error(kernel, f"an annotation cannot be read: {error}") from error
    if bare := [name for name in inspect.signature(kernel).parameters if name not in hints]:
        raise kernel_error(kernel, f"{kernel.__name__} does not say what {', '.join(bare)} is; a kernel annotates every argument")
    returns = hints.pop("return", None)
    arguments = tuple(_parameter(kernel, name, hint) for name, hint in hints.items())
    result = None if returns is None else _argument(kernel, "return", returns).dtype
    return Signature(arguments, result, getattr(kernel, "releases_gil", False), getattr(kernel, "in_ranges", False))


def _parameter(kernel: Callable[..., Any], name: str, hint: Any) -> Parameter:
    if not hasattr(hint, "_fields"):
        return _argument(kernel, name, hint)
    return Group(name, tuple(_parameter(kernel, f"{name}.{field}", part) for field, part in hints_of(hint).items()), hint)


@cache
def hints_of(named_tuple: type[Any]) -> dict[str, Any]:
    """What a NamedTuple holds, by annotation; as text is read in the module that defines it."""
    hints = get_type_hints(named_tuple, include_extras=True)
    return {field: hints.get(field, "without an annotation") for field in named_tuple._fields}


def _argument(kernel: Callable[..., Any], name: str, hint: Any) -> Argument:
    if hint is int:
        return Argument(name, np.dtype(np.int64), 0)
    if hint is np.uint64:
        return Argument(name, np.dtype(np.uint64), 0)
    if (metadata := getattr(hint, "__metadata__", None)) is not None:
        dtype, dimensions = np.dtype(_scalar_type(hint) or object), metadata[0]
        if dtype not in ELEMENTS:
            raise kernel_error(kernel, f"{name} is an array of {dtype}; arrays of kernels are of {', '.join(map(str, ELEMENTS))}")
        if type(dimensions) is not int or dimensions < 1:
            raise kernel_error(kernel, f"{name} has {dimensions!r} for its dimensions; write 1 or more")
        return Argument(name, dtype, dimensions)
    if name == "return":
        raise kernel_error(kernel, f"{kernel.__name__} returns {hint}; a kernel returns int, np.uint64 or None")
    raise kernel_error(
        kernel,
        f"{kernel.__name__} takes {name}: {hint}; a kernel takes arrays, int, np.uint64 and NamedTuples of these. "
        "An array is annotated as Annotated[NDArray[np.int64], 1], with its dtype and its dimensions",
    )


def kernel_error(kernel: Callable[..., Any], why: str) -> KernelError:
    """The error that names a kernel's first line."""
    assert isinstance(kernel, FunctionType)
    return KernelError(kernel, kernel.__code__.co_firstlineno, why)


def _scalar_type(hint: Any) -> type[np.generic] | None:
    """The scalar type in `NDArray[…]`, however numpy's version spells that out; None where it names none."""
    if isinstance(hint, type) and issubclass(hint, np.generic):
        return None if hint is np.generic else hint
    return next((scalar for part in get_args(hint) if (scalar := _scalar_type(part)) is not None), None)
