"""Sources that several results depend on, to declare by one name."""

from __future__ import annotations

RULES = ("envs/games", "envs/kernels", "envs/rules.py")
"""What a game is."""

MATCHES = (*RULES, "arena/games.py", "arena/job.py", "arena/keys.py", "arena/match.py", "arena/openings.py")
"""What decides the games of a match, the policies apart."""

CLASSICS = (
    "agents/evaluations.py",
    "envs/evaluation.py",
    "agents/oracles",
    "agents/search",
    *(f"agents/{name}.py" for name in ("easy", "expectimax", "frontiers", "greedy", "hard", "mcts", "minimax", "nim_sum")),
    *(f"agents/{name}.py" for name in ("perfect", "policy", "quarto_lines", "random")),
)
"""The classic policies, and all that they search with."""
