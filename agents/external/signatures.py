"""Which arguments a function takes, by the names of its parameters."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def takes_states(function: Any) -> bool:
    """Whether it is a function whose first two parameters are named `states` and `keys`."""
    return [p.name for p in positional_parameters(function)[:2]] == ["states", "keys"]


def takes_mask(function: Callable[..., Any]) -> bool | None:
    """Whether a function of observations takes masks too: it needs two arguments, or has a parameter named after masks.

    None where its signature does not tell: it takes any number of arguments, or has no signature.
    """
    parameters = _parameters(function)
    if not positional_parameters(function) and (parameters is None or any(p.kind is p.VAR_POSITIONAL for p in parameters)):
        return None
    return len(required_parameters(function)) != 1 or any("mask" in p.name for p in positional_parameters(function))


def call_with_masks(observations: Any, masks: Any, function: Callable[..., Any], with_mask: bool | None) -> Any:
    """The answer of a function, called with the masks if it takes them. Where that is not known, it is called with them first, and
    without them if it refuses."""
    if with_mask is not False:
        try:
            return function(observations, masks)
        except TypeError as error:
            if with_mask or "positional argument" not in str(error):
                raise
    return function(observations)


def required_parameters(function: Any) -> list[str]:
    """The names of the parameters without a default; none where that cannot be known."""
    return [p.name for p in positional_parameters(function) if p.default is p.empty]


def positional_parameters(function: Any) -> list[inspect.Parameter]:
    """The parameters that can be passed by position; none where that cannot be known."""
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
