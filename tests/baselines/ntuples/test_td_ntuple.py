"""TD(λ) with n-tuples: the kernels do what slow dictionaries do, and what they learn plays well."""

from dataclasses import replace

import numpy as np
import pytest

import ludus
from ludus.arena import evaluate
from ludus.baselines.ntuples.kernels import NOT_LEGAL
from ludus.baselines.ntuples.looks import looks_of
from ludus.baselines.ntuples.policy import SHARPNESS, UNIT, NTupleNetwork, NTuplePolicy
from ludus.baselines.ntuples.shapes import patterns_of
from ludus.baselines.ntuples.td_ntuple import TDNTuple, TDNTupleSettings
from ludus.games.connect_four import ConnectFour
from ludus.rules import Known

from ...helpers.games import keys, positions
from ...naive.ntuples import Tables

BOARDS = {
    "tictactoe": ("1x3", "d3", "2x2"),
    "quixo": ("1x5", "d5", "2x2", "d3"),
    "othello:size=6": ("2x3", "d6", "1x6"),
    "othello": ("1x4", "d4", "a1b1c1d1e1a2b2c2d2e2", "a3b3c3a2b2c2a1b1c1"),
    "connect_four": ("1x4", "d4", "2x3", "a6b6c6d6e6f6g6d5"),
    "connect_four:rows=4,columns=5,line=3": ("1x3", "d3", "2x2"),
}
every_board = pytest.mark.parametrize(("spec", "shapes"), BOARDS.items())


def trainer(spec, seed=0, **settings):
    return TDNTuple(ludus.make_game(spec), TDNTupleSettings(**settings), seed)


def trained(spec, seed=0, **settings):
    made = trainer(spec, seed, **settings)
    while made.done < made.total:
        made.advance()
    return made


def random_policy(spec, shapes, seed=0, stages=1, **options):
    """A policy by random weights."""
    game = ludus.make_game(spec)
    weights = np.random.default_rng(seed).normal(0, 0.3, stages * patterns_of(game, shapes).weights).astype(np.float32)
    return NTuplePolicy(game, shapes=shapes, stages=stages, weights=weights, **options)


def learn_slowly(made, games, **how):
    """What slow tables learn from the first games of a trainer."""
    s = made.settings
    tables = Tables(made.game, s.shapes, s.stages, **how)
    for number in range(games):
        rate = s.rate + (s.rate_end - s.rate) * number / s.games
        tables.learn(made.seed, number, rate, s)
    return tables


def check_tables(made, tables, tolerance):
    """What a trainer has learnt is what slow tables have: the weights, and the values of actions."""
    np.testing.assert_allclose(
        sorted(made.weights[made.weights != 0]), sorted(filter(None, tables.weights.values())), atol=tolerance
    )
    policy = made.policy()
    for state in positions(made.game, 40)[::9]:
        values, legal = policy.values(state[None])[0], made.game.legal_actions(state)
        np.testing.assert_allclose(values[legal], [tables.after(state, action) for action in legal], rtol=0, atol=tolerance)
        assert (np.delete(values, legal) == NOT_LEGAL).all()


# ---- patterns


def test_a_pattern_of_a_whole_board_has_a_weight_for_each_board_up_to_symmetry():
    # Burnside: (3^9 + 2·3^3 + 3^5 + 4·3^6) / 8 ways to colour 3×3 cells with three colours
    assert patterns_of(ludus.make_game("tictactoe"), ("3x3",)).weights == (3**9 + 2 * 3**3 + 3**5 + 4 * 3**6) // 8 == 2862


# ---- values


@every_board
@pytest.mark.parametrize(("exploration", "trace", "longest"), [(0.3, 0.7, 200), (0.0, 0.0, 11), (1.0, 1.0, 12)])
def test_learning_moves_weights_as_slow_tables_do(spec, shapes, exploration, trace, longest):
    made = trainer(spec, 5, shapes=shapes, games=2, rate=0.8, rate_end=0.1, exploration=exploration, trace=trace, longest=longest)
    tables = learn_slowly(made, 2)
    made.advance()
    check_tables(made, tables, 1e-12)


@pytest.mark.parametrize(
    ("spec", "settings"),
    [
        ("othello:size=6", {"stages": 3, "coherence": True, "opening": 4}),
        ("quixo", {"stages": 2, "sparring": 1.0, "coherence": True, "opening": 2, "longest": 40}),
    ],
)
def test_stages_coherence_and_varied_games_learn_as_slow_tables_do(spec, settings):
    made = trainer(spec, 6, shapes=BOARDS[spec], games=2, rate=1.0, **settings)
    tables = learn_slowly(made, 2)
    made.advance()
    check_tables(made, tables, 1e-6)


# ---- learning


def test_by_whole_boards_tictactoe_is_learnt_so_that_nobody_wins_against_it():
    policy = trained("tictactoe", games=30_000).policy()
    score = evaluate(policy, "tictactoe", "perfect", 200, seed=1, opening_plies=0)
    assert score.losses == 0
    assert evaluate(policy, "tictactoe", "random", 400, seed=1, opening_plies=0).losses == 0


# ---- games that are read by their observations


class Undeclared(ConnectFour):
    """Connect Four, of whose cells nothing is declared."""

    known = Known()
    __module__ = ConnectFour.__module__  # where its rules are


