"""Measuring policies: matches, tournaments, ratings, grades against perfect play."""

from __future__ import annotations

from ..agents.registry import as_policy
from .evaluate import evaluate
from .grading import ExactGrade, Grade, grade
from .matches.games import GameRecord, Pairing
from .planning.plan import Entrant, Plan
from .ratings.score import Score
from .tournament import Tournament, play_protocol, resume, tournament

__all__ = [
    "Entrant",
    "ExactGrade",
    "GameRecord",
    "Grade",
    "Pairing",
    "Plan",
    "Score",
    "Tournament",
    "as_policy",
    "evaluate",
    "grade",
    "play_protocol",
    "resume",
    "tournament",
]
