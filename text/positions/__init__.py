"""Positions with the exact value of every legal move, for training and for tests.

collecting.py   random games, their positions up to symmetry, equal shares of all strata
solving.py      what perfect play says about each position, and how hard it is
card.py         the data card of a file of positions
"""

from .card import PositionsFile, card
from .collecting import collect
from .solving import SolvedPositions, Stratum, counts, records

__all__ = ["PositionsFile", "SolvedPositions", "Stratum", "card", "collect", "counts", "records"]
