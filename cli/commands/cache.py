"""`ludus cache`: shows or clears the folder of compiled kernels and oracle tables, or compiles kernels in advance."""

from __future__ import annotations

import argparse
import time
from itertools import groupby

from ...core.native import cache
from ...core.numbers import several
from ...core.progress import ProgressLog
from ...envs import game_names
from ..terminal.display import progress_bar
from ..terminal.output import print_json, print_result, print_table, refuse


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    task = parser.add_mutually_exclusive_group()
    task.add_argument("--clear", action="store_true", help="remove all compiled kernels; they are compiled again when needed")
    task.add_argument("--warm", nargs="*", metavar="GAME", help="compile the kernels of these games now (default: all games)")
    parser.add_argument("--clear-tables", action="store_true", help="remove the tables and books that oracles made")


def run(chosen: argparse.Namespace) -> None:
    """Shows or clears the cache, or compiles in advance."""
    if chosen.warm is not None:
        refuse(chosen, "--warm removes nothing", "clear_tables")
        warm(chosen)
    elif chosen.clear or chosen.clear_tables:
        clear(chosen)
    else:
        show(chosen)


def warm(chosen: argparse.Namespace) -> None:
    """Compiles in advance."""
    from ..warming import needed_kernels, specs_of, warm  # imports all policies and oracles

    specs = [spec for named in dict.fromkeys(chosen.warm or game_names()) for spec in specs_of(named)]
    cache.check_writable()
    began, folder = time.perf_counter(), str(cache.folder())
    with progress_bar("compiling", chosen.json) as progress:
        kernels = needed_kernels(specs)
        compiled = warm(kernels, ProgressLog("compiling", "kernels").counting(progress))
    seconds = time.perf_counter() - began
    document = {"folder": folder, "games": specs, "kernels": len(kernels), "compiled": compiled, "seconds": seconds}
    text = f"{len(kernels)} kernels are ready in {folder}; {compiled} of them were compiled now, in {seconds:.1f} s."
    print_result(chosen.json, document, text)


def clear(chosen: argparse.Namespace) -> None:
    """Removes kernels or tables."""
    folder = str(cache.folder())
    kernels = cache.clear() if chosen.clear else 0
    tables = cache.clear_tables() if chosen.clear_tables else 0
    text = f"removed {several(kernels, 'kernel')} and {several(tables, 'table')} from {folder}"
    print_result(chosen.json, {"folder": folder, "removed": kernels, "removed_tables": tables}, text)


def show(chosen: argparse.Namespace) -> None:
    """Shows the contents of the cache."""
    folder, refusal = str(cache.folder()), cache.refusal()
    entries, tables = cache.entries(), [(table.name, table.stat().st_size) for table in cache.tables()]
    if chosen.json:
        kernels = [{"game": e.game, "kernel": e.kernel, "bytes": e.size} for e in entries]
        listed = [{"table": name, "bytes": size} for name, size in tables]
        total = sum(e.size for e in entries) + sum(size for _, size in tables)
        print_json({"folder": folder, "refused": refusal, "bytes": total, "kernels": kernels, "tables": listed})
        return
    grouped = [(game, list(group)) for game, group in groupby(entries, key=lambda entry: entry.game)]
    rows = [(game, several(len(group), "kernel"), f"{sum(e.size for e in group) / 1024:.0f}") for game, group in grouped]
    print_table(
        folder, ["game", "content", "KiB"], [*rows, *(("oracles", name, f"{size / 1024:.0f}") for name, size in tables)], left=2
    )
    if refusal is not None:
        print(f"{refusal}.")
    print("LUDUS_CACHE sets another folder; `ludus cache --clear` removes the kernels, `--clear-tables` the oracles' tables.")
