"""Evolved networks: what compiled code makes of them, that breeding resumes bit for bit, and that it learns."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.arena import grade_exact
from ludus.baselines.evolution.contest import draw_openings, play_all, points_of_lines
from ludus.baselines.evolution.kernels import ACTIVATIONS
from ludus.baselines.evolution.layered_neat import (
    LayeredNeat,
    LayeredNeatSettings,
    cross_genomes,
    mutate_genome,
    random_layer,
    sizes_of,
)
from ludus.baselines.evolution.layered_neat import network_of as layered_network
from ludus.baselines.evolution.neat import Neat, NeatSettings
from ludus.baselines.evolution.networks import NetworkPolicy, Networks, inputs_of
from ludus.envs import make_game

neat = pytest.importorskip("neat")
SMALL = {"population": 16, "games": 4, "final_games": 8, "finalists": 2}


@pytest.fixture(scope="module")
def tictactoe():
    return make_game("tictactoe")


def grown(game, generations, **more):
    """A trainer whose genomes have grown at random."""
    rates = {"add_node": 0.6, "add_link": 0.6, "delete_node": 0.1, "delete_link": 0.2, "activation_rate": 0.3}
    trainer = Neat(game, NeatSettings(generations=99, species=4, activations=ACTIVATIONS, **SMALL, **rates, **more), 3)
    for generation in range(generations):
        trainer.population.breed(np.random.default_rng(generation).random(SMALL["population"]), generation)
    return trainer


# ---- networks


@pytest.mark.parametrize("connected", ["unconnected", "fs_neat", "full", "half"])
@pytest.mark.parametrize("answer", ["actions", "afterstates"])
def test_networks_compute_what_neat_pythons_own_do(tictactoe, connected, answer):
    trainer = grown(tictactoe, 12, connected=connected, answer=answer, sight="planes")
    networks, config = trainer.population.networks(), trainer.population.config
    given_ = np.random.default_rng(1).normal(size=(10, networks.net.inputs))
    if connected == "full":
        assert max(np.diff(networks.net.nodes)) > networks.net.width + 3
        assert len(set(networks.net.kinds.tolist())) > 4
    for number, genome in enumerate(trainer.population.genomes):
        own = neat.nn.FeedForwardNetwork.create(genome, config)
        found = networks.activate(tictactoe, np.full(len(given_), number), given_)
        assert found == pytest.approx(np.array([own.activate(row) for row in given_]), abs=1e-9)


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:size=3", "othello:size=4"])
@pytest.mark.parametrize("sight", ["planes", "balance", "lines"])
def test_a_network_takes_the_action_whose_afterstate_it_likes_best(spec, sight):
    game, draw = make_game(spec), np.random.default_rng(4)
    network = layered_network([random_layer(draw, inputs_of(game, sight), 5), random_layer(draw, 5, 1)])
    opening = draw_openings(game, 5, ("test",), 60, 4)
    chosen = network.choose(game, sight, "afterstates", opening.states, np.zeros(60, np.int64))
    for state, action in zip(opening.states, chosen.tolist(), strict=True):
        mover, worth = game.player(state), {}
        for legal in game.legal_actions(state):
            after = game.play(state, legal)
            result = game.outcome(after)
            seen = seen_naively(game, after, mover, sight)
            worth[legal] = result[mover] * 1e300 if result else network.activate(game, np.zeros(1, np.int64), seen[None])[0, 0]
        assert action == max(worth, key=worth.__getitem__)


def seen_naively(game, state, seat, sight):
    planes = game.observations(state[None], [seat])[0].astype(np.float64)
    if sight == "planes":
        return planes.ravel()
    own, other = planes[0], planes[1]
    if sight == "balance":
        return (own - other).ravel()
    diagonals = [(np.diag(own), np.diag(other)), (np.diag(own[::-1]), np.diag(other[::-1]))]
    lines = [*zip(own, other, strict=True), *zip(own.T, other.T, strict=True), *diagonals]
    return np.array([x for a, b in lines for x in (a.mean() ** 2 * (not b.any()), b.mean() ** 2 * (not a.any()))])


def test_a_network_asked_for_actions_takes_the_legal_one_with_the_highest_output(tictactoe):
    draw = np.random.default_rng(6)
    network = layered_network([random_layer(draw, 27, 9)])
    opening = draw_openings(tictactoe, 5, ("test",), 50, 3)
    policy = NetworkPolicy(tictactoe, network=network, sight="planes", outputs="actions")
    seen = tictactoe.observations(opening.states, tictactoe.players(opening.states)).reshape(50, -1).astype(np.float64)
    scores = network.activate(tictactoe, np.zeros(50, np.int64), seen)
    scores[tictactoe.masks(opening.states) == 0] = -np.inf
    assert np.array_equal(policy.act(opening.states, opening.keys), scores.argmax(axis=1))
    assert np.array_equal(policy.probabilities(opening.states).argmax(axis=1), scores.argmax(axis=1))


@pytest.fixture(scope="module")
def arrays():
    """The arrays of a network with 9 inputs, 4 hidden neurons and 1 output."""
    return layered_network([random_layer(np.random.default_rng(0), 9, 4), random_layer(np.random.default_rng(1), 4, 1)]).document()


@given(
    name=st.sampled_from(["sources", "links", "nodes", "outputs", "kinds"]), place=st.integers(0, 999), value=st.integers(-5, 127)
)
@settings(max_examples=100)
def test_arrays_that_are_taken_for_networks_point_nowhere_outside(arrays, name, place, value):
    part = arrays[f"network.{name}"].copy()
    part[place % len(part)] = value
    try:
        found = Networks.of({**arrays, f"network.{name}": part}, 9, 1)
    except ValueError:
        return
    net = found.net
    for one in range(len(found)):
        nodes = range(net.nodes[one], net.nodes[one + 1])
        assert all(0 <= node < len(net.biases) and 0 <= net.kinds[node] < len(ACTIVATIONS) for node in nodes)
        assert 0 <= net.outputs[one] < 9 + len(nodes)
        for place_, node in enumerate(nodes):
            links = range(net.links[node], net.links[node + 1])
            assert all(0 <= link < len(net.weights) and 0 <= net.sources[link] < 9 + place_ for link in links)


def test_a_game_is_worth_as_much_as_its_opponent_loses():
    game, draw = make_game("othello:size=4"), np.random.default_rng(7)
    networks = Networks.concatenate([layered_network([random_layer(draw, 16, 1)]) for _ in range(4)])
    openings = draw_openings(game, 1, ("test",), 10, 2)

    def points(players, against):
        def choose(states, which, keys):
            return networks.choose(game, "balance", "afterstates", states, which)

        return play_all(game, choose, np.array(players), np.array(against), openings).points()

    assert np.array_equal(points([0, 1, 2], [3, 3, 0]), 1 - points([3, 3, 0], [0, 1, 2]))


def test_the_points_of_all_lines_are_the_exact_results_against_random(tictactoe):
    networks = grown(tictactoe, 6, sight="lines").population.networks()

    def choose(states, which, keys):
        return networks.choose(tictactoe, "lines", "afterstates", states, which)

    for number, points in zip((3, 8), points_of_lines(tictactoe, choose, np.array([3, 8])), strict=True):
        policy = NetworkPolicy(tictactoe, network=networks[number], sight="lines", outputs="afterstates")
        exact = grade_exact(policy, tictactoe).document()
        expected = np.mean(exact["win_rate_vs_random"]) + np.mean(exact["draw_rate_vs_random"]) / 2
        assert points == pytest.approx(expected, abs=1e-9)


# ---- breeding


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_whatever_mutates_and_is_crossed_keeps_its_shape(seed):
    draw = np.random.default_rng(seed)
    chosen = LayeredNeatSettings(add_layer=0.3, remove_layer=0.3, resize_layer=0.3, most_layers=4, most_neurons=9)
    pool = [[random_layer(draw, 7, 8), random_layer(draw, 8, 3)] for _ in range(3)]
    for _ in range(30):
        first, second = (pool[int(one)] for one in draw.integers(3, size=2))
        child = cross_genomes(first, second, chosen.most_layers, draw)
        fewest, most = min(len(first), len(second)), len(first) + len(second) - 1
        assert fewest <= len(child) <= most
        child = mutate_genome(child, chosen, draw)
        sizes = sizes_of(child)
        assert (sizes[0], sizes[-1]) == (7, 3)
        assert len(child) <= chosen.most_layers + 1
        assert all(chosen.least_neurons <= size <= 9 for size in sizes[1:-1])
        assert all(layer.biases.shape == layer.weights.shape[1:] for layer in child)
        Networks.of(layered_network(child).document(), 7, 3)
        pool[int(draw.integers(3))] = child


# ---- learning


@pytest.mark.parametrize(("cls", "generations", "least"), [(Neat, 30, 0.95), (LayeredNeat, 12, 0.82)])
def test_it_learns_tictactoe(tictactoe, cls, generations, least):
    shorter = {"generations": generations} | ({} if cls is Neat else {"games": 100})
    trainer = cls(tictactoe, cls.settings_class(**tictactoe.known.presets[cls.name]["tictactoe"] | shorter), 1)
    for _ in range(generations):
        trainer.advance()
    found = grade_exact(trainer.policy(), tictactoe)
    assert np.mean(found.document()["win_rate_vs_random"]) >= least
    assert found.beatable == (cls is not Neat)
