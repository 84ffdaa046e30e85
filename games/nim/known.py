"""What is known of Nim besides its rules."""

from __future__ import annotations

from ..known import Known

KNOWN = Known(oracle="ludus.oracles.nim:NimOracle")
