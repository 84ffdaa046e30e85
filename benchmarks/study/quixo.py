"""The study on 4×4 Quixo. Shown in docs/study.md.

python -m benchmarks.study.quixo --missing       # measures what is missing
"""

from .games import study_of
from .grid import Grading, Grid, ladders

GRID = Grid(
    "quixo:size=4",
    "4×4 Quixo",
    ladders(
        games=(300, 3_000, 30_000),
        rows=(1024, 8192, 65_536),
        shapes=("1x3", "1x4+d4", "2x4+d4"),
        positions=(256, 1_024, 4_096),
        networks=("1x4", "1x16", "2x32"),
        generations=(2, 8, 32),
    ),
    ("random", "greedy", "minimax:depth=1", "minimax:depth=3", "expectimax", "mcts:simulations=25", "perfect"),
    Grading(turned=True, largest=1_000_000, classic=5_000_000),
    against_search=("random", "greedy", "minimax:depth=1"),
    most_simulations=64,
)
STUDY = study_of(__file__, GRID)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
