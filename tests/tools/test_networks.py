"""The network of a finished run becomes one that is shipped."""

import json
from dataclasses import replace

import pytest

import ludus
from ludus.baselines import train
from ludus.baselines.alphazero.networks.shipped import files_of, load_shipped_network
from ludus.games.quixo import Quixo
from tools import networks
from tools.networks import ship_network, without_search

from ..helpers.games import keys, positions
from ..helpers.training.alphazero import NEVER, TINY


def test_a_finished_run_can_be_shipped(tmp_path, monkeypatch):
    train("alphazero", "quixo:size=3", tmp_path / "a", measure=NEVER, **TINY)
    monkeypatch.setattr(Quixo, "known", replace(Quixo.known, networks=tmp_path / "trained"))
    monkeypatch.setattr(networks, "GAMES", 4)
    load_shipped_network.cache_clear()
    ship_network(tmp_path / "a")
    states = positions(ludus.make_game("quixo:size=3"), 20)
    mine, theirs = (ludus.make_policy(spec, "quixo:size=3") for spec in (f"run:{tmp_path / 'a'}", "alphazero"))
    assert (mine.act(states, keys(20)) == theirs.act(states, keys(20))).all()
    assert replace(theirs, simulations=3).spec == "alphazero:simulations=3"
    assert json.loads(files_of(theirs.game)[1].read_text())["without search"] == without_search(theirs.game, theirs.evaluate)
    load_shipped_network.cache_clear()
    train("qlearning", "nim", tmp_path / "q", games=10, measure=NEVER)
    with pytest.raises(ValueError, match="not a finished run"):
        ship_network(tmp_path / "q")
