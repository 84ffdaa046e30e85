"""The cost of a large tournament: processor time to play and to store a game, bytes in the store, memory. docs/scale.md.

python -m benchmarks.speed.scale          # measures what is missing or out of date
python -m benchmarks.speed.scale ray      # the cost of a part on Ray
"""

from __future__ import annotations

import argparse
import tempfile
import time
from contextlib import suppress
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

import ludus
from ludus.arena import tournament

from ..provenance import MATCHES, Part, Study, table

PAIRINGS = [
    # game, two policies, games
    ("tictactoe", "random", "greedy", 100_000),
    ("quixo", "random", "greedy", 40_000),
    ("othello", "random", "greedy", 20_000),
    ("quarto", "easy", "hard", 4000),
    ("quixo", "minimax:depth=3", "mcts:simulations=100", 2000),
    ("othello", "minimax:depth=3", "mcts:simulations=100", 1000),
]
UNDER_WAY, RAY_PARTS = 1000, 3000
LONG = {"games": 10_000, "pairs": 45, "moves": 60, "processors": 1000}
"""The tournament that the page plans: ten policies in Othello."""


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each pairing, one for Ray."""
    return {**{" ".join(map(str, pairing)): Part(partial(measured, *pairing)) for pairing in PAIRINGS}, "ray": Part(on_ray)}


def measured(game: str, a: str, b: str, games: int) -> dict[str, Any]:
    """Processor seconds to store the games and to play them, bytes of the store, and the peak private memory of a worker, in MB."""
    ludus.set_threads(2)  # one for each worker
    tournament(game, [a, b], 20, workers=2)  # compiles
    with tempfile.TemporaryDirectory() as folder:
        kept, size, memory = cost(game, a, b, games, 2, Path(folder))  # workers play, this process stores
        alone, _, _ = cost(game, a, b, games, 1, Path(folder))
    return {"games": games, "kept_seconds": kept, "played_seconds": alone - kept, "bytes": size, "worker_megabytes": memory}


def cost(game: str, a: str, b: str, games: int, workers: int, folder: Path) -> tuple[float, int, float]:
    """Processor seconds of this process for a stored tournament, bytes of the store, and peak memory of a worker in MB."""
    store, memory = folder / f"{workers}.sqlite", [0.0]
    watching = 0.0

    def watch(_: Any) -> None:
        nonlocal watching
        began = time.process_time()
        memory.append(largest_child())
        watching += time.process_time() - began

    began = time.process_time()
    tournament(game, [a, b], games, store=store, workers=workers, watch=watch)
    return time.process_time() - began - watching, store.stat().st_size, max(memory)


def largest_child() -> float:
    """The largest private memory of a child process, in MB."""
    children = Path("/proc/self/task").glob("*/children")
    sizes = [0.0]
    for child in " ".join(file.read_text() for file in children).split():
        with suppress(OSError):  # it has ended
            lines = Path(f"/proc/{child}/smaps_rollup").read_text().splitlines()
            sizes.append(sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024)
    return max(sizes)


def on_ray() -> dict[str, float]:
    """Processor seconds of the storing process per part on Ray, with a thousand parts submitted at once."""
    import ray

    from ludus.arena.engines.jobs import play_in
    from ludus.arena.matches.games import Pairing
    from ludus.arena.matches.job import Job
    from ludus.arena.matches.settings import MatchSettings
    from ludus.core.workers.ray_pool import RayPool

    random = ludus.make_policy("random", "nim")
    job = Job(Pairing("nim", "random", "random"), (random, random), np.arange(2), 0, MatchSettings(2))
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        jobs = repeat(job, RAY_PARTS)
        began = time.process_time()
        done = sum(1 for _ in play_in(RayPool(UNDER_WAY), lambda: next(jobs, None)))
        return {"seconds_a_part": (time.process_time() - began) / done, "under_way": UNDER_WAY}
    finally:
        ray.shutdown()


def shown(found: dict[str, Any]) -> dict[str, str]:
    """The table of costs, their consequences for a thousand processors, and the plan of a large tournament."""
    heads = [
        "game",
        "",
        "",
        "games/s that a processor plays",
        "µs to keep a game",
        "bytes in the store",
        "processors that one keeper serves",
    ]
    rows, memory = list[list[str]](), list[float]()
    for game, a, b, games in PAIRINGS:
        if one := found.get(f"{game} {a} {b} {games}"):
            played, kept = one["played_seconds"], one["kept_seconds"]
            numbers = f"{games / played:,.0f}", f"{kept / games * 1e6:.1f}", f"{one['bytes'] / games:.0f}", f"{played / kept:,.0f}"
            rows.append([game, a, b, *numbers])
            memory.append(one["worker_megabytes"])
    figures = {"table": table(heads, rows, align="lllr"), "plan": plan()}
    if memory:
        figures["memory"] = f"{min(memory):.0f} to {max(memory):.0f} MB"
    kept = [1e6 * one["kept_seconds"] / one["games"] for name, one in found.items() if "random greedy" in name]
    if kept:
        figures["keep"] = f"{min(kept):.1f} to {max(kept):.1f} µs"
        figures["full"] = f"{LONG['processors'] * max(kept) / 1000:.0f} ms"
    if thoughtful := found.get(" ".join(map(str, PAIRINGS[-1]))):
        size = thoughtful["bytes"] / thoughtful["games"]
        figures["store"] = f"{size:.0f} bytes each, {size * LONG['games'] * LONG['pairs'] / 1e6:.0f} MB"
    if "ray" in found:
        figures["ray"] = f"{1000 * found['ray']['seconds_a_part']:.1f} ms"
        figures["ray.share"] = f"{100 * LONG['processors'] * found['ray']['seconds_a_part'] / 4:.0f} %"
    return figures


def plan() -> str:
    """The time of a round of ten policies on a thousand processors, by the time per move."""
    rows = list[list[str]]()
    for seconds in (0.001, 0.01, 0.1, 1.0):
        game = seconds * LONG["moves"]
        took = game * LONG["games"] * LONG["pairs"]
        rows.append(
            [
                readable(seconds),
                readable(game),
                f"{LONG['processors'] / game:,.0f}",
                readable(took / LONG["processors"]),
                f"{took / 3600:,.0f}",
            ]
        )
    heads = ["time for a move", "a game", "games/s", f"{LONG['games'] * LONG['pairs']:,} games take", "processor hours"]
    return table(heads, rows, align="r")


def readable(seconds: float) -> str:
    """A time in a readable unit."""
    for unit, size in ("h", 3600), ("min", 60), ("s", 1):
        if seconds >= 2 * size or (unit == "s" and seconds >= 0.5):
            return f"{seconds / size:.3g} {unit}"
    return f"{1000 * seconds:.3g} ms"


STUDY = Study(__file__, parts, shown, (*MATCHES, "arena", "search"), 0, ("numpy", "llvmlite", "ray"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
