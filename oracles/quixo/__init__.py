"""Quixo exactly: solved backwards on 3×3 and 4×4, endings by search on 5×5."""

from __future__ import annotations

from .oracle import QuixoOracle

__all__ = ["QuixoOracle"]
