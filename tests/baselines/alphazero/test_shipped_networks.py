"""The networks that are shipped: small, with a note of how they were made, and as strong as when they were added."""

import json

import numpy as np
import pytest

import ludus
from benchmarks.making.networks import without_search
from ludus.arena import grade_exact
from ludus.baselines.alphazero.networks.shipped import files_of, games_with_networks, load_shipped_network

from ...helpers.games import keys, positions

every_shipped = pytest.mark.parametrize("spec", games_with_networks())


def document_of(spec):
    return json.loads(files_of(ludus.make_game(spec))[1].read_text())


@every_shipped
def test_a_shipped_network_is_small_says_how_it_was_made_and_plays(spec):
    document = document_of(spec)
    assert files_of(ludus.make_game(spec))[0].stat().st_size < 2_000_000
    assert document["game"] == spec
    assert document["commands"][0].startswith(f"ludus train {document['trainer']} {spec}")
    assert document["seconds"] > 0
    policy = ludus.make_policy("alphazero:simulations=10", spec)
    states = positions(policy.game, 10)
    assert policy.game.masks(states)[np.arange(10), policy.act(states, keys(10))].all()


@every_shipped
def test_a_shipped_network_has_its_committed_marks_and_strength_without_search(spec):
    """Up to what another processor may round otherwise: one position of the exam, three games of 200."""
    game = ludus.make_game(spec)
    committed, found = document_of(spec)["without search"], without_search(game, load_shipped_network(game))
    exam = committed["exam"]
    assert found["exam"]["positions"] == exam["positions"]
    assert found["exam"]["optimal"] == pytest.approx(exam["optimal"], abs=1.1 / exam["positions"])
    assert found["exam"]["value error"] == pytest.approx(exam["value error"], abs=1e-3)
    assert found["against random"] == pytest.approx(committed["against random"], abs=3)


@pytest.mark.parametrize(("spec", "simulations"), [("tictactoe", 50), ("nim", 16)])
def test_with_a_short_search_it_is_perfect_in_a_small_game(spec, simulations):
    found = grade_exact(f"alphazero:simulations={simulations}", spec)
    assert (found.exploitability, found.value_lost_per_game, found.value_lost) == (0.0, 0.0, 0.0)
    assert found.beatable == (spec == "nim")  # whose start is lost for the player to move
