"""`ludus cache`: the folder of compiled kernels."""

from __future__ import annotations

import argparse
from itertools import groupby

from ..envs.native import cache
from .output import print_json, print_table


def arguments(parser: argparse.ArgumentParser) -> None:
    """Whether to clear it."""
    parser.add_argument("--clear", action="store_true", help="remove all compiled kernels; they are compiled again when needed")


def run(chosen: argparse.Namespace) -> None:
    """Shows or clears the cache."""
    folder = str(cache.folder())
    if chosen.clear:
        removed = cache.clear()
        print_json({"folder": folder, "removed": removed}) if chosen.json else print(f"removed {removed} kernels from {folder}")
        return
    entries = cache.entries()
    if chosen.json:
        kernels = [{"game": e.game, "kernel": e.kernel, "bytes": e.size} for e in entries]
        print_json({"folder": folder, "bytes": sum(e.size for e in entries), "kernels": kernels})
        return
    grouped = [(game, list(group)) for game, group in groupby(entries, key=lambda entry: entry.game)]
    rows = [(game, len(group), f"{sum(e.size for e in group) / 1024:.0f}") for game, group in grouped]
    print_table(folder, ["game", "kernels", "KiB"], rows)
    print("LUDUS_CACHE moves this folder; `ludus cache --clear` empties it.")
