"""Files that begin with a checksum: BLAKE2b over a label and the content, 16 bytes, and then the content.

The label says what the file is, and is not written into it: a file that was renamed or put elsewhere does not fit its place.
Compiled kernels and the books of oracles are such files.
"""

from __future__ import annotations

from pathlib import Path

from .reading import DIGEST_BYTES, digest
from .writing import write_whole


def write_checked(path: Path, *content: bytes | memoryview, label: bytes = b"", mode: int | None = None) -> None:
    """Writes a file whole, its checksum first.

    Args:
        path: the file.
        content: what it holds, in one part or several.
        label: what it is.
        mode: its permissions; the usual ones where it is not given.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(path, digest(label, *content), *content, mode=mode)


def content_of(file: bytes | memoryview, label: bytes = b"") -> memoryview:
    """What a file holds after its checksum.

    Raises:
        ValueError: its checksum does not fit.
    """
    content = memoryview(file)[DIGEST_BYTES:]
    if digest(label, content) != file[:DIGEST_BYTES]:
        raise ValueError("its checksum is wrong")
    return content
