"""The folder of compiled kernels: one file per kernel and fingerprint, checksummed, written atomically.

`LUDUS_CACHE` moves the folder; without it, it is the user's cache folder of the platform.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from ..files import DIGEST_BYTES, digest, write_whole

SUFFIX = ".kernel"


@dataclass(frozen=True)
class Entry:
    """One compiled kernel in the cache: the game it is for, its name, and its size in bytes."""

    game: str
    kernel: str
    size: int


def folder() -> Path:
    """Where everything that ludus keeps between processes lies (not created until it is needed)."""
    chosen = os.environ.get("LUDUS_CACHE")
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_cache_dir("ludus"))


def _kernels() -> Path:
    return folder() / "kernels"


def read(game: str, name: str) -> bytes | None:
    """The object file kept under this name, or None where there is none or it is damaged."""
    try:
        content = (_kernels() / game / (name + SUFFIX)).read_bytes()
    except OSError:
        return None
    body = content[DIGEST_BYTES:]
    return body if content[:DIGEST_BYTES] == digest(body) else None


def write(game: str, name: str, body: bytes) -> None:
    """Keeps an object file under this name. A folder that cannot be written costs the cache, no more."""
    place = _kernels() / game
    try:
        place.mkdir(parents=True, exist_ok=True)
        write_whole(place / (name + SUFFIX), digest(body), body)
    except OSError:
        return


def entries() -> list[Entry]:
    """Every compiled kernel in the cache, by game and name."""
    files = sorted(_kernels().glob(f"*/*{SUFFIX}"))
    return [Entry(f.parent.name, f.stem.rsplit("-", 1)[0], f.stat().st_size) for f in files]


def clear() -> int:
    """Removes every compiled kernel and returns how many there were; they are compiled again when needed."""
    count = len(entries())
    shutil.rmtree(_kernels(), ignore_errors=True)
    return count


def tables() -> list[Path]:
    """What oracles keep beside the kernels: solved games, books, proofs under way (agents/oracles)."""
    return sorted((folder() / "tables").glob("*"))


def clear_tables() -> int:
    """Removes what oracles keep and returns how many files there were. Proofs under way begin anew."""
    found = tables()
    for file in found:
        file.unlink(missing_ok=True)
    return len(found)
