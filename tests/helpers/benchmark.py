"""The scripts of benchmarks/, as modules, and a source and a script to try them with."""

from importlib import import_module
from types import ModuleType

from .system.processes import ROOT

BENCHMARKS = ROOT / "benchmarks"

SOURCE = '''"""What this is."""

import numpy as np
from .here import helper

LIMIT = 3


def double(x):
    """Twice as much."""
    return helper(x) + x  # once more


class Box:
    """Holds."""

    size = LIMIT
'''
"""A file that results depend on."""
SCRIPT = """from library import tool

RUNS = 3


def parts(chosen):
    return {"one": measure}


def measure():
    return tool(RUNS)


def shown(found):
    return {"one": str(found["one"])}
"""
"""A script that measures."""


def script(name: str) -> ModuleType:
    """A script by its place in benchmarks/, as `checks.covering`; imported, and not run."""
    return import_module(f"benchmarks.{name}")
