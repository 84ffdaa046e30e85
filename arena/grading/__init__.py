"""Grades: how a policy's moves compare with perfect play; of a sample of games, or exactly.

decisions.py   what a policy chose in games that were played         sampled.py   `Grade`, for such decisions
values.py      what positions are worth                              chances.py   how likely a policy takes each action
analysis.py    one seat of a policy, computed over its graph         losses.py    how much value the moves of a graph lose
seat.py        `SeatGrade`, what is said of one seat                 exact.py     `grade_exactly`, for both seats
grade.py       `grade`                                               exact_grade.py   `ExactGrade`
answers.py     `AnswerRates`, of policies that speak                 kept.py      what a policy answered, kept in a file
calibration.py `Calibration`, of the values that it states
seeds.py       `ExactGrades`, for several seeds                      verdict.py   what an oracle says about single moves

The graph of a game's positions, and the kernels that pass over it, are in oracles/statespace.
"""

from __future__ import annotations

from .calibration import Calibration
from .exact import grade_exactly
from .exact_grade import ExactGrade
from .grade import grade
from .sampled import Grade, grade_decisions, grade_records
from .seat import Expected, SeatGrade
from .seeds import ExactGrades

__all__ = [
    "Calibration",
    "ExactGrade",
    "ExactGrades",
    "Expected",
    "Grade",
    "SeatGrade",
    "grade",
    "grade_decisions",
    "grade_exactly",
    "grade_records",
]
