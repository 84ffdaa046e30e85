"""Search over any game, from which policies and oracles are made: alpha-beta, Monte-Carlo trees, limits of a search."""

from __future__ import annotations

from .alphabeta.negamax import AlphaBeta
from .mcts.forest import SearchResults
from .mcts.guided import GuidedSearch, InlineEvaluator
from .watch import Watch

__all__ = ["AlphaBeta", "GuidedSearch", "InlineEvaluator", "SearchResults", "Watch"]
