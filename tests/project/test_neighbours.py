"""Other libraries: every example runs, and the statements of `docs/neighbours.md` are true."""

import gc
import runpy
from pathlib import Path

import numpy as np
import pettingzoo
import pytest

from ..helpers.system.processes import ROOT, run_script

FOLDER = ROOT / "examples" / "neighbours"
EXAMPLES = {
    # required modules, and arguments for a few steps
    "agilerl_dqn.py": (["agilerl"], ["--steps", "400"]),
    "gymnasium_q_learning.py": ([], ["--games", "1000"]),
    "gymnasium_vector_a2c.py": (["torch"], ["--updates", "10"]),
    "inspect_positions.py": (["inspect_ai"], ["--limit", "20"]),
    "minari_oracle.py": (["minari", "pyarrow"], ["--games", "5"]),
    "openspiel_shimmy.py": (["shimmy", "pyspiel"], ["--games", "10"]),
    "ppo_single_file.py": (["torch"], ["--steps", "8192", "--games", "100"]),
    "rllib_masks.py": (["ray", "tree", "lz4", "ormsgpack"], ["--iterations", "1"]),
    "sb3_tutorial_wrapper.py": (["sb3_contrib"], ["--steps", "512"]),
    "tianshou_dqn.py": (["tianshou"], ["--steps", "800"]),
    "torchrl_boards.py": (["torchrl"], ["--iterations", "1"]),
    "torchrl_multiagent_ppo.py": (["torchrl"], ["--iterations", "1"]),
    "wrappers.py": (["supersuit"], ["--steps", "100"]),
}
APART = {f"{name}_dqn.py": pytest.mark.apart(name=name) for name in ("tianshou", "agilerl")}
APART |= {"inspect_positions.py": pytest.mark.apart(name="inspect"), "rllib_masks.py": pytest.mark.alone}
"""The examples whose library has an environment of its own, or runs where nothing else does."""


def example(name: str) -> dict:
    """The definitions of an example."""
    need(name)
    return runpy.run_path(str(FOLDER / name))


def need(name: str) -> list[str]:
    """Skips the test if a module is missing; returns the arguments of the example."""
    modules, arguments = EXAMPLES[name]
    for module in modules:
        pytest.importorskip(module)
    return arguments


def random_actions(seed: int, masks: np.ndarray) -> np.ndarray:
    return (np.random.default_rng(seed).random(masks.shape) * masks).argmax(-1)


def test_every_example_is_tested_and_on_the_page():
    scripts = {path.name for path in FOLDER.glob("*.py")}
    assert scripts == set(EXAMPLES)
    page = (ROOT / "docs" / "neighbours.md").read_text(encoding="utf-8")
    assert all(f"](../examples/neighbours/{name})" in page for name in scripts)


@pytest.mark.parametrize("name", [pytest.param(name, marks=APART.get(name, ())) for name in EXAMPLES])
def test_the_example_runs(name: str, tmp_path: Path):
    printed, _ = run_script(FOLDER / name, need(name), tmp_path, RAY_USAGE_STATS_ENABLED="0")
    assert printed.strip()


# ---- the tutorial's wrapper


def test_the_tutorials_wrapper_never_returns_a_loss():
    env = example("sb3_tutorial_wrapper.py")["TutorialWrapper"](pettingzoo.make("aec", "ludus/tictactoe-v0"))
    returned, rewards = [], []
    for seed in range(100):
        env.reset(seed=seed)
        over = False
        while not over:
            _, reward, over, _, _ = env.step(int(random_actions(seed + len(returned), env.action_mask())))
            returned.append(reward)
        rewards += env.rewards.values()
    assert sorted(set(returned)) == [0, 1]
    assert returned.count(1) == rewards.count(1) == rewards.count(-1) > 50


# ---- OpenSpiel


@pytest.mark.parametrize(("name", "theirs"), [("tictactoe", "tic_tac_toe"), ("othello", "othello")])
def test_random_games_go_alike_in_openspiel_through_shimmy(name: str, theirs: str):
    scope = example("openspiel_shimmy.py")
    environments = pettingzoo.make("aec", f"ludus/{name}-v0"), scope["OpenSpielCompatibilityV0"](game_name=theirs)
    assert all(scope["same_game"](*environments, seed) for seed in range(20))


# ---- TorchRL and Tianshou


@pytest.mark.apart(name="tianshou")
@pytest.mark.parametrize(("horizon", "reward_of_o"), [(1, 0), (2, -1)])
def test_tianshou_needs_a_horizon_of_two_for_the_losers_reward(horizon: int, reward_of_o: int):
    pytest.importorskip("tianshou")
    import torch
    from tianshou.algorithm.algorithm_base import Algorithm
    from tianshou.data import Batch, ReplayBuffer

    env, buffer = example("tianshou_dqn.py")["board"](), ReplayBuffer(20)
    observation, _ = env.reset()
    for cell in (0, 3, 1, 4, 2):  # X wins; O made the move before
        seen = observation
        observation, reward, terminated, truncated, _ = env.step(cell)
        step = {"obs": seen, "act": cell, "rew": np.array(reward), "terminated": terminated, "truncated": truncated}
        buffer.add(Batch(**step, obs_next=observation, info={}))
    batch, rows = buffer[np.array([3])], np.array([3])
    buffer._meta.rew = buffer.rew[:, 1]  # as Tianshou does it for the second seat
    Algorithm.compute_nstep_return(batch, buffer, rows, lambda _, indices: torch.zeros(len(indices)), 1.0, horizon)
    assert batch.returns.flatten().tolist() == [reward_of_o]


# ---- Inspect


@pytest.mark.apart(name="inspect")
@pytest.mark.filterwarnings("ignore")
def test_inspect_measures_perfect_and_random_play_and_answers_without_a_move(tmp_path: Path):
    inspect_ai, scope = pytest.importorskip("inspect_ai"), example("inspect_positions.py")

    whole, measured = scope["frozen_set"]("tictactoe"), {}
    models = {policy: scope["in_prose"](policy, "tictactoe") for policy in ("perfect", "random")}
    models["silent"] = scope["get_model"](
        "mockllm/model", memoize=False, custom_outputs=lambda *asked: scope["as_output"]("I resign.")
    )
    for name, model in models.items():
        (log,) = inspect_ai.eval(scope["positions"](), model, log_dir=str(tmp_path), display="none")
        assert log.status == "success", log.error
        measured[name] = {f"{part.name} {key}": found.value for part in log.results.scores for key, found in part.metrics.items()}
    gc.collect()  # Inspect leaves streams open, which warn when they are collected
    random_loses = np.mean([each.random_loses for each in whole.positions])
    assert [measured["perfect"][key] for key in ("regret measure", "value_lost mean", "legal mean")] == [1, 0, 1]
    assert measured["perfect"]["random_loses mean"] == pytest.approx(random_loses)
    assert abs(measured["random"]["regret measure"]) < 0.15
    assert measured["silent"]["legal mean"] == 0
    lost = np.mean([1 + each.value for each in whole.positions])
    assert measured["silent"]["regret measure"] == pytest.approx(1 - lost / random_loses)
