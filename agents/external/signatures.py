"""Which arguments a function takes, by the names of its parameters."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def takes_states(function: Any) -> bool:
    """Whether it is a function of `states` and `keys`, so named."""
    return [p.name for p in by_place(function)[:2]] == ["states", "keys"]


def takes_mask(function: Callable[..., Any]) -> bool | None:
    """Whether a function of observations takes masks too: it needs two arguments, or has one that is named after masks.

    None where its signature does not say: it takes any number of arguments, or has no signature.
    """
    found = _parameters(function)
    if not by_place(function) and (found is None or any(p.kind is p.VAR_POSITIONAL for p in found)):
        return None
    return len(needed(function)) != 1 or any("mask" in p.name for p in by_place(function))


def call_with_masks(observations: Any, masks: Any, function: Callable[..., Any], with_mask: bool | None) -> Any:
    """The answer of a function, which is given the masks if it takes them; where that is not known, unless it refuses them."""
    if with_mask is not False:
        try:
            return function(observations, masks)
        except TypeError as error:
            if with_mask or "positional argument" not in str(error):
                raise
    return function(observations)


def needed(function: Any) -> list[str]:
    """The names of the parameters that must be given; none where that cannot be known."""
    return [p.name for p in by_place(function) if p.default is p.empty]


def by_place(function: Any) -> list[inspect.Parameter]:
    """The parameters that can be given without their names; none where that cannot be known."""
    return [p for p in _parameters(function) or () if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _parameters(function: Any) -> list[inspect.Parameter] | None:
    """All parameters; None where there is no signature."""
    with suppress(TypeError, ValueError):
        return [*inspect.signature(function).parameters.values()]
    torch: Any = sys.modules.get("torch")
    if torch is not None and isinstance(function, (torch.ScriptMethod, torch.ScriptFunction)):
        own = isinstance(function, torch.ScriptMethod)  # its first argument is the module itself
        defaults = {True: None, False: inspect.Parameter.empty}
        return [
            inspect.Parameter(part.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=defaults[part.has_default_value()])
            for part in function.schema.arguments[own:]
        ]
    return None
