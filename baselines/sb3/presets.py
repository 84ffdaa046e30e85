"""Settings that suit a game, each with only what differs from the defaults. The preset named as the game is used by default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Presets = Mapping[str, Mapping[str, Any]]

DEFAULTS: Presets = {"defaults": {}}

# Snapshots show what the other side can do. Random players and random plies bring all openings up: without them the second player
# forgets the answers to openings that its snapshots no longer play. Entropy has the same purpose.
SELVES = {"opponents": ("random", "self"), "entropy": 0.05, "batch": 512, "rate": 0.002, "opening_plies": 6}

MASKABLE_PPO: Presets = {
    **DEFAULTS,
    "tictactoe": SELVES,
    # Against nim_sum any error loses at once, which shows the move that was wrong; snapshots make errors themselves.
    # Much entropy: where the one right move has become unlikely, nothing else brings it back.
    "nim": SELVES
    | {
        "opponents": ("nim_sum",),
        "steps": 2_000_000,
        "layers": (512, 512),
        "rate": 0.001,
        "entropy": 1.0,
        "entropy_end": 0.02,
    },
    # A single move decides a game, a piece that completes a line, placed or given. A fast trace decay and a discount separate it
    # from the rest of the game, and the same filters read all lines.
    "quarto": {
        "steps": 3_000_000,
        "opponents": ("random", "easy", "self"),
        "boards": 256,
        "batch": 1024,
        "entropy": 0.02,
        "lines": 64,
        "trace": 0.4,
        "discount": 0.95,
    },
    "quixo": {"opponents": ("random", "self"), "batch": 1024, "lines": 32},
    "othello": {"opponents": ("random", "self"), "batch": 1024, "layers": (256, 256)},
}

# For comparison.
PPO: Presets = {**DEFAULTS, "tictactoe": SELVES}
DQN_TICTACTOE = {"opponents": ("random", "self"), "opening_plies": 6, "gradients": 2, "target_every": 5_000, "exploring": 0.3}
DQN: Presets = {**DEFAULTS, "tictactoe": DQN_TICTACTOE, "penalty": DQN_TICTACTOE | {"illegal": "penalty"}}
