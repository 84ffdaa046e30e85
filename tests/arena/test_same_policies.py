"""A policy is one policy however it is written, and a run is called after its folder."""

import shutil

import pytest

import ludus
from ludus.arena import evaluate, tournament
from ludus.arena.planning.planning import make_plan
from ludus.baselines.runs.measure import Measure
from ludus.core.workers.worker import Worker

NIM = "nim:heaps=1+2"
SAME = [
    ("minimax", " minimax "),
    ("minimax", "minimax:depth=4"),
    ("minimax:depth=3", "minimax:depth=03"),
    ("minimax:depth=3", " minimax: depth = 3 ,"),
    ("minimax:depth=3,nodes=9", "minimax:nodes=9,depth=3"),
    ("minimax:nodes=50", "minimax:nodes=50,depth=none"),
    ("mcts", "mcts:simulations=400"),
    ("perfect", "perfect:seconds=none"),
    ("python:tests.helpers.outside.faulty:play_sound", "tests.helpers.outside.faulty:play_sound"),
    ("python:ludus.agents.mcts:Mcts", "ludus.agents.mcts:Mcts,simulations=0400"),
]
GUARDED = ("ludus.agents.mcts:Mcts", "ludus.agents.mcts:Mcts,simulations=400")


@pytest.mark.parametrize(("a", "b"), SAME[1:])
def test_two_spellings_of_one_policy_are_refused(a, b):
    with pytest.raises(ValueError, match="are the same policy of nim:heaps=1\\+2; name it once, or in one way"):
        make_plan([NIM], [a, "random", b], 2)
    with pytest.raises(ValueError, match="are the same policy"):
        evaluate(a, NIM, against=b, games=2)


def test_one_spelling_twice_is_refused():
    with pytest.raises(ValueError, match="the policy minimax is named twice"):
        make_plan([NIM], SAME[0], 2)
    with pytest.raises(ValueError, match="are the same policy"):
        make_plan([NIM], [ludus.make_policy("minimax:depth=4", NIM), "minimax"], 2)


def test_policies_that_differ_play_each_other():
    plan, _ = make_plan([NIM], ["minimax", "minimax:depth=3", "minimax:nodes=50", "minimax:nodes=51"], 2)
    assert len(plan.pairings) == 6


def test_a_policy_in_another_process_says_what_it_is():
    with Worker() as worker, pytest.raises(ValueError, match="are the same policy"):
        make_plan([NIM], GUARDED, 2, worker=worker)


def test_a_policy_plays_itself_under_a_name_of_its_own():
    deep = ludus.as_policy("minimax", NIM, name="deep")
    assert (str(deep), str(ludus.make_policy("minimax", NIM))) == ("deep", "minimax")
    assert evaluate(deep, NIM, against="minimax", games=2).pairing[1:] == ("deep", "minimax")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with two runs of one trainer."""
    folder = tmp_path_factory.mktemp("runs")
    ludus.baselines.train("td_ntuple", NIM, run=folder / "a", games=2, measure=Measure(every="never"))
    shutil.copytree(folder / "a", folder / "b,c")
    return folder


def test_policies_of_runs_are_called_after_their_folders(runs, monkeypatch):
    monkeypatch.chdir(runs)
    one, other = (ludus.make_policy(spec, NIM) for spec in ("run:a", 'run:"b,c",repeats=false'))
    assert (one.spec, other.spec) == ("run:a", 'run:"b,c",repeats=false')
    assert ludus.make_policy("run:a,repeats=TRUE", NIM).spec == "run:a"
    contest = tournament(NIM, [one, other], 2)
    assert [entrant.name for entrant in contest.plan.entrants] == [one.spec, other.spec]


def test_one_run_is_one_policy_however_its_folder_is_written(runs, monkeypatch):
    monkeypatch.chdir(runs)
    for spec in ("a", "./a", "run:a/", f"run:{runs}/a", "run:../" + runs.name + "/a,repeats=true"):
        with pytest.raises(ValueError, match=r"are the same policy|named twice"):
            make_plan([NIM], ["run:a", spec], 2)
    make_plan([NIM], ["run:a", "run:b,c", "run:a,repeats=false"], 2)
