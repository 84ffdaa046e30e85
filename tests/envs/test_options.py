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
    "aec": lambda: AECGame("tictactoe"),
    "single": lambda: gym.make("ludus/TicTacToe-v0"),
    "vector": lambda: gym.make_vec("ludus/TicTacToe-v0", num_envs=2),
    "stable_baselines": lambda: StableBaselines("tictactoe", 2),
}
KNOWN = {
    "aec": "position",
    "single": "position, opponent",
    "vector": "position, opponent, reset_mask",
    "stable_baselines": "position",
}
every_view = pytest.mark.parametrize("view", VIEWS)


@pytest.fixture(autouse=True)
def nothing_warned_of():
    views._warn_of.cache_clear()


def warned(env, options):
    """What is warned of at a reset with these options."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        env.reset(options=options)
    return [str(one.message) for one in caught]


@every_view
@pytest.mark.parametrize("slip", ["fen", "positions", "Position", "postion"])
def test_a_near_miss_of_an_option_is_warned_of_once(view, slip):
    env = VIEWS[view]()
    known = f"the options of this environment are: {KNOWN[view]}"
    assert warned(env, {slip: "X-------- O"}) == [f"reset() ignores the option {slip!r}; did you mean 'position'? {known}"]
    assert warned(env, {slip: "X-------- O"}) == []
    assert warned(VIEWS[view](), {slip: "-X------- O"}) == []


@pytest.mark.parametrize("view", ["single", "vector"])
def test_a_misspelt_opponent_is_warned_of(view):
    (warning,) = warned(VIEWS[view](), {"oponent": "greedy"})
    assert "ignores the option 'oponent'; did you mean 'opponent'?" in warning


@pytest.mark.parametrize(("view", "option"), [("aec", "opponent"), ("aec", "reset_mask"), ("single", "reset_mask")])
def test_an_option_of_another_view_is_warned_of(view, option):
    known = f"the options of this environment are: {KNOWN[view]}"
    assert warned(VIEWS[view](), {option: None}) == [f"reset() ignores the option {option!r}; {known}"]


@every_view
@pytest.mark.parametrize("options", [{"options": 1}, {"seat": 7, "wrapper": None, "difficulty": 2}, {3: 4}, {}])
def test_options_of_others_pass(view, options):
    assert warned(VIEWS[view](), options) == []


@every_view
def test_our_options_pass(view):
    env = VIEWS[view]()
    several = {"opponent": "random"} if view in ("single", "vector") else {}
    assert warned(env, {"position": "X-------- O", **several}) == []


def test_the_warning_points_at_the_call_of_reset():
    with pytest.warns(UserWarning, match="fen") as caught:
        AECGame("tictactoe").reset(options={"fen": "X-------- O"})
    assert caught[0].filename == __file__
