"""Quarto exactly: search, and a book for positions with few pieces."""

from __future__ import annotations

from .book import QuartoBook
from .oracle import QuartoOracle

build_book = QuartoBook.build

__all__ = ["QuartoOracle", "build_book"]
