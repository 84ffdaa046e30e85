"""Plays the games that the pages show, and writes each as a record to docs/records. The seed fixes every move.

python docs/recording.py
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ludus.arena import tournament
from ludus.arena.matches.record import write

RECORDS = Path(__file__).parent / "records"
PLAYED = {
    # two policies, and which of their games is shown
    "nim": ("nim_sum", "mcts:simulations=50", 3),
    "tictactoe": ("perfect", "mcts:simulations=20", 0),
    "quarto": ("hard", "mcts:simulations=400", 0),
    "quixo": ("minimax:depth=3", "mcts:simulations=200", 4),
    "othello": ("minimax:depth=3", "mcts:simulations=100", 0),
    "connect_four": ("minimax:depth=6", "mcts:simulations=400", 4),
}


def record(name: str) -> str:
    """A game between two policies from the usual start, as a text."""
    first, second, number = PLAYED[name]
    played = tournament(name, [first, second], games_per_pair=8, seed=1, opening_plies=0)
    (pairing,) = played.store.plan.pairings
    return write(replace(played.store.record(pairing, number), seconds=(0.0, 0.0)))  # the only part that no seed fixes


if __name__ == "__main__":
    RECORDS.mkdir(exist_ok=True)
    for name in PLAYED:
        (RECORDS / f"{name}.txt").write_text(record(name), encoding="utf-8")
