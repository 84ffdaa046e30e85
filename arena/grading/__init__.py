"""Grades: how a policy's moves compare with perfect play; of a sample of games, or exactly. In the order of the data:

decisions.py     a policy's decisions in games, what they and random moves lose there, and `RelativeLoss`
sampled.py       `grade`, of a sample of games, and `Grade`
answers.py       how likely a policy takes each action in any position; its answers kept in a file
seat.py          `SeatGrade`, of one seat over all positions, and how it is computed
calibration.py   `Calibration`, of the values that a policy states
exact.py         `grade_exact`, for both seats, and `ExactGrade`
recorded.py      `grade_games`, of recorded games of people or programs
verdict.py       `Verdict`, an oracle's word on a single move
answer_rates.py  `AnswerRates`, of policies that speak

The graph of a game's positions, and the kernels that pass over it, are in oracles/statespace.
"""

from __future__ import annotations

from .calibration import Calibration
from .exact import ExactGrade, grade_exact
from .recorded import GamesGrade, GradedMove, PlayerGrade, grade_games
from .sampled import Grade, grade, grade_decisions, grade_records
from .seat import Expected, SeatGrade

__all__ = [
    "Calibration",
    "ExactGrade",
    "Expected",
    "GamesGrade",
    "Grade",
    "GradedMove",
    "PlayerGrade",
    "SeatGrade",
    "grade",
    "grade_decisions",
    "grade_exact",
    "grade_games",
    "grade_records",
]
