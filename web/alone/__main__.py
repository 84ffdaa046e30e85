"""Builds the page without a server, and prints the sizes of what is in it: `python -m ludus.web.alone [FOLDER]` (`make page`).

Where a folder is named, the kernels by themselves are written there, too: kernels.wasm and kernels.json.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ...core.files.writing import make_folder, write_whole
from . import BUILT
from .building import build_page, compress, make_files, pack


def main(folder: Path | None = None) -> None:
    """Writes the page, and the kernels."""
    files = make_files()
    if folder is not None:
        make_folder(folder)
        for name in ("kernels.wasm", "kernels.json"):
            write_whole(folder / name, files[name])
    for name, content in files.items():
        print(f"{name}: {len(content):,} bytes, {len(compress(content)):,} compressed, {len(pack(content)):,} in the page")
    page = build_page(files)
    write_whole(BUILT, page)
    print(f"{BUILT}: {len(page):,} bytes, {len(compress(page)):,} compressed")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
