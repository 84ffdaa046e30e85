"""The names that verifiers looks up in `ludus.__all__`: a taskset, its environment and its harness.

Without verifiers the names exist too, and raise an error that says what is missing when they are used.
"""

from __future__ import annotations

from typing import Any

from ...core.plugins.loading import install_with

try:
    from .verifiers import VerifiersEnv, VerifiersHarness, VerifiersTaskset
except ImportError as error:
    MISSING = f"this needs verifiers ({error}); with Python 3.11 or newer, {install_with('verifiers')} brings it"

    class _Missing:
        def __init__(self, *_: Any, **__: Any) -> None:
            raise ImportError(MISSING)

    VerifiersEnv = VerifiersHarness = VerifiersTaskset = _Missing

__all__ = ["VerifiersEnv", "VerifiersHarness", "VerifiersTaskset"]
