"""Sets of positions that players who speak are asked about, each with the value of every move and with what it asks.

demands.py     what a position asks, by the rules alone: win now, stop a loss, or neither
positions.py   `BenchPosition`, `PositionSet`, and the set of any positions
choosing.py    new sets: positions of random games, in equal shares of what they ask
frozen.py      the sets that ship, and never change; their folder is `ludus-positions-1`
"""

from .choosing import make_set
from .demands import ASKS, Ask
from .frozen import FROZEN, frozen_set
from .positions import BenchPosition, MoveValue, PositionSet, position_set

__all__ = ["ASKS", "FROZEN", "Ask", "BenchPosition", "MoveValue", "PositionSet", "frozen_set", "make_set", "position_set"]
