"""What is known of tic-tac-toe besides its rules."""

from __future__ import annotations

from ..known import Known

KNOWN = Known()
