"""Packages whose public names load at first use, so that importing one costs nothing that is not used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def lazy(
    package: str, homes: Mapping[str, str], modules: Iterable[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package, by which Python finds its names and lists those that are public.

    Args:
        package: its `__name__`.
        homes: for each public name the module of the package that defines it.
        modules: modules of the package that are public themselves.
    """
    public = {*homes, *modules}

    def find(name: str) -> Any:
        if name in homes:
            return getattr(import_module(f"{package}.{homes[name]}"), name)
        if name in public:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        here = vars(sys.modules[package])
        return sorted({*public, *here["__all__"], *(name for name in here if name.startswith("__"))})

    return find, names
