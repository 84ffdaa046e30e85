"""Files that are there whole or not at all, and the checksum that tells whether they still are."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

DIGEST_BYTES = 16


def digest(*parts: bytes | memoryview) -> bytes:
    """The checksum of some content, given in one part or several: BLAKE2b, DIGEST_BYTES long."""
    found = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        found.update(part)
    return found.digest()


def write_whole(path: Path, *parts: bytes | memoryview) -> None:
    """Writes a file beside its place, then moves it there; an error or an interruption leaves nothing of it.

    Raises:
        OSError: it cannot be written.
    """
    with writing_whole(path) as file:
        for part in parts:
            file.write(part)


@contextmanager
def writing_whole(path: Path) -> Generator[BinaryIO]:
    """As `write_whole`, for what is written little by little: it is in its place when all went well.

    Raises:
        OSError: it cannot be written.
    """
    partial = path.with_name(f"{path.name}.{os.urandom(4).hex()}.partial")
    try:
        file = partial.open("xb")
    except OSError as error:
        raise type(error)(f"{path} cannot be written ({error.strerror}); its folder must be there and writable") from None
    try:
        with file:
            yield file
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
