"""Settings that suit a game, each only what differs from the defaults. Who names no preset, learns by the one named as the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Presets = Mapping[str, Mapping[str, Any]]

DEFAULTS: Presets = {"defaults": {}}

# Selves show what the other side can do, random players keep all openings alive, and so do random plies: without them the second
# player forgets the answers to what its selves no longer open with. Entropy, for the same reason.
SELVES = {"opponents": ("random", "self"), "entropy": 0.05, "batch": 512, "rate": 0.002, "opening_plies": 6}

MASKABLE_PPO: Presets = {
    **DEFAULTS,
    "tictactoe": SELVES,
    # Any error loses at once against nim_sum, which says which move it was; selves err back, and that says little.
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
    # A game is decided by single moves, a piece that completes a line, placed or given: a short trace and a discount tell them from
    # the rest of the game, and what makes a line in one place makes it in another.
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
