"""The study on Nim with heaps of 1, 3, 5 and 7. Shown in docs/study.md.

python -m benchmarks.study.nim --missing       # measures what is missing
"""

from .games import study_of
from .grid import Grid, ladders

GRID = Grid(
    "nim",
    "Nim",
    ladders(
        games=(300, 3_000, 30_000),
        rows=(256,),
        shapes=("1x4",),
        positions=(512, 2_048, 8_192),
        networks=("1x16",),
        sights=("planes",),
        layers=("64+64",),
    ),
    ("random", "greedy", "minimax:depth=1", "minimax:depth=2", "expectimax", "mcts:simulations=25", "perfect"),
)
STUDY = study_of(__file__, GRID)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
