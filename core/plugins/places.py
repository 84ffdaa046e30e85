"""Code that the user names, as `module:name` or by plugging in a module, and where it is searched.

A module is searched where Python searches, and last in the current folder, so that nothing there hides a library: where the user
names a module that lies there and nowhere else, the folder goes to the end of the path.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from types import ModuleType
from typing import Any, NoReturn

from ..errors import sentence
from ..numbers import short_repr
from ..specs import Spec, parse_settings

WORD = r"[^\W\d]\w*"
MODULE = rf"{WORD}(?:\.{WORD})*"
NAMED_CODE = re.compile(rf"(?:python:)?(?P<name>(?P<module>{MODULE}):{WORD})(?:,(?P<settings>.*))?")
"""How code is named: `module:name`, with settings after a comma; `python:` may stand before it."""
PICKLED = re.compile(r"(?<![\w.])sb3\s*:")
"""A file that runs the code it holds when it is loaded, anywhere in a text."""
OUTSIDE = re.compile(r"(?<![\w.])(?:sb3|engine|llm)\s*:")
"""What reaches beyond this process, anywhere in a text: such a file, a program that is started, or an address that is asked."""
SPOKEN_TO = ("engine", "llm")
"""Words before a colon in whose specs other colons name no code: they stand in commands, addresses and names of models."""
NO_MODULES = ("python", "run", "sb3", *SPOKEN_TO)
"""Words before a colon that are never modules, in specs of any kind."""

_plugged_in = dict[str, None]()
"""The modules that the user has plugged in, in that order."""
named_folders = set[str]()
"""The folders where modules lie that the user has named; what they say that is installed there is not looked at."""


class RefusedSpecError(ValueError):
    """A spec from a file, a page or a program names what it may not name."""


@dataclass(frozen=True, repr=False)
class UntrustedSpec:
    """A spec in a file of which nothing may be made here (trust.py), and the sentence that says why."""

    text: str
    why: str = field(compare=False)

    def refuse(self) -> NoReturn:
        """Raises the RefusedSpecError that says why nothing is made of it."""
        raise RefusedSpecError(self.why)

    def __repr__(self) -> str:
        return f"<{self.text!r}, not trusted>"


def parse_code(spec: str | UntrustedSpec) -> Spec | None:
    """A spec that names code, as `module:name` with or without settings after a comma; None if it names something else.
    RefusedSpecError where it is from a file that is not trusted, ValueError where what follows the comma is not a setting."""
    if isinstance(spec, UntrustedSpec):
        spec.refuse()
    match = NAMED_CODE.fullmatch(spec.strip())
    if match is None or match["module"] in NO_MODULES:
        return None
    return Spec(match["name"], parse_settings(match["settings"] or "", spec))


def plug_in(module: str) -> None:
    """Imports a module that registers games, policies, trainers or evaluations, as `ludus --import MODULE` does.

    Files that need the module, such as runs and stores, are read from then on.

    Args:
        module: its name. Its code runs, so it must be one that you trust.

    Raises:
        ValueError: it is not a module's name, or cannot be imported.
    """
    _import(module)
    _plugged_in[module] = None


def load_code(name: str) -> Any:
    """The object at `module:name`; ValueError where the module cannot be imported, or has nothing of that name."""
    path, _, attribute = name.partition(":")
    module = _import(path)
    try:
        return getattr(module, attribute)
    except AttributeError:
        where = getattr(module, "__file__", None)
        at = f" (it is {where})" if where else ""
        raise ValueError(f"the module {short_repr(path)} has no {short_repr(attribute)}{at}") from None


def plugged_in_modules() -> list[str]:
    """The modules that were plugged in."""
    return [*_plugged_in]


def _import(module: str) -> ModuleType:
    if not re.fullmatch(MODULE, module):
        raise ValueError(
            f"{short_repr(module)} is not the name of a module; write it as after Python's `import`: kalah, or games.kalah"
        )
    _find_in_current_folder(module.partition(".")[0])
    try:
        return import_module(module)
    except Exception as error:  # the module's own code may raise anything
        if module.endswith(".py"):
            raise ValueError(
                f"a module is named without .py: {short_repr(module.removesuffix('.py'))}, not {short_repr(module)}"
            ) from None
        what = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        raise ValueError(f"the module {short_repr(module)} could not be imported ({sentence(what)})") from error


def _find_in_current_folder(top: str) -> None:
    """Adds the current folder to the end of the path where a module or package lies there and nowhere else."""
    with suppress(OSError, ValueError):  # the folder has been deleted; a module was made without a spec
        folder = os.getcwd()
        if find_spec(top) is None and PathFinder.find_spec(top, [folder]) is not None:
            sys.path.append(folder)
            named_folders.add(folder)
