"""The network of a finished run becomes one that is shipped, with what made it, and can be measured again."""

import json
from dataclasses import replace

import pytest

import ludus
from benchmarks.making import networks
from ludus.baselines import train
from ludus.baselines.alphazero.networks.shipped import files_of, load_shipped_network
from ludus.games.quixo import Quixo

from ..helpers.games import keys, positions
from ..helpers.training.alphazero import NEVER, TINY


def test_a_finished_run_can_be_shipped_and_measured_again(tmp_path, monkeypatch):
    monkeypatch.setattr(Quixo, "known", replace(Quixo.known, networks=tmp_path / "trained"))
    monkeypatch.setattr(networks, "GAMES", 4)
    load_shipped_network.cache_clear()
    train("alphazero", "quixo:size=3", tmp_path / "a", measure=NEVER, **TINY)
    run = train("alphazero", "quixo:size=3", tmp_path / "b", start_from=f"run:{tmp_path / 'a'}", measure=NEVER, rate=0.0001)
    networks.ship_network(tmp_path / "b")
    states = positions(ludus.make_game("quixo:size=3"), 20)
    mine, theirs = (ludus.make_policy(spec, "quixo:size=3") for spec in (f"run:{tmp_path / 'b'}", "alphazero"))
    assert (mine.act(states, keys(20)) == theirs.act(states, keys(20))).all()
    how = files_of(theirs.game)[1]
    made = json.loads(how.read_text())
    assert made["without search"] == networks.without_search(theirs.game, theirs.evaluate)
    assert (made["from"]["run"], made["from"]["checksum"]) == (str(tmp_path / "a"), run.plan.origin.checksum)
    assert made["from"]["done"] == TINY["positions"]
    how.write_text(json.dumps(made | {"without search": {}}))
    networks.measure_again(run.plan.game)
    assert json.loads(how.read_text()) == made
    load_shipped_network.cache_clear()


def test_a_run_of_another_trainer_is_not_shipped(tmp_path):
    train("qlearning", "nim", tmp_path / "q", games=10, measure=NEVER)
    with pytest.raises(ValueError, match="not a finished run"):
        networks.ship_network(tmp_path / "q")
