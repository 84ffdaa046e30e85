"""Othello exactly: a search of endgames, and the FFO suite of them."""

from __future__ import annotations

from .ffo import ffo
from .oracle import OthelloOracle

__all__ = ["OthelloOracle", "ffo"]
