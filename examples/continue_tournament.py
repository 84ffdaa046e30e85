"""A tournament that is interrupted and resumed: no game is lost, and none is played twice.

On the command line: ludus arena quixo --policies random greedy --store quixo.sqlite, Ctrl-C, ludus arena --resume quixo.sqlite
"""

import tempfile
from pathlib import Path

from ludus.arena import Tournament, resume, tournament
from ludus.arena.store import Store


class PowerCut(Exception):
    """Ends the first session."""


def cut(contest: Tournament) -> None:
    """Called after each part; ends the session in the middle."""
    if contest.done > contest.total / 2:
        raise PowerCut


with tempfile.TemporaryDirectory() as folder:
    store = Path(folder) / "quixo.sqlite"
    plan = {"games": "quixo:size=4", "policies": ["random", "greedy", "minimax:depth=2"], "games_per_pair": 200, "seed": 1}
    try:
        tournament(**plan, store=store, watch=cut)
    except PowerCut:
        with Store.open(store) as kept:
            print(f"interrupted; {kept.count()} games are stored")

    rest = resume(store)
    print(f"resumed: {rest.done} games of {rest.total}")
    whole = tournament(**plan)
    same = [a.actions for a in rest.store.records()] == [a.actions for a in whole.store.records()]
    print("the same moves as without an interruption:", same)
    rest.store.close()
