"""What is known of Connect Four besides its rules."""

from __future__ import annotations

from pathlib import Path

from ..known import Known, Level, Reach

LEVELS = {
    "connect_four": (
        Level("easy", "greedy", "Completes its line, but does not stop yours."),
        Level("medium", "minimax:depth=2", "Completes its line and stops yours, but plans little."),
        Level("hard", "mcts:simulations=1000", "Plays a thousand games in its head before each move."),
        Level("perfect", "perfect", "Gives no win and no draw away wherever exact play is known, and searches deep elsewhere."),
    )
}

KNOWN = Known(
    oracle="ludus.oracles.connect_four:ConnectFourOracle",
    reach={
        35: Reach(grades={"empties": 35}, pages={"empties": 24}, training={"empties": 26}),
        36: Reach(grades={"empties": 36}, pages={"empties": 24}, training={"empties": 26}),
        42: Reach(grades={"empties": 34}, pages={"empties": 22}, training={"empties": 24}),  # and what is in the book
    },
    exact_cells=25,
    lesson="ludus.games.connect_four.lesson:lesson_of",
    networks=Path(__file__).parent,
    openings=Path(__file__).parent,
    puzzles=Path(__file__).parent,
    levels=LEVELS,
    presets={
        "td_ntuple": {
            "connect_four": {"games": 300_000, "shapes": ("1x4", "d4", "2x4", "3x3"), "rate": 1.0, "coherence": True},
        },
        "alphazero": {
            "connect_four": {
                "positions": 800_000,
                "blocks": 3,
                "simulations": 24,
                "first_simulations": 8,
                "ahead": 200,
                "openings": 8,
                "passes": 3.0,
            }
        },
        "neat": {"connect_four": {"opponents": ("random", "greedy"), "generations": 60}},
        "layered_neat": {"connect_four": {"opponents": ("random", "greedy"), "generations": 60}},
        # Among random players nobody punishes a threat that is left open: minimax does. A single move often decides a game, so the
        # trace decays fast, and the discount separates it from the rest.
        "maskable_ppo": {
            "connect_four": {
                "steps": 1_500_000,
                "opponents": ("random", "minimax:depth=2", "self"),
                "opening_plies": 8,
                "boards": 256,
                "batch": 1024,
                "layers": (256, 256),
                "entropy": 0.02,
                "trace": 0.6,
                "discount": 0.97,
            }
        },
    },
)
