"""`ludus cache`: the folder of compiled kernels, and of what oracles keep."""

from __future__ import annotations

import argparse
from itertools import groupby

from ..envs.native import cache
from .output import print_json, print_table


def arguments(parser: argparse.ArgumentParser) -> None:
    """Whether to clear it."""
    parser.add_argument("--clear", action="store_true", help="remove all compiled kernels; they are compiled again when needed")
    parser.add_argument("--clear-tables", action="store_true", help="remove what oracles keep, unfinished proofs included")


def run(chosen: argparse.Namespace) -> None:
    """Shows or clears the cache."""
    folder, refusal = str(cache.folder()), cache.refusal()
    if chosen.clear or chosen.clear_tables:
        kernels = cache.clear() if chosen.clear else 0
        tables = cache.clear_tables() if chosen.clear_tables else 0
        told = f"removed {kernels} kernels and {tables} tables from {folder}"
        print_json({"folder": folder, "removed": kernels, "removed_tables": tables}) if chosen.json else print(told)
        return
    entries, tables = cache.entries(), [(table.name, table.stat().st_size) for table in cache.tables()]
    if chosen.json:
        kernels = [{"game": e.game, "kernel": e.kernel, "bytes": e.size} for e in entries]
        kept = [{"table": name, "bytes": size} for name, size in tables]
        total = sum(e.size for e in entries) + sum(size for _, size in tables)
        print_json({"folder": folder, "refused": refusal, "bytes": total, "kernels": kernels, "tables": kept})
        return
    grouped = [(game, list(group)) for game, group in groupby(entries, key=lambda entry: entry.game)]
    rows = [(game, f"{len(group)} kernels", f"{sum(e.size for e in group) / 1024:.0f}") for game, group in grouped]
    print_table(folder, ["of", "what", "KiB"], [*rows, *(("oracles", name, f"{size / 1024:.0f}") for name, size in tables)], left=2)
    if refusal is not None:
        print(f"Not used: {refusal}.")
    print("LUDUS_CACHE moves this folder; `ludus cache --clear` removes the kernels, `--clear-tables` what oracles keep.")
