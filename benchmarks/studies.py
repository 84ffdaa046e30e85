"""All studies: those that the modules in the folders beside this one list in `STUDIES`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from .runner import Study

FOLDER = Path(__file__).parent


def studies() -> dict[str, Study]:
    """The studies by name."""
    modules = [
        import_module(f"benchmarks.{place.parent.name}.{place.stem}")
        for place in sorted(FOLDER.glob("*/[!_]*.py"))
        if place.parent.name != "making"
    ]
    return {study.name: study for module in modules for study in getattr(module, "STUDIES", ())}
