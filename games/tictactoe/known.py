"""What is known of tic-tac-toe besides its rules."""

from __future__ import annotations

from pathlib import Path

from ..known import Known, Level

# Snapshots show what the other side can do. Random players and random plies bring all openings up: without them the second player
# forgets the answers to openings that its snapshots no longer play. Entropy has the same purpose.
SELVES = {"opponents": ("random", "self"), "entropy": 0.05, "batch": 512, "rate": 0.002, "opening_plies": 6}
DQN = {"opponents": ("random", "self"), "opening_plies": 6, "gradients": 2, "target_every": 5_000, "exploring": 0.3}

LEVELS = {
    "tictactoe": (
        Level("easy", "greedy", "Completes its line, but does not stop yours."),
        Level("medium", "minimax:depth=2", "Completes its line and stops yours, but plans nothing."),
        Level("hard", "mcts:simulations=30", "Plays some games in its head before each move, and seldom errs."),
        Level("perfect", "perfect", "Never loses."),
    )
}

KNOWN = Known(
    lesson="ludus.games.tictactoe.lesson:lesson_of",
    disguises={"magic": "ludus.games.tictactoe.disguises:PickNumbers"},
    networks=Path(__file__).parent,
    networks_in_page=False,
    openings=Path(__file__).parent,
    puzzles=Path(__file__).parent,
    levels=LEVELS,
    presets={
        "alphazero": {
            "tictactoe": {
                "positions": 40_960,
                "blocks": 2,
                "simulations": 24,
                "openings": 5,
                "temperature_plies": 4,
                "boards": 256,
            }
        },
        "neat": {"tictactoe": {"sight": "lines", "opponents": None, "every_line": True, "fame": 0, "generations": 60}},
        "layered_neat": {
            "tictactoe": {
                "sight": "lines",
                "fame": 0,
                "games": 200,
                "final_games": 1000,
                "opening_plies": 0,
                "generations": 60,
            }
        },
        "maskable_ppo": {"tictactoe": SELVES},
        # for comparison with masks
        "ppo": {"tictactoe": SELVES},
        "dqn": {"tictactoe": DQN, "penalty": DQN | {"illegal": "penalty"}},
    },
)
