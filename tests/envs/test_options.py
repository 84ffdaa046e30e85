"""What `reset(options=…)` says of options that it does not know, in every view."""

import warnings

import gymnasium as gym
import numpy as np
import pytest

from ludus.baselines.sb3.vec_env import BoardsVecEnv
from ludus.envs import views
from ludus.envs.aec import AECGame


class StableBaselines(BoardsVecEnv):
    """Its options come before its reset."""

    def reset(self, options):
        self.set_options(options)
        return super().reset()


VIEWS = {
    # how a view is made, and the options that it knows
    "aec": (lambda: AECGame("tictactoe"), "position"),
    "single": (lambda: gym.make("ludus/TicTacToe-v0"), "position, opponent, seat"),
    "vector": (lambda: gym.make_vec("ludus/TicTacToe-v0", num_envs=2), "position, opponent, seat, reset_mask"),
    "stable_baselines": (lambda: StableBaselines("tictactoe", 2), "position"),
}


def warned(view, options):
    """What is warned of at a reset of a new environment with these options."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        VIEWS[view][0]().reset(options=options)
    return [str(one.message) for one in caught]


@pytest.mark.parametrize("view", VIEWS)
def test_an_unknown_option_is_warned_of_once_if_it_is_nearly_one_or_one_of_another_view(view):
    known = VIEWS[view][1]
    slips = dict.fromkeys(["fen", "Position", "postion"], "did you mean 'position'? ")
    slips |= {"oponent": "did you mean 'opponent'? "} if "opponent" in known else {"opponent": "", "seat": ""}
    for slip, advice in slips.items():
        views._warn_of.cache_clear()
        sentence = f"reset() ignores the option {slip!r}; {advice}the options of this environment are: {known}"
        assert warned(view, {slip: "X-------- O"}) == [sentence]
        assert warned(view, {slip: "-X------- O"}) == []
    for options in ({"position": "X-------- O"}, {"options": 1}, {"side": 7, "wrapper": None, "difficulty": 2}, {3: 4}):
        assert warned(view, options) == []


def test_the_seat_is_chosen_for_the_games_that_begin():
    env = gym.make("ludus/TicTacToe-v0", seat=0)
    for options, seat in (({}, 0), ({"seat": 1}, 1), ({}, 1), ({"seat": 0}, 0), ({"seat": np.int64(1)}, 1)):
        observation, info = env.reset(seed=0, options=options)
        assert info["seat"] == seat
        assert (observation["observation"].sum() > 9) == bool(seat)  # the opponent has moved
    with pytest.raises(ValueError, match=r"seat is True; the learner sits at 0 \(moves first\), at 1, or at 'random'"):
        env.reset(options={"seat": True})
    envs = gym.make_vec("ludus/TicTacToe-v0", num_envs=3, seat=0)
    assert envs.reset(seed=0)[1]["seat"].tolist() == [0, 0, 0]
    only_last = np.array([False, False, True])
    assert envs.reset(options={"seat": 1, "reset_mask": only_last})[1]["seat"].tolist() == [0, 0, 1]
    drawn = {tuple(envs.reset(seed=seed, options={"seat": "random"})[1]["seat"].tolist()) for seed in range(9)}
    assert len(drawn) > 2


def test_the_warning_points_at_the_call_of_reset():
    views._warn_of.cache_clear()
    with pytest.warns(UserWarning, match="fen") as caught:
        AECGame("tictactoe").reset(options={"fen": "X-------- O"})
    assert caught[0].filename == __file__
