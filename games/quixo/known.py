"""What is known of Quixo besides its rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..known import Known, Level, Reach

EVOLVED: dict[str, Any] = {"sight": "lines", "opponents": ("random", "greedy")}

MEDIUM = Level("medium", "greedy", "Sees one move ahead, and counts cubes in lines.")
HARD = Level("hard", "mcts:simulations=1000", "Plays a thousand games in its head before each move.")
ALL_KNOWN = Level("perfect", "perfect", "Wins every position that can be won.")
LEVELS = {
    "quixo": (
        Level("easy", "mcts:simulations=100", "Plays a hundred games in its head before each move, which are few for this board."),
        MEDIUM,
        HARD,
        Level("perfect", "perfect", "Perfect near the end of a game; before that it searches as deep as it can."),
    ),
    "quixo:size=4": (
        Level("easy", "mcts:simulations=30", "Plays thirty games in its head before each move, which are few for this board."),
        MEDIUM,
        HARD,
        ALL_KNOWN,
    ),
    "quixo:size=3": (
        Level("easy", "mcts:simulations=30", "Plays thirty games in its head before each move."),
        MEDIUM,
        HARD,
        ALL_KNOWN,
    ),
}

KNOWN = Known(
    oracle="ludus.oracles.quixo:QuixoOracle",
    reach={25: Reach(grades={"depth": 6}, pages={"depth": 4})},
    exact_cells=16,
    lesson="ludus.games.quixo.lesson:lesson_of",
    networks=Path(__file__).parent,
    openings=Path(__file__).parent,
    puzzles=Path(__file__).parent,
    levels=LEVELS,
    presets={
        # It is known that the original player merged positions like this and had these two bonuses. Their size, the number of games
        # and the learning rate are not known: they are those of the tic-tac-toe player, the preset `original`, where it has them.
        "qlearning": {
            "quixo_original": {
                "merge": "mover",
                "exploration": 0.1,
                "exploration_end": 0.1,
                "exploring_starts": 0.0,
                "discount": 0.7,
                "games": 100_000,
                "opponent": "random",
                "rows": 65_536,
                "rate": 0.5,
                "rate_decay": 0.0,
                "four_bonus": 0.1,
                "break_bonus": 0.1,
            }
        },
        "td_ntuple": {"quixo": {"games": 300_000, "rate": 0.5}},
        "alphazero": {
            "quixo": {
                "positions": 600_000,
                "first_simulations": 8,
                "ahead": 2000,
                "long_openings": 60,
                "long_share": 0.5,
            },
            "quixo:size=4": {"positions": 300_000, "ahead": 2000},
        },
        "neat": {
            "quixo": EVOLVED | {"generations": 60},
            "quixo_actions": {"answer": "actions", "connected": "fs_neat", "fame": 0, "games": 60, "final_games": 1000},
        },
        "layered_neat": {"quixo": EVOLVED | {"generations": 30}},
        "maskable_ppo": {"quixo": {"opponents": ("random", "self"), "batch": 1024, "lines": 32}},
    },
)
