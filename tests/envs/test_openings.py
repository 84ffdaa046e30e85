"""Games that begin with openings of a list or with random plies: the same in all environments by seed, none from a position."""

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
RANDOM = {"opening_plies": 3}


@pytest.mark.parametrize(
    ("spec", "opening"),
    [
        ("connect_four", {"openings": SUITE}),
        ("connect_four", {"openings": PLACED}),
        *((spec, RANDOM) for spec in ("tictactoe", "quarto", "othello:size=4", "connect_four")),
    ],
)
def test_all_environments_begin_with_the_same_opening_by_seed(spec, opening):
    many = make_vector(spec, 12, opponent=None, **opening)
    single, aec = make_single(spec, opponent=None, **opening), make_aec(spec, **opening)
    observation, _ = many.reset(seed=10)
    for board, seed in enumerate(range(10, 22)):
        for env in (single, aec):
            env.reset(seed=seed)
            assert env.unwrapped.position == many.unwrapped.position[board]
            assert env.unwrapped.key() == many.unwrapped.ply_keys()[board]
        alone = aec.observe(aec.agent_selection)
        assert np.array_equal(observation["observation"][board], alone["observation"])
        assert np.array_equal(observation["action_mask"][board], alone["action_mask"])
        if suite := opening.get("openings"):
            row = ENDS.index(aec.unwrapped.position)
            for line in (single.unwrapped.line, aec.unwrapped.line):
                assert np.array_equal(line.starts[0], suite.arrays.starts[row])
                assert tuple(line.moves[0].tolist()) == suite.lines[row]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_every_game_begins_with_one_of_the_openings_each_about_as_often(mode):
    envs = make_vector("connect_four", 64, opponent=None, openings=SUITE, autoreset_mode=mode)
    envs.reset(seed=0)
    begun, plies = Counter(envs.unwrapped.position), GAME.count_discs(envs.unwrapped.rules_state)
    for _ in range(60):
        envs.step(envs.sample_actions())
        now = GAME.count_discs(envs.unwrapped.rules_state)
        begun.update(np.array(envs.unwrapped.position)[now < plies].tolist())
        plies = now
    assert {*begun} == {*ENDS}
    assert min(begun.values()) > sum(begun.values()) / 8


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_every_game_begins_with_as_many_random_plies_each_time_others(mode):
    envs = make_vector("connect_four", 64, opponent=None, opening_plies=4, autoreset_mode=mode)
    envs.reset(seed=0)
    discs, begun = GAME.count_discs(envs.unwrapped.rules_state), set()
    assert (discs == 4).all()
    for _ in range(120):
        envs.step(envs.sample_actions())
        states = envs.unwrapped.rules_state
        fresh = GAME.count_discs(states) < discs
        assert (GAME.count_discs(states[fresh]) == 4).all()
        begun |= {int(state[0]) for state in states[fresh]}
        discs = GAME.count_discs(states)
    assert len(begun) > 100


def test_every_legal_action_may_open_a_game():
    envs = make_vector("tictactoe", 300, opponent=None, opening_plies=1)
    envs.reset(seed=1)
    _, counts = np.unique(envs.unwrapped.rules_state[:, 0] & np.uint64(0o777), return_counts=True)
    assert len(counts) == 9
    assert counts.min() > 15


def test_random_plies_stop_before_they_would_end_the_game():
    for make in (lambda: make_single("nim", opponent=None, opening_plies=50), lambda: make_aec("nim", opening_plies=50)):
        env = make()
        for seed in range(30):
            env.reset(seed=seed)
            assert env.unwrapped.game.outcome(env.unwrapped.rules_state) is None
    limited = make_vector("quixo:max_plies=4", 8, opponent=None, opening_plies=9)
    limited.reset(seed=0)
    *_, truncated, _ = limited.step(limited.sample_actions())
    assert truncated.any()
    alone = make_single("quixo:max_plies=4", opponent=None, opening_plies=9)
    alone.reset(seed=0)
    assert len(alone.unwrapped.line.moves[0]) == 3


@pytest.mark.parametrize("opening", [{"openings": SUITE}, RANDOM], ids=["list", "random"])
def test_a_game_from_a_position_has_no_opening(opening):
    empty = GAME.text(GAME.start)
    self_play = {"opponent": None, **opening}
    for make, given in ((make_single, self_play), (make_vector, self_play), (make_aec, opening)):
        env = make("connect_four", **given)
        env.reset(seed=0, options={"position": empty})
        assert env.unwrapped.position in (empty, [empty] * 4)
        env.reset()
        assert env.unwrapped.position not in (empty, [empty] * 4)


def test_openings_may_be_a_file(tmp_path):
    file = tmp_path / "mine.openings"
    file.write_text("d1 d2\na1\n")
    env = gym.make("ludus/ConnectFour-v0", opponent=None, openings=str(file))
    env.reset(seed=3)
    assert GAME.count_discs(env.unwrapped.rules_state[None])[0] in (1, 2)


@pytest.mark.parametrize(
    ("spec", "given", "words"),
    [
        ("connect_four", {"openings": SUITE, **RANDOM}, "openings are given, and opening_plies is 3"),
        ("connect_four", {"openings": "unknown"}, "there are no openings 'unknown'"),
        ("tictactoe", {"openings": SUITE}, "the openings of five are of connect_four, and games of tictactoe are to begin with"),
        ("tictactoe", {"opening_plies": -1}, "opening_plies is -1; it must be a whole number from 0 to 1,000"),
    ],
)
def test_what_cannot_begin_a_game_is_refused(spec, given, words):
    for make in (make_single, make_vector, make_aec):
        with pytest.raises(ValueError, match=words):
            make(spec, **given)
