"""What verifiers looks for in the module `ludus`: a taskset, its environment and its harness, by `ludus.__all__`.

Where verifiers is not installed the names are there too, and say what is missing as soon as they are used.
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
