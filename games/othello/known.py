"""What is known of Othello besides its rules."""

from __future__ import annotations

from pathlib import Path

from ..known import Known, Level, Reach

EASY = Level("easy", "greedy", "Likes corners and many discs, and sees one move ahead.")
MEDIUM = Level("medium", "minimax:depth=2", "Likes corners and many discs, and sees two moves ahead.")
LEVELS = {
    "othello": (
        EASY,
        MEDIUM,
        Level("hard", "mcts:simulations=1000", "Plays a thousand games in its head before each move."),
        Level("perfect", "perfect", "Perfect in the last part of a game; before that it searches as deep as it can."),
    ),
    "othello:size=4": (
        EASY,
        MEDIUM,
        Level("hard", "mcts:simulations=100", "Plays a hundred games in its head before each move."),
        Level("perfect", "perfect", "Wins every position that can be won, by as many discs as it can."),
    ),
}

KNOWN = Known(
    oracle="ludus.oracles.othello:OthelloOracle",
    reach={
        36: Reach(grades={"empties": 18}, pages={"empties": 14}),
        64: Reach(grades={"empties": 16}, pages={"empties": 14}),
    },
    exact_cells=16,
    lesson="ludus.games.othello.lesson:lesson_of",
    networks=Path(__file__).parent,
    openings=Path(__file__).parent,
    puzzles=Path(__file__).parent,
    levels=LEVELS,
    presets={
        "td_ntuple": {"othello": {"rate": 1.0, "exploration": 0.2, "trace": 0.2, "sparring": 0.8, "stages": 8, "coherence": True}},
        "alphazero": {"othello": {"positions": 400_000, "openings": 6}},  # enough for 6×6; 8×8 needs more
        "neat": {"othello": {"opponents": ("random", "greedy"), "generations": 60}},
        "layered_neat": {"othello": {"opponents": ("random", "greedy"), "generations": 60}},
        "maskable_ppo": {"othello": {"opponents": ("random", "self"), "batch": 1024, "layers": (256, 256)}},
    },
)
