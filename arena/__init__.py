"""Measuring policies: matches, tournaments, ratings, grades against perfect play."""

from __future__ import annotations

from ..agents.registry import as_policy
from .assignment import Assignment, grade_files
from .evaluate import evaluate
from .exploiting.exploit import exploit
from .exploiting.result import Exploit
from .grading import ExactGrade, GamesGrade, Grade, grade, grade_exact, grade_games
from .matches.games import GameRecord, Pairing
from .matches.settings import MatchSettings
from .move_times import MoveTimes, time_moves
from .outside import RatedPlayers, rate
from .planning.plan import Entrant, Plan, Sprt
from .ratings.comparison import PointsComparison, compare, compare_all
from .ratings.score import Score
from .tournament import Tournament, play_protocol, resume, tournament

__all__ = [
    "Assignment",
    "Entrant",
    "ExactGrade",
    "Exploit",
    "GameRecord",
    "GamesGrade",
    "Grade",
    "MatchSettings",
    "MoveTimes",
    "Pairing",
    "Plan",
    "PointsComparison",
    "RatedPlayers",
    "Score",
    "Sprt",
    "Tournament",
    "as_policy",
    "compare",
    "compare_all",
    "evaluate",
    "exploit",
    "grade",
    "grade_exact",
    "grade_files",
    "grade_games",
    "play_protocol",
    "rate",
    "resume",
    "time_moves",
    "tournament",
]
