"""Quarto exactly: search, and a book for positions with few pieces."""

from __future__ import annotations

from .oracle import QuartoOracle

__all__ = ["QuartoOracle"]
