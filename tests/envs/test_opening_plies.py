"""Games that begin with random plies: the same in all environments, none over, each time others, and none from a given position."""

import numpy as np
import pytest

import ludus

from ..helpers.views import make_aec, make_single, make_vector

GAMES = ["tictactoe", "quarto", "othello:size=4", "connect_four"]


def count_placed(game, state):
    """How many cells hold something, where no ply takes anything away."""
    return int(game.observations(state[None], [0])[0, :2].sum())


@pytest.mark.parametrize("spec", GAMES)
def test_all_environments_open_games_alike(spec):
    many = make_vector(spec, 4, opponent=None, opening_plies=3)
    single, aec = make_single(spec, opponent=None, opening_plies=3), make_aec(spec, opening_plies=3)
    observation, _ = many.reset(seed=10)
    for board, seed in enumerate(range(10, 14)):
        single.reset(seed=seed)
        aec.reset(seed=seed)
        assert many.unwrapped.position[board] == single.unwrapped.position == aec.unwrapped.position
        alone = aec.observe(aec.agent_selection)
        assert np.array_equal(observation["observation"][board], alone["observation"])
        assert np.array_equal(observation["action_mask"][board], alone["action_mask"])
        assert single.unwrapped.key() == aec.unwrapped.key() == many.unwrapped.ply_keys()[board]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_every_game_begins_with_as_many_plies_each_time_others(mode):
    envs = make_vector("connect_four", 64, opponent=None, opening_plies=4, autoreset_mode=mode)
    game, begun = ludus.make_game("connect_four"), set()
    envs.reset(seed=0)
    discs = game.count_discs(envs.unwrapped.rules_state)
    assert (discs == 4).all()
    for _ in range(120):
        *_, terminated, _, _ = envs.step(envs.sample_actions())
        states = envs.unwrapped.rules_state
        fresh = game.count_discs(states) < discs
        assert (game.count_discs(states[fresh]) == 4).all()
        assert mode != "SameStep" or (fresh == terminated).all()
        begun |= {int(state[0]) for state in states[fresh]}
        discs = game.count_discs(states)
    assert len(begun) > 100


def test_every_legal_action_may_open_a_game():
    envs = make_vector("tictactoe", 300, opponent=None, opening_plies=1)
    envs.reset(seed=1)
    _, counts = np.unique(envs.unwrapped.rules_state[:, 0] & np.uint64(0o777), return_counts=True)
    assert len(counts) == 9
    assert counts.min() > 15


def test_an_opponent_answers_after_the_opening():
    env = make_single("tictactoe", opponent="random", seat=0, opening_plies=3)
    for seed in range(10):
        env.reset(seed=seed)
        assert count_placed(env.unwrapped.game, env.unwrapped.rules_state) == 4  # X, O, X, and O by the opponent


def test_an_opening_stops_before_it_would_end_the_game():
    for make in (lambda: make_single("nim", opponent=None, opening_plies=50), lambda: make_aec("nim", opening_plies=50)):
        env = make()
        for seed in range(30):
            env.reset(seed=seed)
            assert env.unwrapped.game.outcome(env.unwrapped.rules_state) is None
    limited = make_vector("quixo:max_plies=4", 8, opponent=None, opening_plies=9)
    limited.reset(seed=0)
    *_, truncated, _ = limited.step(limited.sample_actions())
    assert truncated.any()


def test_a_game_from_a_position_has_no_opening():
    position = "X-O------ X"
    single, many = (
        make_single("tictactoe", opponent=None, opening_plies=3),
        make_vector("tictactoe", 2, opponent=None, opening_plies=3),
    )
    aec = make_aec("tictactoe", opening_plies=3)
    for env in (single, many, aec):
        env.reset(seed=0, options={"position": position})
    assert [single.unwrapped.position, aec.unwrapped.position, *many.unwrapped.position] == [position] * 4


@pytest.mark.parametrize("make", [make_aec, make_single, make_vector])
def test_the_number_of_plies_is_a_whole_one(make):
    with pytest.raises(ValueError, match="opening_plies is -1; it must be a whole number from 0 to 1,000"):
        make("tictactoe", opening_plies=-1)
