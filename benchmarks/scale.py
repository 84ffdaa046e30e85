"""What a large tournament costs: processor time to play a game and to keep it, and its bytes in the store. docs/scale.md tells.

python benchmarks/scale.py
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import ludus
from ludus.arena import tournament

PAIRINGS = [
    # game, two policies, games
    ("tictactoe", "random", "greedy", 100_000),
    ("quixo", "random", "greedy", 40_000),
    ("othello", "random", "greedy", 20_000),
    ("quarto", "easy", "hard", 4000),
    ("quixo", "minimax:depth=3", "mcts:simulations=100", 2000),
    ("othello", "minimax:depth=3", "mcts:simulations=100", 1000),
]


def cost(game: str, a: str, b: str, games: int, workers: int, folder: Path) -> tuple[float, int]:
    """Seconds of this process's processor, all its threads together, for a stored tournament, and the store's bytes."""
    store = folder / f"{workers}.sqlite"
    began = time.process_time()
    tournament(game, [a, b], games, store=store, workers=workers)
    return time.process_time() - began, store.stat().st_size


def line(game: str, a: str, b: str, games: int) -> str:
    """A row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        kept, size = cost(game, a, b, games, 2, Path(folder))  # others play, this process keeps
        alone, _ = cost(game, a, b, games, 1, Path(folder))
    played = alone - kept
    return f"| {game} | {a} | {b} | {games / played:,.0f} | {kept / games * 1e6:.1f} | {size / games:.0f} | {played / kept:,.0f} |"


if __name__ == "__main__":
    ludus.set_threads(2)  # one for each worker
    print("| game | | | games/s on a processor | µs to keep a game | bytes in the store | processors that one keeper serves |")
    print("|---|---|---|---:|---:|---:|---:|")
    for pairing in PAIRINGS:
        tournament(*pairing[:1], [*pairing[1:3]], 20, workers=2)  # what is compiled is there
        print(line(*pairing), flush=True)
