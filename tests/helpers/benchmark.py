"""The scripts of benchmarks/, as modules."""

import sys
from importlib import import_module
from types import ModuleType

from .system.processes import ROOT

BENCHMARKS = ROOT / "benchmarks"
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))


def script(name: str) -> ModuleType:
    """A script by its place in benchmarks/, as `checks.covering`; imported, and not run."""
    return import_module(f"benchmarks.{name}")
