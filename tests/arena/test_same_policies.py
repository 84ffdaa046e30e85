"""What policies are called: each by a name of its own, and a run after its folder."""

import shutil

import pytest

import ludus
from ludus.arena import evaluate, tournament
from ludus.arena.planning.planning import make_plan
from ludus.baselines.runs.measure import Measure

NIM = "nim:heaps=1+2"


def test_one_spelling_twice_is_refused():
    with pytest.raises(ValueError, match="the policy minimax is named twice"):
        make_plan([NIM], ("minimax", " minimax "), 2)


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
