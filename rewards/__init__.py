"""Exact regret as a reward for whoever trains players that speak: `from ludus.rewards import score`."""

from ..text.scoring import Score, score

__all__ = ["Score", "score"]
