"""What is known of Nim besides its rules."""

from __future__ import annotations

from pathlib import Path

from ..known import Known, Level

LEVELS = {
    "nim": (
        Level("easy", "greedy", "Takes at random, but sees a win in one move."),
        Level("medium", "minimax:depth=2", "Sees two moves ahead."),
        Level("hard", "mcts:simulations=100", "Plays a hundred games in its head before each move."),
        Level("perfect", "perfect", "Wins every position that can be won."),
    )
}

KNOWN = Known(
    oracle="ludus.oracles.nim:NimOracle",
    lesson="ludus.games.nim.lesson:lesson_of",
    disguises={"story": "ludus.games.nim.disguises:Mice"},
    networks=Path(__file__).parent,
    networks_in_page=False,
    openings=Path(__file__).parent,
    puzzles=Path(__file__).parent,
    levels=LEVELS,
    presets={
        "alphazero": {"nim": {"positions": 100_000}},
        "neat": {"nim": {"sight": "planes"}},
        "layered_neat": {"nim": {"sight": "planes"}},
        # Against nim_sum any error loses at once, which shows the move that was wrong; snapshots make errors themselves.
        # Much entropy: where the one right move has become unlikely, nothing else brings it back.
        "maskable_ppo": {
            "nim": {
                "opponents": ("nim_sum",),
                "entropy": 1.0,
                "batch": 512,
                "rate": 0.001,
                "opening_plies": 6,
                "steps": 2_000_000,
                "layers": (512, 512),
                "entropy_end": 0.02,
            }
        },
    },
)
