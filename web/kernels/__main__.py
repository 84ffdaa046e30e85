"""Writes kernels.wasm and kernels.json to a folder, and prints their sizes: `python -m ludus.web.kernels FOLDER` (`make page`)."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from .building import build_kernels


def main(folder: Path) -> None:
    """Writes both files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, body in zip(("kernels.wasm", "kernels.json"), build_kernels(), strict=True):
        (folder / name).write_bytes(body)
        print(f"{folder / name}: {len(body):,} bytes, {len(gzip.compress(body, 9, mtime=0)):,} compressed")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
