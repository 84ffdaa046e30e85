"""How fast trainings are: MaskablePPO in different vector environments (docs/sb3.md), AlphaZero on one core (docs/alphazero.md).

MaskablePPO has the same network with each of these, which are measured in turn, with one thread of torch:

- `wrapper`: one AEC environment in the wrapper of PettingZoo's tutorial for masked actions, with default settings;
- `8 wrappers`: eight of them in a `DummyVecEnv`, 2048 steps per update, in 4 epochs of batches of 512;
- `128 wrappers`: as many as there are boards below, so that the network evaluates batches of the same size;
- `BoardsVecEnv`: 128 compiled boards with the same settings.

The wrappers play both seats, ours one seat against random.
"""

from __future__ import annotations

import re
import sys
import time
from functools import partial
from typing import Any

import pettingzoo

from .. import RESULTS, ROOT
from ..common import TITLES, rate, run, table, take_in_turn
from ..runner import Rows, Study

# ---- MaskablePPO

GAMES = ("tictactoe", "quixo")
UPDATE = {"batch_size": 512, "n_epochs": 4}
BOARDS = 128
SECONDS, RUNS = 6.0, 5


def models(game: str) -> dict[str, Any]:
    """A learner for each environment, ours first, with the same network: planes, and two layers of 64 for policy and value each."""
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.wrappers import ActionMasker
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import DummyVecEnv

    from examples.neighbours.sb3_tutorial_wrapper import TutorialWrapper
    from ludus.baselines.sb3 import BoardFeatures, BoardsVecEnv

    planes = {"features_extractor_class": BoardFeatures, "features_extractor_kwargs": {"convolutions": ()}}

    def learner(policy: str, envs: Any, count: int, **more: Any) -> Any:
        return MaskablePPO(policy, envs, n_steps=2048 // count, seed=0, device="cpu", **UPDATE, **more)

    def wrapper() -> Monitor[Any, Any]:
        aec = TutorialWrapper(pettingzoo.make("aec", f"ludus/{game}-v0"))
        return Monitor(ActionMasker(aec, TutorialWrapper.action_mask))

    return {
        "BoardsVecEnv": learner("MultiInputPolicy", BoardsVecEnv(game, BOARDS, opponent="random"), BOARDS, policy_kwargs=planes),
        "wrapper": MaskablePPO("MlpPolicy", wrapper(), seed=0, device="cpu"),
        "8 wrappers": learner("MlpPolicy", DummyVecEnv([wrapper] * 8), 8),
        f"{BOARDS} wrappers": learner("MlpPolicy", DummyVecEnv([wrapper] * BOARDS), BOARDS),
    }


def compare(game: str) -> dict[str, Any]:
    """The rates of all, with one torch thread, which is fastest for small networks."""
    import torch

    torch.set_num_threads(1)
    learners = models(game)
    for model in learners.values():
        model.learn(2048)
    return {"rates": take_in_turn({whose: partial(rate, partial(learn, model)) for whose, model in learners.items()}, RUNS)}


def learn(model: Any) -> int:
    """Lets a model learn for about this many seconds; returns the steps."""
    began, before = time.perf_counter(), model.num_timesteps
    while time.perf_counter() - began < SECONDS:
        model.learn(2048, reset_num_timesteps=False)
    return model.num_timesteps - before


def show_sb3(rows: Rows) -> dict[str, str]:
    """A row for each game."""
    heads = [
        *("", "`BoardsVecEnv` is … times as fast as these three", "by processor time"),
        *("one AEC environment in the tutorial's wrapper, defaults", "8 of them in a `DummyVecEnv`", f"{BOARDS} of them"),
        f"`BoardsVecEnv`, {BOARDS} boards",
    ]
    lines = list[list[str]]()
    for game, row in rows.items():
        ours, *others = row["rates"]
        faster = [" · ".join(f"{other[name]:.1f}" for other in others) for name in ("times", "by_processor")]
        lines.append([TITLES[game], *faster, *(f"{way['rate']:,.0f}" for way in (*others, ours))])
    return {"table": table(heads, lines)}


# ---- AlphaZero on one core, by the example that measures it

EXAMPLE = ROOT / "examples" / "training" / "alphazero_cost.py"
LEARNT = [("quarto", "Quarto", 32), ("quixo", "Quixo", 32), ("othello:size=6", "Othello 6×6", 32), ("othello", "Othello", 64)]
"""Each game, its title, and the simulations of a position."""
PRINTED = {"network": r"([\d,]+) evaluations/s", "play": r"([\d,]+) simulations/s", "learn": r"([\d,]+) positions/s"}


def run_example(game: str, simulations: int) -> dict[str, float]:
    """Per second of processor time: evaluations, simulations in self-play, and positions learnt from."""
    printed = run(sys.executable, EXAMPLE, game, "--simulations", str(simulations))
    return {name: float(re.findall(pattern, printed)[0].replace(",", "")) for name, pattern in PRINTED.items()}


def show_alphazero(rows: Rows) -> dict[str, str]:
    """A row for each game."""
    lines = list[list[str]]()
    for game, title, simulations in LEARNT:
        row = rows[game]
        share = f"{100 * row['play'] / row['network']:.0f} %"
        rates = f"{row['network']:,.0f}", f"{row['play']:,.0f}", share, f"{row['learn']:,.0f}"
        lines.append([f"{title}, {simulations} simulations", *rates])
    heads = ["", "the network alone, evaluations/s", "games against itself, simulations/s", "of that", "learning, positions/s"]
    return {"table": table(heads, lines)}


SB3_LIBRARIES = ("stable-baselines3", "sb3-contrib", "torch", "numpy", "gymnasium", "pettingzoo")
STUDIES = (
    Study(RESULTS / "sb3.json", lambda: {game: partial(compare, game) for game in GAMES}, show_sb3, 0, SB3_LIBRARIES),
    Study(
        RESULTS / "alphazero_cost.json",
        lambda: {game: partial(run_example, game, simulations) for game, _, simulations in LEARNT},
        show_alphazero,
        0,
        ("numpy", "llvmlite", "torch"),
    ),
)
