"""Writes kernels.wasm and kernels.json to a folder, and prints their sizes: `python -m ludus.web.kernels FOLDER` (`make page`)."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from ...core.files.writing import make_folder, write_whole
from .building import build_kernels


def main(folder: Path) -> None:
    """Writes both files."""
    make_folder(folder)
    for name, body in zip(("kernels.wasm", "kernels.json"), build_kernels(), strict=True):
        write_whole(folder / name, body)
        print(f"{folder / name}: {len(body):,} bytes, {len(gzip.compress(body, 9, mtime=0)):,} compressed")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
