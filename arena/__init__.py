"""Measuring policies: matches between them."""

from __future__ import annotations

from .match import Result, play_match

__all__ = ["Result", "play_match"]
