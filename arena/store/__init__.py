"""The store: a tournament's games in one SQLite file."""

from __future__ import annotations

from .store import Store

__all__ = ["Store"]
