"""Exact play of Quixo: 3×3 and 4×4 solved backwards, endings of 5×5 by search."""

from __future__ import annotations

from .oracle import QuixoOracle

__all__ = ["QuixoOracle"]
