"""Code that the user names is imported apart: where two policies each bring a `helper.py`, each gets its own.

Python knows a module by its name, one for the whole process. Here each module that the user names has `sys.path` and all modules
but libraries to itself while it is imported, and whenever it imports later, as it plays. A file is still run once: code of two
modules that import the same file shares what it defines. Outside, a name stays in `sys.modules` where it means one file to all.
"""

from __future__ import annotations

import builtins
import os
import sys
import sysconfig
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import resolve_name
from operator import attrgetter
from threading import RLock
from types import ModuleType
from typing import Any

STANDARD = sysconfig.get_path("stdlib")
INSTALLED = tuple(f"{os.sep}{folder}{os.sep}" for folder in ("site-packages", "dist-packages"))
"""What stands in the paths of libraries that are not Python's own."""
PACKAGE = __name__.partition(".")[0]

_lock = RLock()
_all_code = dict[tuple[str, str], "CodeApart"]()
"""What was imported apart, by its name and its place."""
_run = dict[str, ModuleType]()
"""All modules that were run, by their file, as far as such code has met them."""


def code_of(name: str, folder: str | None = None) -> CodeApart | None:
    """What the module of this name has to itself; None for a library, which is the same for all, and where there is none.

    `folder` is where it lies, if the current folder may be another one now.
    """
    top, folder = name.partition(".")[0], folder or folder_of(name)
    place = _place(PathFinder.find_spec(top, [folder]) if folder else _find_spec(top))
    return None if not place or _is_library(top, place) else _all_code.setdefault((name, place), CodeApart(name, folder))


def folder_of(name: str) -> str | None:
    """The current folder, where a module lies there and nowhere else."""
    top = name.partition(".")[0]
    with suppress(OSError):  # the folder has been deleted
        folder = os.getcwd()
        if _find_spec(top) is None and PathFinder.find_spec(top, [folder]) is not None:
            return folder
    return None


def reduce_apart(thing: Any) -> tuple[Any, ...] | None:
    """What `pickle` wants of a function or class of code that was imported apart; None for any other thing."""
    module, path = getattr(thing, "__module__", None), getattr(thing, "__qualname__", "")
    for code in _all_code.values():
        if module in code.modules and _attribute(code.modules[module], path) is thing:
            return _find_apart, (code.name, code.folder, module, path)
    return None


def _find_apart(name: str, folder: str | None, module: str, path: str) -> Any:
    """What `reduce_apart` has reduced."""
    code = code_of(name, folder)
    return None if code is None else _attribute(code.load(module), path)


def _attribute(module: ModuleType, path: str) -> Any:
    """What stands in a module under the name that a function or class has for itself; None if that is nothing."""
    try:
        return attrgetter(path)(module)
    except AttributeError:
        return None


