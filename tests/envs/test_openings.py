"""Games that begin with openings of a list: the same in all environments by seed, all of them, none from a position."""

from collections import Counter

import gymnasium as gym
import numpy as np
import pytest

from ludus.envs import make_game
from ludus.records import Openings

from ..helpers.views import make_aec, make_single, make_vector

GAME = make_game("connect_four")
LINES = ((3, 3, 3), (0,), (3, 2, 1, 0, 6, 5), (6, 6), (5, 4, 5))
SUITE = Openings("five", "connect_four", (None,) * 5, LINES)
ENDS = [GAME.text(state) for state in SUITE.arrays.ends]
PLACED = Openings("placed", "connect_four", tuple(ENDS), ((),) * 5)


@pytest.mark.parametrize("suite", [SUITE, PLACED])
def test_all_environments_begin_with_the_same_opening_by_seed(suite):
    many = make_vector("connect_four", 12, opponent=None, openings=suite)
    single, aec = make_single("connect_four", opponent=None, openings=suite), make_aec("connect_four", openings=suite)
    observation, _ = many.reset(seed=10)
    for board, seed in enumerate(range(10, 22)):
        for env in (single, aec):
            env.reset(seed=seed)
            assert env.unwrapped.position == many.unwrapped.position[board] in ENDS
            assert env.unwrapped.key() == many.unwrapped.ply_keys()[board]
        alone = aec.observe(aec.agent_selection)
        assert np.array_equal(observation["observation"][board], alone["observation"])
        assert np.array_equal(observation["action_mask"][board], alone["action_mask"])
        for line in (single.unwrapped.line, aec.unwrapped.line):
            row = ENDS.index(aec.unwrapped.position)
            assert np.array_equal(line.starts[0], suite.arrays.starts[row])
            assert tuple(line.moves[0].tolist()) == suite.lines[row]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("opponent", [None, "random"])
def test_every_game_begins_with_one_of_the_openings_each_about_as_often(mode, opponent):
    envs = make_vector("connect_four", 64, opponent=opponent, seat=0, openings=SUITE, autoreset_mode=mode)
    envs.reset(seed=0)
    begun, plies = Counter(envs.unwrapped.position), GAME.count_discs(envs.unwrapped.rules_state)
    for _ in range(60):
        envs.step(envs.sample_actions())
        now = GAME.count_discs(envs.unwrapped.rules_state)
        begun.update(np.array(envs.unwrapped.position)[now < plies].tolist())
        plies = now
    if opponent is None:
        assert {*begun} == {*ENDS}
        assert min(begun.values()) > sum(begun.values()) / 8
    else:  # where the opponent is to move, it has moved
        later = {GAME.text(GAME.play(s, a)) for s in SUITE.arrays.ends if GAME.player(s) == 1 for a in GAME.legal_actions(s)}
        assert {*begun} <= {*ENDS} | later


def test_a_position_wins_over_the_openings():
    empty = GAME.text(GAME.start)
    for make in (make_single, make_vector):
        env = make("connect_four", opponent=None, openings=SUITE)
        env.reset(seed=0, options={"position": empty})
        assert empty in env.unwrapped.position
    aec = make_aec("connect_four", openings=SUITE)
    aec.reset(seed=0, options={"position": empty})
    assert aec.unwrapped.position == empty
    aec.reset()
    assert aec.unwrapped.position in ENDS


def test_openings_longer_than_the_room_for_lines_are_kept_whole():
    game = make_game("quixo")
    state, line = game.start, list[int]()
    while len(line) < 150:
        action = next(a for a in game.legal_actions(state) if game.outcome(game.play(state, a)) is None)
        state = game.play(state, action)
        line.append(action)
    env = make_single("quixo", opponent=None, openings=Openings("long", "quixo", (None,), (tuple(line),)))
    env.reset(seed=0)
    assert env.unwrapped.line.moves[0].tolist() == line


def test_what_begins_games_is_a_file_a_suite_or_openings_and_not_random_plies_too(tmp_path):
    file = tmp_path / "mine.openings"
    file.write_text("d1 d2\na1\n")
    env = gym.make("ludus/ConnectFour-v0", opponent=None, openings=str(file))
    env.reset(seed=3)
    assert GAME.count_discs(env.unwrapped.rules_state[None])[0] in (1, 2)
    for make in (make_single, make_vector, make_aec):
        with pytest.raises(ValueError, match="openings are given, and opening_plies is 3; games begin with the one or the other"):
            make("connect_four", openings=SUITE, opening_plies=3)
        with pytest.raises(ValueError, match="there are no openings 'unknown'"):
            make("connect_four", openings="unknown")
        with pytest.raises(
            ValueError, match="the openings of five are of connect_four, and games of tictactoe are to begin with them"
        ):
            make("tictactoe", openings=SUITE)
