"""The study on tic-tac-toe. Shown in docs/study.md.

python -m benchmarks.study.tictactoe --missing       # measures what is missing
"""

from .games import study_of
from .grid import Grid, ladders

GRID = Grid(
    "tictactoe",
    "tic-tac-toe",
    ladders(
        games=(300, 3_000, 30_000),
        rows=(64, 256, 1024),
        shapes=("1x2", "1x3+d3", "3x3"),
        positions=(512, 2_048, 8_192),
        networks=("1x4", "1x16", "2x32"),
    ),
    (
        "random",
        "greedy",
        "minimax:depth=1",
        "minimax:depth=2",
        "expectimax",
        "mcts:simulations=25",
        "mcts:simulations=100",
        "perfect",
    ),
)
STUDY = study_of(__file__, GRID)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
