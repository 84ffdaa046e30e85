"""What is known of Quarto besides its rules."""

from __future__ import annotations

from ..known import Known, Reach

KNOWN = Known(
    oracle="ludus.oracles.quarto:QuartoOracle",
    reach={16: Reach(grades={"placed": 4}, pages={"placed": 8}, training={"placed": 6})},
    exact_cells=0,
)