@pytest.mark.parametrize("stages", [1, 2])
def test_what_is_learnt_of_a_game_read_by_observations_is_what_slow_tables_learn(hexes, stages):
    # the planes of Hex tell the seats apart, so a cell looks empty in two ways, and n-tuples cannot say how full the board is
    game = hexes if stages == 1 else Undeclared(rows=4, columns=5)
    made = trainer(game, 3, games=3, shapes=("1x3", "d3", "2x2"), rate=0.5, exploration=0.2, stages=stages)
    tables = learn_slowly(made, 3, by_mover=game is hexes)
    made.advance()
    check_tables(made, tables, 1e-12)


@pytest.mark.parametrize("spec", ["othello:size=6", "connect_four", "connect_four:rows=5,columns=6"])
def test_games_whose_cells_have_owners_are_learnt_alike_by_their_observations(spec, monkeypatch):
    game, values = ludus.make_game(spec), []
    states = positions(game, 40)[::5]
    for known in (game.known, replace(game.known, sides=None)):
        monkeypatch.setattr(type(game), "known", known)
        looks_of.cache_clear()
        patterns_of.cache_clear()
        made = trainer(spec, 3, games=20, shapes=("1x4", "d4", "2x2"), rate=0.5)
        made.advance()
        values.append(made.policy().values(states))
    looks_of.cache_clear()
    patterns_of.cache_clear()
    np.testing.assert_allclose(values[1], values[0], rtol=0, atol=1e-6)
    assert len(np.unique(values[0])) > 20


def test_a_game_with_other_looks_than_sides_is_learnt():
    policy = trained("nim:heaps=1+2+3", 1, games=3000).policy()
    # Bouton: lost for the player to move with nim-sum 0; who moves second and knows it wins every game
    assert evaluate(policy, "nim:heaps=1+2+3", "perfect", 100, seed=1, opening_plies=0).wins >= 50
    assert looks_of(ludus.make_game("nim:heaps=1+2+3")).count == 2


# ---- play


@pytest.mark.parametrize("spec", ["quixo", "othello:size=6", "tictactoe", "connect_four"])
def test_a_deeper_search_finds_what_minimax_over_the_values_finds(spec):
    shapes = BOARDS[spec]
    slow, policy = random_policy(spec, shapes, stages=3), random_policy(spec, shapes, stages=3, depth=2)
    game = policy.game
    for state in positions(game, 60)[::12]:
        found = policy.values(state[None])[0]
        for action in game.legal_actions(state):
            child, sign = game.play(state, action), 1
            if (outcome := game.outcome(child)) is not None:
                assert found[action] == outcome[game.player(state)]
                continue
            sign = 1 if game.player(child) == game.player(state) else -1
            best = slow.values(child[None])[0].max()
            wanted = sign * best
            if abs(wanted) == 1:
                assert found[action] == pytest.approx(wanted, abs=1e-5)
            else:
                assert found[action] == pytest.approx(0.999 * wanted, abs=len(patterns_of(game, shapes).starts) / UNIT)


def test_a_position_left_before_counts_as_drawn_in_that_game_and_nowhere_else():
    policy = random_policy("quixo", BOARDS["quixo"])
    game, playing = policy.game, policy.begin(2)
    state = next(state[None] for state in positions(game, 60)[20:] if policy.values(state[None]).max() < 1)
    values = policy.values(state)[0]
    taken = [int(playing.act(state, keys(1), np.array([0]))[0]) for _ in range(game.num_actions)]
    after = [bytes(game.play(state[0], action)) for action in taken]
    best = sorted({bytes(game.play(state[0], action)): values[action] for action in game.legal_actions(state[0])}.values())[::-1]
    better = sum(value > 0 for value in best)
    assert better > 3
    assert [values[action] for action in taken[:better]] == best[:better]
    assert set(after[better:]) <= set(after[:better])
    assert playing.act(state, keys(1), np.array([1]))[0] == policy.begin(1).act(state, keys(1), np.array([0]))[0] == taken[0]
    forgetful = random_policy("quixo", BOARDS["quixo"], repeats=False).begin(1)
    assert {int(forgetful.act(state, keys(1), np.array([0]))[0]) for _ in range(3)} == {taken[0]}


# ---- as the network of AlphaZero's search


def test_the_value_is_that_of_the_best_action_and_priors_grow_with_the_values():
    policy = random_policy("quixo:size=3", ("1x3", "d3"))
    states = positions(policy.game, 100)
    worth = policy.values(states)
    priors, values = NTupleNetwork(policy)(states)
    assert values == pytest.approx(worth.max(axis=1))
    powers = np.where(policy.game.masks(states), np.exp(SHARPNESS * worth), 0)
    assert priors == pytest.approx(powers / powers.sum(axis=1, keepdims=True))


# ---- bad input


@pytest.mark.parametrize(
    ("arrays", "options", "said"),
    [
        ({"weights": np.zeros(404, np.float32)}, {}, "patterns of 1x5 on quixo have 405 weights, finite and float32"),
        ({"weights": np.full(405, np.nan, np.float32)}, {}, "finite and float32"),
        (None, {"depth": "0"}, "depth is 0; it must be a whole number from 1 to"),
    ],
)
def test_wrong_arrays_and_options_are_sentences(arrays, options, said):
    made = trainer("quixo", shapes=("1x5",))
    with pytest.raises(ValueError, match=said):
        made.policy_of(made.game, made.settings, arrays or made.learnt(), **options)
