"""The study on 6×6 Othello. Shown in docs/study.md.

python -m benchmarks.study.othello --missing       # measures what is missing
"""

from .games import study_of
from .grid import Grading, Grid, ladders

GRID = Grid(
    "othello:size=6",
    "6×6 Othello",
    ladders(
        games=(300, 3_000, 30_000),
        rows=(8192,),
        shapes=("1x4+d4",),
        positions=(256, 1_024, 4_096),
        networks=("1x16",),
        sights=("balance",),
        layers=("64+64",),
        generations=(2, 8, 32),
    ),
    ("random", "greedy", "minimax:depth=1", "minimax:depth=3", "expectimax", "mcts:simulations=25"),
    Grading(exact=False),
)
STUDY = study_of(__file__, GRID)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
