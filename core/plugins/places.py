"""Code that the user names, as `module:name` or by plugging in a module, and where it is searched.

A module is searched where Python searches, and last in the current folder, so that nothing there hides a library. The folder never
goes on the path: it is searched for modules that the user has named, and for what code in that folder imports.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from types import FrameType, ModuleType
from typing import Any, NamedTuple

WORD = r"[^\W\d]\w*"
MODULE = rf"{WORD}(?:\.{WORD})*"
PLACE = re.compile(rf"(?:python:)?(?P<module>{MODULE}):(?P<name>{WORD})(?:,(?P<settings>.*))?")
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


class ObjectReference(NamedTuple):
    """Code that a spec names.

    Args:
        module: the module, as `import` names it.
        name: a name in it.
        settings: what follows in the spec, as text.
    """

    module: str
    name: str
    settings: str


def reference_in(spec: str) -> ObjectReference | None:
    """The code that a spec names, where it reads `module:name`, with or without settings after a comma; else None."""
    match = PLACE.fullmatch(spec.strip())
    return (
        ObjectReference(match["module"], match["name"], match["settings"] or "")
        if match and match["module"] not in NO_MODULES
        else None
    )


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


def load_reference(reference: ObjectReference) -> Any:
    """The object that a reference names.

    Raises:
        ValueError: the module cannot be imported, or has nothing of that name.
    """
    module = _import(reference.module)
    try:
        return getattr(module, reference.name)
    except AttributeError:
        where = getattr(module, "__file__", None)
        at = f" (it is {where})" if where else ""
        raise ValueError(f"the module {reference.module!r} has no {reference.name!r}{at}") from None


def plugged_in_modules() -> list[str]:
    """The modules that were plugged in."""
    return [*_plugged_in]


def modules_beside() -> dict[str, list[str]]:
    """The folders in which modules were found that the user named, each with these modules."""
    return {finder.folder: [*finder.named] for finder in sys.meta_path if isinstance(finder, Beside)}


def find_beside(named: Mapping[str, Sequence[str]]) -> None:
    """Lets modules be found in folders, as another process said by `modules_beside`."""
    for folder, modules in named.items():
        finder = next((entry for entry in sys.meta_path if isinstance(entry, Beside) and entry.folder == folder), None)
        if finder is None:
            sys.meta_path.append(finder := Beside(folder))
        finder.named.update(dict.fromkeys(modules))


class Beside(MetaPathFinder):
    """Finds modules in a folder, after all other finders have failed.

    It finds those that the user has named for any code, and all others for code in that folder alone. Who asks is read from the
    stack, since nothing else says so. Without it either a named module does not find its neighbours, which it may import at any
    time; or a library that asks whether torch is installed imports a stranger's `torch/` that lies there.

    Args:
        folder: where to look.
    """

    def __init__(self, folder: str) -> None:
        self.folder, self.named = folder, dict[str, None]()

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if path is not None or not (fullname in self.named or self._is_asked_from_there()):
            return None
        return PathFinder.find_spec(fullname, [self.folder])

    def _is_asked_from_there(self) -> bool:
        frame: FrameType | None = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
        while frame is not None and "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        return frame is not None and os.path.abspath(frame.f_code.co_filename).startswith(os.path.join(self.folder, ""))


def _import(module: str) -> ModuleType:
    if not re.fullmatch(MODULE, module):
        raise ValueError(f"{module!r} is not the name of a module; write it as after Python's `import`: kalah, or games.kalah")
    try:
        _find(module.partition(".")[0])
        return import_module(module)
    except Exception as error:
        if module.endswith(".py"):
            raise ValueError(f"a module is named without .py: {module.removesuffix('.py')!r}, not {module!r}") from None
        what = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        raise ValueError(f"the module {module!r} could not be imported ({what})") from error


def _find(package: str) -> None:
    """Lets a module be found in the current folder where it stands there and nowhere else."""
    if package in sys.modules or find_spec(package) is not None:
        return
    with suppress(OSError):  # the folder has been deleted
        folder = os.getcwd()
        if PathFinder.find_spec(package, [folder]) is not None:
            find_beside({folder: [package]})
