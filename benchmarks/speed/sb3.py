"""How fast MaskablePPO learns with different vector environments and the same network, measured in turn; medians.

- `wrapper`: one AEC environment in the wrapper of PettingZoo's tutorial for masked actions, with default settings;
- `8 wrappers`: eight of them in a `DummyVecEnv`, 2048 steps per update, in 4 epochs of batches of 512;
- `128 wrappers`: as many as there are boards below, so that the network evaluates batches of the same size;
- `BoardsVecEnv`: 128 compiled boards with the same settings.

The wrappers play both seats, ours one seat against random. For ours, the share of time for the boards, the opponent and the
masks is measured, too; the rest is spent in the network and Stable-Baselines3.
"""

from __future__ import annotations

import statistics
import time
from functools import partial
from typing import Any

import pettingzoo

import ludus  # noqa: F401  registers the environments

from .. import RESULTS
from ..common import TITLES, Rate, rate, table, take_in_turn
from ..runner import Rows, Study

GAMES = ("tictactoe", "quixo")
UPDATE = {"batch_size": 512, "n_epochs": 4}
BOARDS = 128
WRAPPER, WRAPPERS, AS_MANY, OURS = "wrapper", "8 wrappers", f"{BOARDS} wrappers", "BoardsVecEnv"
SECONDS, RUNS = 6.0, 5


def timed_boards(game: str) -> Any:
    """128 boards against random that measure the seconds of boards, opponent and masks."""
    from ludus.baselines.sb3 import BoardsVecEnv

    class Timed(BoardsVecEnv):
        seconds = 0.0

        def step_wait(self) -> Any:
            begin = time.perf_counter()
            found = super().step_wait()
            self.seconds += time.perf_counter() - begin
            return found

        def action_masks(self) -> Any:
            begin = time.perf_counter()
            found = super().action_masks()
            self.seconds += time.perf_counter() - begin
            return found

    return Timed(game, BOARDS, opponent="random")


def models(game: str) -> dict[str, Any]:
    """A learner for each environment, with the same network: planes, and two layers of 64 for policy and value each."""
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.wrappers import ActionMasker
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import DummyVecEnv

    from examples.neighbours.sb3_tutorial_wrapper import TutorialWrapper
    from ludus.baselines.sb3 import BoardFeatures

    planes = {"features_extractor_class": BoardFeatures, "features_extractor_kwargs": {"convolutions": ()}}

    def learner(policy: str, envs: Any, count: int, **more: Any) -> Any:
        return MaskablePPO(policy, envs, n_steps=2048 // count, seed=0, device="cpu", **UPDATE, **more)

    def wrapper() -> Monitor[Any, Any]:
        aec = TutorialWrapper(pettingzoo.make("aec", f"ludus/{game}-v0"))
        return Monitor(ActionMasker(aec, TutorialWrapper.action_mask))

    return {
        OURS: learner("MultiInputPolicy", timed_boards(game), BOARDS, policy_kwargs=planes),
        WRAPPER: MaskablePPO("MlpPolicy", wrapper(), seed=0, device="cpu"),
        WRAPPERS: learner("MlpPolicy", DummyVecEnv([wrapper] * 8), 8),
        AS_MANY: learner("MlpPolicy", DummyVecEnv([wrapper] * BOARDS), BOARDS),
    }


def cells() -> dict[str, Any]:
    """A cell for each game."""
    return {game: partial(compare, game) for game in GAMES}


def compare(game: str) -> dict[str, Any]:
    """The rates of all, with one torch thread, which is fastest for small networks; and the boards' share of the time of ours."""
    import torch

    torch.set_num_threads(1)
    learners, shares = models(game), list[float]()
    for model in learners.values():
        model.learn(2048)

    def measure(whose: str) -> Rate:
        model = learners[whose]
        boards, began = model.get_env(), time.perf_counter()
        boards.seconds = 0.0
        found = rate(partial(learn, model))
        if whose == OURS:
            shares.append(boards.seconds / (time.perf_counter() - began))
        return found

    rates = take_in_turn({whose: partial(measure, whose) for whose in learners}, RUNS)
    return {"rates": rates, "share_of_the_boards": statistics.median(shares)}


def learn(model: Any) -> int:
    """Lets a model learn for about so many seconds; returns the steps."""
    began, before = time.perf_counter(), model.num_timesteps
    while time.perf_counter() - began < SECONDS:
        model.learn(2048, reset_num_timesteps=False)
    return model.num_timesteps - before


def show(rows: Rows) -> dict[str, str]:
    """A row for each game."""
    heads = [
        "",
        "`BoardsVecEnv` is … times as fast as these three",
        "by processor time",
        "one AEC environment in the tutorial's wrapper, defaults",
        "8 of them in a `DummyVecEnv`",
        f"{BOARDS} of them",
        f"`BoardsVecEnv`, {BOARDS} boards",
        "the boards' share of the time",
    ]
    lines = list[list[str]]()
    for game, row in rows.items():
        ours, *others = row["rates"]
        faster = [" · ".join(f"{other[name]:.1f}" for other in others) for name in ("times", "by_processor")]
        steps = [f"{way['rate']:,.0f}" for way in (*others, ours)]
        title = TITLES[game]
        lines.append([title, *faster, *steps, f"{100 * row['share_of_the_boards']:.0f} %"])
    return {"table": table(heads, lines)}


LIBRARIES = ("stable-baselines3", "sb3-contrib", "torch", "numpy", "gymnasium", "pettingzoo")
STUDIES = (Study(RESULTS / "sb3.json", cells, show, 0, LIBRARIES),)
