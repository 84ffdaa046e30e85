"""What is wrong with the arguments of a compiled kernel, in a sentence: what compiled code (entry.py) calls where a check fails."""

from __future__ import annotations

import operator
from typing import Any, NoReturn

import numpy as np

from .compiler.signature import Argument, Group, Parameter, Signature


def refuse(name: str, signature: Signature, *given: Any) -> NoReturn:
    """Raises the error for wrong arguments.

    Args:
        name: the kernel.
        signature: what it takes.
        given: what it was given.

    Raises:
        OverflowError: a whole number has more than 64 bits.
        TypeError: anything else.
    """
    if len(given) != len(signature.parameters):
        takes = ", ".join(argument.name for argument in signature.parameters) or "nothing"
        raise TypeError(f"the kernel {name} takes {len(signature.parameters)} arguments ({takes}), not {len(given)}")
    for argument, value in zip(signature.parameters, given, strict=True):
        _check(name, argument, value)
    raise TypeError(f"the kernel {name} cannot take these arguments")


def _check(name: str, argument: Parameter, value: Any) -> None:
    """Checks one argument as compiled code does."""
    wanted = f"{argument.name} of the kernel {name} is"
    if isinstance(argument, Group):
        names = ", ".join(argument.made_by._fields)  # pyright: ignore[reportAttributeAccessIssue]
        if not isinstance(value, tuple) or len(value) != len(argument.members):
            raise TypeError(f"{wanted} a tuple ({names}), not {_describe(value)}")
        for member, part in zip(argument.members, value, strict=True):
            _check(name, member, part)
    elif argument.dimensions:
        _check_array(wanted, argument, value)
    else:
        try:
            number = operator.index(value)
        except TypeError:
            raise TypeError(f"{wanted} a whole number, not {_describe(value)}") from None
        if argument.dtype != np.uint64 and not -(2**63) <= number < 2**63:
            raise OverflowError(f"{wanted} a whole number of 64 bits; {_describe(value)} has more")


def _check_array(wanted: str, argument: Argument, value: Any) -> None:
    dimensions = f"{argument.dimensions} dimension{'s' * (argument.dimensions != 1)}"
    kind = f"an array of {argument.dtype} with {dimensions}"
    if type(value) is not np.ndarray or value.dtype != argument.dtype or value.ndim != argument.dimensions:
        raise TypeError(f"{wanted} {kind}, not {_describe(value)}")
    if not (value.flags.c_contiguous and value.flags.aligned):
        how = "C-contiguous" if not value.flags.c_contiguous else "aligned"
        raise TypeError(f"{wanted} {kind}, in one piece; this one is not {how}, and a copy (`array.copy()`) is")


def _describe(value: Any) -> str:
    """What a value is, without all that is in it."""
    if isinstance(value, np.ndarray):
        what = "an array" if type(value) is np.ndarray else f"a {type(value).__name__}"
        return f"{what} of {value.dtype} with shape {value.shape}"
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of length {len(value)}"
    text = repr(value)
    return f"{text if len(text) <= 60 else text[:59] + '…'} ({type(value).__name__})"
