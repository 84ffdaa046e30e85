"""What is known of Connect Four besides its rules."""

from __future__ import annotations

from ..known import Known

KNOWN = Known(oracle="ludus.oracles.connect_four:ConnectFourOracle", exact_cells=25)
