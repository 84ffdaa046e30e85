"""Exact regret as a reward for whoever trains players that speak: `from ludus.rewards import score`."""

from ..text.scoring import AnswerScore as Score
from ..text.scoring import score

__all__ = ["Score", "score"]
