"""What is known of Quixo besides its rules."""

from __future__ import annotations

from ..known import Known, Reach

KNOWN = Known(
    oracle="ludus.oracles.quixo:QuixoOracle",
    reach={25: Reach(grades={"depth": 6}, pages={"depth": 4})},
    exact_cells=16,
)
