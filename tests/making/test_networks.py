"""The network of a finished run becomes one that is shipped."""

import json
from dataclasses import replace

import pytest

import ludus
from benchmarks.making import networks
from benchmarks.making.networks import ship_network, without_search
from ludus.baselines import train
from ludus.baselines.alphazero.networks.shipped import files_of, load_shipped_network
from ludus.games.quixo import Quixo

from ..helpers.games import keys, positions
from ..helpers.training.alphazero import NEVER, TINY


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of networks of Quixo, which is empty, while they are measured in few games."""
    monkeypatch.setattr(Quixo, "known", replace(Quixo.known, networks=tmp_path / "trained"))
    monkeypatch.setattr(networks, "GAMES", 4)
    load_shipped_network.cache_clear()
    yield tmp_path / "trained"
    load_shipped_network.cache_clear()


def test_a_finished_run_can_be_shipped(tmp_path, folder):
    train("alphazero", "quixo:size=3", tmp_path / "a", measure=NEVER, **TINY)
    ship_network(tmp_path / "a")
    states = positions(ludus.make_game("quixo:size=3"), 20)
    mine, theirs = (ludus.make_policy(spec, "quixo:size=3") for spec in (f"run:{tmp_path / 'a'}", "alphazero"))
    assert (mine.act(states, keys(20)) == theirs.act(states, keys(20))).all()
    assert replace(theirs, simulations=3).spec == "alphazero:simulations=3"
    assert json.loads(files_of(theirs.game)[1].read_text())["without search"] == without_search(theirs.game, theirs.evaluate)
    train("qlearning", "nim", tmp_path / "q", games=10, measure=NEVER)
    with pytest.raises(ValueError, match="not a finished run"):
        ship_network(tmp_path / "q")


def test_what_a_run_started_from_is_noted_and_a_shipped_network_can_be_measured_again(tmp_path, folder):
    train("alphazero", "quixo:size=3", tmp_path / "a", measure=NEVER, **TINY)
    start = f"run:{tmp_path / 'a'}"
    run = train("alphazero", "quixo:size=3", tmp_path / "b", start_from=start, measure=NEVER, rate=0.0001)
    ship_network(tmp_path / "b")
    how = folder / "quixo-size-3.json"
    made = json.loads(how.read_text())
    assert made["from"]["settings"] == json.loads((tmp_path / "a" / "run.json").read_text())["settings"] != made["settings"]
    assert (made["from"]["run"], made["from"]["checksum"]) == (str(tmp_path / "a"), run.plan.origin.checksum)
    assert made["from"]["done"] == TINY["positions"]
    assert len(made["from"]["commands"]) == 1
    how.write_text(json.dumps(made | {"without search": {}}))
    assert networks.measure_again(run.plan.game) == how
    assert json.loads(how.read_text()) == made
