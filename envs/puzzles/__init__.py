"""One-player problems: what a solver looks for, and Gymnasium environments over it."""

from __future__ import annotations

from .puzzle import Answers, Puzzle
from .registry import make_puzzle, puzzle_names

__all__ = ["Answers", "Puzzle", "make_puzzle", "puzzle_names"]
