"""Sources that several results depend on."""

from __future__ import annotations

RULES = (*(f"envs/games/{name}.py" for name in ("nim", "othello", "quarto", "quixo", "squares", "tictactoe")), "envs/kernels")
"""The rules of the games."""

MATCHES = (
    *RULES,
    "arena/matches/games.py",
    "arena/matches/job.py",
    "arena/matches/keys.py",
    "arena/matches/openings.py",
)
"""What determines the games of a match, besides the policies."""

CLASSICS = (
    "envs/games/evaluation.py",
    "agents/oracles",
    "agents/search",
    "agents/policies/policy.py",
    *(f"agents/policies/{name}.py" for name in ("expectimax", "greedy", "mcts", "minimax", "nim_sum", "perfect", "random")),
    "agents/policies/quarto",
)
"""The classic policies and their search."""
