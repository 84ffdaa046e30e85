"""Oracles: exact values of positions, each within its reach."""

from __future__ import annotations

from .oracle import OUT_OF_REACH, UNKNOWN, Oracle, PositionTable, PositionValues, Solution, describe
from .registry import make_oracle

__all__ = ["OUT_OF_REACH", "UNKNOWN", "Oracle", "PositionTable", "PositionValues", "Solution", "describe", "make_oracle"]
