"""Oracles: exact values, one for each game, as far as they reach."""

from __future__ import annotations

from .oracle import OUT_OF_REACH, UNKNOWN, Oracle, Solution, describe
from .registry import has_oracle, make_oracle

__all__ = ["OUT_OF_REACH", "UNKNOWN", "Oracle", "Solution", "describe", "has_oracle", "make_oracle"]
