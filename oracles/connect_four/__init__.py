"""Connect Four exactly: a search, and a book of the first plies."""

from __future__ import annotations

from .oracle import ConnectFourOracle

__all__ = ["ConnectFourOracle"]
