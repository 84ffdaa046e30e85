"""The study on 4×4 Quixo. Shown in docs/study.md.

python -m benchmarks.study.quixo --missing       # measures what is missing
"""

from .games import study_of
from .grid import Grading, Grid, ladders

GRID = Grid(
    "quixo:size=4",
    "4×4 Quixo",
    ladders(
        games=(1_000, 10_000, 100_000),
        rows=(1024, 8192, 65536),
        shapes=("2x2", "1x4+d4", "1x4+d4+3x3"),
        positions=(1_024, 4_096, 16_384),
        networks=("1x8", "2x16", "4x32"),
    ),
    ("random", "greedy", "minimax:depth=1", "minimax:depth=3", "expectimax", "mcts:simulations=25", "perfect"),
    Grading(exact=False, games=400),
)
STUDY = study_of(__file__, GRID)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
