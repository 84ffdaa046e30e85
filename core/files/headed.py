"""Files for a page: a head of JSON, and numbers after it, lowest byte first.

The head is padded with spaces to a multiple of 4 bytes; its length comes before it, as a uint32.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def join_head(head: Mapping[str, Any], numbers: bytes) -> bytes:
    """The bytes of a file."""
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return len(text).to_bytes(4, "little") + text + numbers
