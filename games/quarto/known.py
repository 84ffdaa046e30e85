"""What is known of Quarto besides its rules."""

from __future__ import annotations

from pathlib import Path

from ..known import Known, Level, Reach

LEVELS = {
    "quarto": (
        Level("easy", "easy", "Wins if it can, and gives no piece that wins at once."),
        Level("medium", "mcts:simulations=100", "Plays a hundred games in its head before each move."),
        Level("hard", "hard", "Searches every line of play as far as a few thousand positions reach."),
        Level("perfect", "perfect", "Gives no win and no draw away wherever exact play is known, and searches deep before."),
    )
}

KNOWN = Known(
    oracle="ludus.oracles.quarto:QuartoOracle",
    reach={16: Reach(grades={"placed": 4}, pages={"placed": 8}, training={"placed": 6})},
    exact_cells=0,
    lesson="ludus.games.quarto.lesson:lesson_of",
    disguises={"symbols": "ludus.games.quarto.disguises:OtherPieces"},
    networks=Path(__file__).parent,
    networks_in_page=False,
    openings=Path(__file__).parent,
    puzzles=Path(__file__).parent,
    levels=LEVELS,
    presets={
        "alphazero": {
            "quarto": {
                "positions": 400_000,
                "lines": True,
                "first_simulations": 8,
                "ahead": 1000,
                "openings": 8,
                "long_openings": 26,
                "long_share": 0.5,
                "temperature_plies": 8,
                "exact_share": 0.5,
                "lesson_share": 0.5,
            }
        },
        "neat": {"quarto": {"sight": "planes"}},
        "layered_neat": {"quarto": {"sight": "planes"}},
        # A single move decides a game, a piece that completes a line, placed or given. A fast trace decay and a discount separate
        # it from the rest of the game, and the same filters read all lines.
        "maskable_ppo": {
            "quarto": {
                "steps": 3_000_000,
                "opponents": ("random", "easy", "self"),
                "boards": 256,
                "batch": 1024,
                "entropy": 0.02,
                "lines": 64,
                "trace": 0.4,
                "discount": 0.95,
            }
        },
    },
)
