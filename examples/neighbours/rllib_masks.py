"""RLlib's PPO with action masks, on one seat: its own masking module takes the mask out of the observation.

The module wants `observations` beside `action_mask`, and a flat row of floats: `row` makes both. `pip install '.[neighbours]'`
brings what RLlib needs and the newest Gymnasium; `pip install . torch 'ray[rllib]'` holds Gymnasium at 1.2.2.

python examples/neighbours/rllib_masks.py --iterations 20
"""

import argparse

import gymnasium as gym
import numpy as np
from gymnasium.wrappers import TransformObservation
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env


def one_seat(_config) -> gym.Env:
    import ludus  # noqa: F401  registers the environments, in Ray's own processes too

    env = gym.make("ludus/TicTacToe-v0", opponent="random")
    size = int(np.prod(env.observation_space["observation"].shape))
    space = gym.spaces.Dict(
        action_mask=gym.spaces.Box(0.0, 1.0, env.observation_space["action_mask"].shape, np.float32),
        observations=gym.spaces.Box(0.0, 1.0, (size,), np.float32),
    )
    return TransformObservation(env, row, space)


def row(observation: dict) -> dict:
    """The observation as RLlib's masking module expects it."""
    planes, mask = (observation[part].astype(np.float32) for part in ("observation", "action_mask"))
    return {"action_mask": mask, "observations": planes.reshape(-1)}


arguments = argparse.ArgumentParser()
arguments.add_argument("--iterations", type=int, default=20)
iterations = arguments.parse_args().iterations

register_env("tictactoe", one_seat)
config = (
    PPOConfig()
    .environment("tictactoe")
    .env_runners(num_env_runners=0, num_envs_per_env_runner=16)
    .training(train_batch_size_per_learner=2048, minibatch_size=256, num_epochs=4, lr=1e-3, gamma=0.99, entropy_coeff=0.01)
    .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"head_fcnet_hiddens": [64, 64]}))
    .debugging(seed=0)
)
algorithm = config.build_algo()
for _ in range(iterations):
    results = algorithm.train()["env_runners"]
    print(f"{results['num_env_steps_sampled_lifetime']:.0f} steps, mean result of a game {results['episode_return_mean']:+.2f}")
algorithm.stop()
