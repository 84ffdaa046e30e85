"""A Ray cluster that plays and trains: one for all tests, started by the first engine that needs it and stopped with it."""

import shutil
import sys
from contextlib import closing

import pytest

import ludus
from ludus.agents.registry import POLICIES
from ludus.arena import tournament
from ludus.baselines import Execution, Measure, train
from ludus.baselines.runs.registry import TRAINER_CLASSES
from ludus.core.plugins import places
from ludus.core.workers import pool
from ludus.core.workers.pool import pool_of, starmap_on
from ludus.envs import make_game
from ludus.games.registry import GAMES
from ludus.search.evaluations import EVALUATIONS

from ...helpers.arena.played import matched, timeless
from ...helpers.games import forget
from ...helpers.outside import faulty
from ...helpers.system.processes import OUTSIDE
from ...helpers.training.trained import learnt

pytestmark = [pytest.mark.alone, pytest.mark.filterwarnings("ignore")]  # Ray's own warnings
GAME = make_game("tictactoe")
ALPHAZERO = {"positions": 192, "blocks": 1, "channels": 8, "simulations": 8, "boards": 16, "plies": 4, "batch": 32}


@pytest.fixture
def two_attempts(monkeypatch):
    """A call is given up after two dead processes, as each takes seconds to start; test_pool.py counts the three."""
    monkeypatch.setattr(pool, "ATTEMPTS", 2)


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory):
    """A cluster that an engine has started, whose processes find a module of the user's."""
    ray = pytest.importorskip("ray")
    place = tmp_path_factory.mktemp("modules")
    shutil.copy(OUTSIDE / "stones.py", place / "pebbles.py")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(place)
        with closing(pool_of("ray", 2)):
            yield
        assert not ray.is_initialized()


def test_a_cluster_changes_no_game():
    there, here = (timeless(matched("greedy", games=4, parts=2, engine=engine)) for engine in ("ray", "local"))
    assert there == here


@pytest.mark.parametrize("kind", ["interrupts", "leaves"])
def test_what_a_policy_does_to_a_process_of_the_cluster_costs_it_that_game(kind):
    policy = faulty.policy(GAME, kind)
    there, here = (timeless(matched(policy, games=2, **how)) for how in ({"engine": "ray", "workers": 2}, {"move_time": 60}))
    assert there == here
    assert {"leaves": "died"}.get(kind, "error") in {game.ending for game in there}


@pytest.fixture
def pebbles(monkeypatch):
    """The module of the user's, plugged in, as `ludus --import pebbles` does; forgotten afterwards."""
    monkeypatch.setattr(places, "_plugged_in", {})
    for registry in (GAMES, POLICIES, TRAINER_CLASSES, EVALUATIONS):
        monkeypatch.setattr(registry, "_outside", {})
        monkeypatch.setattr(registry, "_homes", {})
    ludus.plug_in("pebbles")
    yield
    forget(sys.modules.pop("pebbles").Stones)


def test_games_and_policies_of_a_module_that_is_plugged_in_are_known_on_the_cluster(pebbles):
    policies = ["taker:many=2", "minimax:depth=1,evaluation=pebbles:won_by_threes", "pebbles:always_two"]
    played = [tournament("stones", policies, 4, engine=engine).document() for engine in ("local", "ray")]
    timeless = [[{key: value for key, value in pair.items() if "seconds" not in key} for pair in one["pairs"]] for one in played]
    assert timeless[0] == timeless[1]
    assert len(timeless[0]) == 3


def test_a_cluster_trains_alike(tmp_path):
    never = Measure(every="never")
    train("alphazero", "quixo:size=3", tmp_path / "threads", measure=never, **ALPHAZERO)
    train(
        "alphazero", "quixo:size=3", tmp_path / "cluster", measure=never, execution=Execution(engine="ray", workers=2), **ALPHAZERO
    )
    assert learnt(tmp_path / "cluster") == learnt(tmp_path / "threads")


def test_work_on_the_cluster_raises_what_its_work_raised_and_says_when_its_processes_die(pebbles, two_attempts):
    with starmap_on("ray", 2) as starmap:
        assert starmap(divmod, [(7, 2), (9, 4)]) == [(3, 1), (2, 1)]
        assert starmap(eval, [("'stones' in __import__('ludus').game_names()",)]) == [True]
        with pytest.raises(ZeroDivisionError):
            starmap(divmod, [(7, 0)])
        with pytest.raises(ChildProcessError, match="2 worker processes died of the same work, _exit; "):
            starmap(sys.modules["os"]._exit, [(3,)])