class CodeApart:
    """What one module that the user names has to itself: `sys.path`, as its code leaves it, and modules by their names."""

    active: CodeApart | None = None
    """Whose modules stand in `sys.modules`."""

    def __init__(self, name: str, folder: str | None) -> None:
        self.name, self.folder = name, folder
        self.modules = dict[str, ModuleType]()
        self._path = [*sys.path, *([folder] if folder else [])]
        self._builtins = {**vars(builtins), "__import__": self._import}

    def load(self, name: str) -> ModuleType:
        """One of its modules."""
        with self.enter():
            return import_module(name)

    @contextmanager
    def enter(self) -> Generator[None]:
        """While its code imports."""
        with _lock:
            if CodeApart.active is self:
                yield
                return
            before, path, others = CodeApart.active, [*sys.path], _own_modules()
            _run.update(_by_place(others))
            for name in others:
                del sys.modules[name]
            # what was imported anew from the same file, as in a notebook, replaces what was there
            sys.modules.update({name: _run.get(_place(module), module) for name, module in self.modules.items()})
            sys.path[:] = self._path
            sys.meta_path.insert(0, self)
            CodeApart.active = self
            try:
                yield
            finally:
                CodeApart.active = before
                sys.meta_path.remove(self)
                self._path, self.modules = [*sys.path], _own_modules()
                _run.update(_by_place(self.modules))
                for name in self.modules:
                    del sys.modules[name]
                sys.modules.update(others)
                sys.path[:] = path
                if before is None:
                    _share_names()

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Where a module lies, as Python finds it; a file that was run before is not run again."""
        spec = _find_spec(name, path, target)
        place = _place(spec)
        if spec is None or not place or _is_library(name, place):
            return spec
        if place in _run:
            spec.loader = _Loaded(_run[place])  # pyright: ignore[reportAttributeAccessIssue]
        elif isinstance(spec.loader, SourceFileLoader):
            execute = spec.loader.exec_module

            def execute_apart(module: ModuleType) -> None:
                # a function keeps the builtins that its module has when it is defined: so it imports by `_import` later, too
                vars(module)["__builtins__"] = self._builtins
                execute(module)

            spec.loader.exec_module = execute_apart
        return spec

    def _import(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> ModuleType:
        """What an `import` in its modules calls."""
        full = resolve_name("." * level + name, globals["__package__"]) if level else name
        top, module = full.partition(".")[0], self.modules.get(full)
        # what is there already, its own or a library, is found without exchanging all modules: policies import as they play
        if module is not None and all(hasattr(module, part) for part in fromlist or ()):
            return module if fromlist else self.modules[top]
        if top in sys.modules and top not in self.modules and not _is_own(top, sys.modules[top]):
            return builtins.__import__(name, globals, locals, fromlist, level)
        with self.enter():
            return builtins.__import__(name, globals, locals, fromlist, level)


def _share_names() -> None:
    """Leaves in `sys.modules` the names that mean one file to all code and to Python's path, and those that the user gave.

    Type hints and pickles that are read as policies play look there. What has come to mean several files is taken back.
    """
    meanings, given = dict[str, dict[str, ModuleType]](), dict[str, ModuleType]()
    for code in _all_code.values():
        for name, module in code.modules.items():
            meanings.setdefault(name, {})[_place(module)] = module
            if name.partition(".")[0] == code.name.partition(".")[0]:
                given[name] = module
    for name, modules in meanings.items():
        if sys.modules.get(name) in (None, *modules.values()):
            top = name.partition(".")[0]
            without = _place(PathFinder.find_spec(top))  # without what code has added to the path
            if name in given or (len(modules) == 1 and (not without or without in meanings[top])):
                sys.modules[name] = given.get(name) or next(iter(modules.values()))
            else:
                sys.modules.pop(name, None)


class _Loaded:
    """Loads a module that was loaded before."""

    def __init__(self, module: ModuleType) -> None:
        self._module, self._spec = module, module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec


def _find_spec(name: str, *where: Any) -> ModuleSpec | None:
    """Where Python finds a module, whatever was imported under its name."""
    finders = [finder for finder in sys.meta_path if not isinstance(finder, CodeApart)]
    return next((spec for finder in finders if (spec := finder.find_spec(name, *(where or (None,)))) is not None), None)


def _place(module: Any) -> str:
    """The file of a module or spec, or the folder of a package without one; empty for what has none, as a part of Python itself."""
    spec = module if isinstance(module, ModuleSpec) else getattr(module, "__spec__", None)
    if not isinstance(spec, ModuleSpec):
        return ""
    return (spec.has_location and spec.origin) or next(iter(spec.submodule_search_locations or ()), "")


def _by_place(modules: dict[str, ModuleType]) -> dict[str, ModuleType]:
    return {_place(module): module for module in modules.values()}


def _own_modules() -> dict[str, ModuleType]:
    """All modules but libraries, by their names."""
    return {name: module for name, module in sys.modules.copy().items() if _is_own(name, module)}


def _is_own(name: str, module: ModuleType) -> bool:
    place = _place(module)
    return place != "" and name != "__main__" and not _is_library(name, place)


def _is_library(name: str, place: str) -> bool:
    return name.partition(".")[0] == PACKAGE or place.startswith(STANDARD) or any(folder in place for folder in INSTALLED)
