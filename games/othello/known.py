"""What is known of Othello besides its rules."""

from __future__ import annotations

from ..known import Known, Reach

KNOWN = Known(
    oracle="ludus.oracles.othello:OthelloOracle",
    reach={
        36: Reach(grades={"empties": 18}, pages={"empties": 14}),
        64: Reach(grades={"empties": 16}, pages={"empties": 14}),
    },
    exact_cells=16,
)
