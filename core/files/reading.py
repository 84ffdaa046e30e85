"""Reads files, and makes the checksum that shows whether a file still holds what was written (writing.py writes files).

Compiled kernels and the books of oracles begin with their checksum: over a label, which says what the file is and is not written
into it, and the content. So a file that was renamed or put elsewhere does not fit its place.

Only regular files are read: reading a FIFO or a terminal may never return, and a device has no end.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import stat
from pathlib import Path
from typing import BinaryIO

from ..numbers import short_repr

DIGEST_BYTES = 16
LONGEST_PATH = 4096
"""Characters that the path of a file has at most."""
MOST_BYTES = 16 << 30
"""The largest file that is read, where no other limit is given: 16 GiB."""
BYTE_ORDER_MARKS = {  # that of UTF-32 begins as that of UTF-16
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""How a text is encoded that begins with such bytes, as programs on Windows write it."""


def digest(*parts: bytes | memoryview) -> bytes:
    """The checksum of some content, given in one part or several: BLAKE2b, DIGEST_BYTES long."""
    checksum = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        checksum.update(part)
    return checksum.digest()


def content_of(file: bytes | memoryview, label: bytes = b"") -> memoryview:
    """What a file of `write_checked` holds after its checksum; ValueError where that does not fit."""
    content = memoryview(file)[DIGEST_BYTES:]
    if digest(label, content) != file[:DIGEST_BYTES]:
        raise ValueError("its checksum is wrong")
    return content


def read_regular(path: Path, most: int = MOST_BYTES) -> bytes:
    """The content of a regular file, or of a link to one. ValueError where it has more than `most` bytes, or these do not fit into
    memory; OSError where it cannot be read, or is a folder, a FIFO, a device or the like."""
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise ValueError(f"{printable_path(path)} has {size:,} bytes; a file of this kind has {most:,} at most. Name another")
        try:
            return file.read(size)
        except OSError as error:
            raise OSError(f"{printable_path(path)} cannot be read ({error.strerror})") from None
        except MemoryError:
            raise ValueError(f"{printable_path(path)} does not fit into this machine's memory ({size:,} bytes)") from None


def decode_text(content: bytes) -> str:
    """The text of a file: UTF-8, or what its byte-order mark says, which is left out; else UnicodeDecodeError."""
    marked = (encoding for mark, encoding in BYTE_ORDER_MARKS.items() if content.startswith(mark))
    return content.decode(next(marked, "utf-8"))


def open_regular(path: Path) -> BinaryIO:
    """A regular file, or a link to one, opened for reading; OSError where it cannot be read, or is a folder, a FIFO, a device or
    the like."""
    try:
        # a FIFO is opened without waiting for somebody who writes it
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(f"there is no file {printable_path(path)}") from None
    except (OSError, ValueError) as error:  # a path with a null byte is a ValueError
        raise OSError(f"{printable_path(path)} cannot be read ({getattr(error, 'strerror', None) or error})") from None
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(f"{printable_path(path)} is {sort_of(mode)}, not a file; name a regular file")
        return open(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def printable_path(path: Path) -> str:
    """A path in an error's one line: line ends and other signs that cannot be printed as Python writes them.

    Of one that is longer than paths can be, the beginning.
    """
    text = str(path) if len(str(path)) <= LONGEST_PATH else short_repr(str(path))
    return text if text.isprintable() else ascii(text)


def sort_of(mode: int) -> str:
    """What a file is that is not regular, in words, by its mode."""
    sorts = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a FIFO", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
    return sorts.get(stat.S_IFMT(mode), "a socket")
