"""Code that the user names, as `module:name` or by plugging in a module, and what may be imported."""

from __future__ import annotations

import re
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

WORD = r"[^\W\d]\w*"
MODULE = rf"{WORD}(?:\.{WORD})*"
PLACE = re.compile(rf"(?:python:)?(?P<module>{MODULE}):(?P<name>{WORD})(?:,(?P<settings>.*))?")
"""How code is named: `module:name`, with settings after a comma; `python:` may stand before it."""

_trusted = dict[str, None]()
"""The modules that files may name, as the user has plugged them in, in that order."""


class Place(NamedTuple):
    """Code that a spec names.

    Args:
        module: the module, as `import` names it.
        name: what stands in it.
        settings: what follows in the spec, as text.
    """

    module: str
    name: str
    settings: str


def place_of(spec: str) -> Place | None:
    """The code that a spec names, where it reads `module:name`, with or without settings after a comma; else None."""
    found = PLACE.fullmatch(spec.strip())
    return Place(found["module"], found["name"], found["settings"] or "") if found and found["module"] != "python" else None


def plug_in(module: str) -> None:
    """Imports a module that registers games, policies, trainers or evaluations, as `ludus --import MODULE` does.

    Files that need the module, such as runs and stores, are read from then on.

    Args:
        module: its name. Its code runs, so it must be one that you trust.

    Raises:
        ValueError: it is no module's name, or cannot be imported.
    """
    _import(module)
    _trusted[module] = None


def attribute(place: Place) -> Any:
    """What stands at a place that the user named.

    Raises:
        ValueError: the module cannot be imported, or has nothing of that name.
    """
    try:
        return getattr(_import(place.module), place.name)
    except AttributeError:
        raise ValueError(f"the module {place.module!r} has no {place.name!r}") from None


def trusted(place: Place) -> bool:
    """Whether the user has plugged in the module of some code, so that files may name it."""
    return place.module in _trusted


def plugged_in() -> list[str]:
    """The modules that were plugged in."""
    return [*_trusted]


def _import(module: str) -> ModuleType:
    if not re.fullmatch(MODULE, module):
        raise ValueError(f"{module!r} is no module's name, which reads as in Python's import: kalah, or games.kalah")
    try:
        return import_module(module)
    except Exception as error:
        what = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        raise ValueError(f"the module {module!r} could not be imported ({what})") from error
