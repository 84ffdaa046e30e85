"""All that a game's file needs, from one module whose names stay where they are.

    from ludus.rules import ONGOING, Game, Pen, Symmetries, bit, has, register_game, u64

Here are the class to derive from, the types of the contract's functions, the functions over bits that kernels may call, and
the pens that boards are drawn with. `examples/hex.py` is a whole game that imports nothing else of Ludus.
"""

from __future__ import annotations

from .core.bounds import Length, OneOf
from .core.native import apart, in_ranges, is_instruction, releases_gil
from .core.numbers import Range
from .games.board_game import BoardGame
from .games.drawing.clicks import Box, Place
from .games.drawing.grid import cell_name, grid
from .games.drawing.layout import Layout, Notation, Site, Symbol, Wording
from .games.drawing.svg import (
    CELL,
    FAINT,
    FIELD,
    FIELD_LINE,
    FIRST,
    FOOT,
    FRAME,
    FRAMED,
    INK,
    MARGIN,
    MARK,
    PAPER,
    SECOND,
    TOUCHED,
    Field,
    Pen,
    caption_at,
    cell_box,
    cross,
    disc,
    element,
    label,
    ring,
    square,
)
from .games.evaluation import Evaluation
from .games.game import Game, StateArray, Symmetries
from .games.kernels.arrays import Keys, Numbers, States, Words
from .games.kernels.bits import ONE, bit, count, has, leading, lowest, number, select, spread, u64
from .games.kernels.boards import holding, put
from .games.kernels.rules import (
    ONGOING,
    Permutation,
    Plane,
    Planes,
    Sites,
    State,
    legal,
    load,
    observe,
    outcome,
    play,
    player,
    store,
)
from .games.known import Known, Reach
from .games.lesson import Exercise, Illustration, Lesson, Passing
from .games.registry import register_game
from .games.squares import field_layout, marks_notation, permutations, turns

# the game's class, what its positions seem worth, what else is known of it; bounds of settings, for their annotations
__all__ = ["Evaluation", "Game", "Known", "Length", "OneOf", "Range", "Reach", "StateArray", "Symmetries", "register_game"]
# how the game is taught on the page
__all__ += ["Exercise", "Illustration", "Lesson", "Passing"]
# the contract's types, and what `outcome` says of an unfinished game
__all__ += ["ONGOING", "Numbers", "Permutation", "Plane", "Planes", "Sites", "State"]
# the contract's functions, which kernels of your own call, and a game's state in arrays; types of arrays that kernels take
__all__ += ["Keys", "States", "Words", "legal", "load", "observe", "outcome", "play", "player", "store"]
# how kernels are compiled and run
__all__ += ["apart", "in_ranges", "is_instruction", "releases_gil"]
# bits of 64-bit words, for kernels
__all__ += ["ONE", "bit", "count", "has", "leading", "lowest", "number", "select", "spread", "u64"]
# square boards: names of cells, symmetries
__all__ += ["cell_name", "grid", "permutations", "turns"]
# a board as data: the class of games that declare it, the records, symbols and marks in SVG, sets of cells on sites
__all__ += ["BoardGame", "Layout", "Notation", "Site", "Symbol", "Wording", "field_layout", "marks_notation"]
__all__ += ["FRAMED", "TOUCHED", "caption_at", "cross", "disc", "element", "holding", "label", "put", "ring", "square"]
# drawing: the places of clicks and the pens, their colours, and lengths in pixels
__all__ += ["Box", "Field", "Pen", "Place", "cell_box"]
__all__ += ["FAINT", "FIELD", "FIELD_LINE", "FIRST", "FRAME", "INK", "MARK", "PAPER", "SECOND"]
__all__ += ["CELL", "FOOT", "MARGIN"]
