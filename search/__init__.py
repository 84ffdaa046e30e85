"""Search over any game, the pieces that policies and oracles are made of."""

from __future__ import annotations

from .watch import Watch

__all__ = ["Watch"]
