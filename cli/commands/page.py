"""`ludus page`: writes the page without a server, one file that plays all games and analyses them."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...core.files.writing import check_target, write_whole
from ...web.alone import read_built
from ..terminal.options import pathname
from ..terminal.output import print_result

PAGE = Path("ludus.html")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("--out", action=pathname(), default=PAGE, metavar="FILE", help=f"the file to write (default: {PAGE})")


def run(chosen: argparse.Namespace) -> None:
    """Writes the page."""
    check_target(chosen.out)
    page = read_built()
    write_whole(chosen.out, page)
    text = f"The page is in {chosen.out} ({len(page):,} bytes). Open it in a browser; it needs no server and no network."
    print_result(chosen.json, {"file": str(chosen.out), "bytes": len(page)}, text)
