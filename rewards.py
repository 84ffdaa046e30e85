"""Exact regret as a reward for whoever trains players that speak: `from ludus.rewards import score`."""

from .text.scoring import REWARDS, score
from .text.scoring import AnswerScore as Score

__all__ = ["REWARDS", "Score", "score"]
