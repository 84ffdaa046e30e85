"""Your own function, from observations and masks to scores, rated among other policies of tic-tac-toe.

python examples/rate_your_function.py
"""

import numpy as np

from ludus.arena import tournament


def centre_first(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Prefers the centre, then the corners: a score for every action (B, 9); illegal actions are never chosen."""
    return np.tile([2, 1, 2, 1, 3, 1, 2, 1, 2], (len(masks), 1))


contest = tournament("tictactoe", [centre_first, "random", "greedy", "mcts:simulations=50", "perfect"], games_per_pair=200)
for name, (elo, low, high) in sorted(contest.ratings["tictactoe"].elo.items(), key=lambda item: -item[1].elo):
    print(f"{name:20} {elo:+5.0f}  (95 %: {low:+.0f} to {high:+.0f})")
for score in contest.scores_of("tictactoe"):
    if score.pairing.a == "centre_first":
        print(score)
