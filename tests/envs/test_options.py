"""What `reset(options=…)` says of options that it does not know, in every view."""

import warnings

import gymnasium as gym
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
    "single": (lambda: gym.make("ludus/TicTacToe-v0"), "position, opponent"),
    "vector": (lambda: gym.make_vec("ludus/TicTacToe-v0", num_envs=2), "position, opponent, reset_mask"),
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
    slips = dict.fromkeys(["fen", "positions", "Position", "postion"], "did you mean 'position'? ")
    slips |= {} if "opponent" in known else {"opponent": ""}
    slips |= {"oponent": "did you mean 'opponent'? "} if "opponent" in known else {}
    slips |= {} if "reset_mask" in known else {"reset_mask": ""}
    for slip, advice in slips.items():
        views._warn_of.cache_clear()
        sentence = f"reset() ignores the option {slip!r}; {advice}the options of this environment are: {known}"
        assert warned(view, {slip: "X-------- O"}) == [sentence]
        assert warned(view, {slip: "-X------- O"}) == []


@pytest.mark.parametrize("view", VIEWS)
def test_our_options_and_those_of_others_pass(view):
    ours = {"position": "X-------- O"} | ({"opponent": "random"} if "opponent" in VIEWS[view][1] else {})
    for options in (ours, {"options": 1}, {"seat": 7, "wrapper": None, "difficulty": 2}, {3: 4}, {}):
        assert warned(view, options) == []


def test_the_warning_points_at_the_call_of_reset():
    views._warn_of.cache_clear()
    with pytest.warns(UserWarning, match="fen") as caught:
        AECGame("tictactoe").reset(options={"fen": "X-------- O"})
    assert caught[0].filename == __file__
