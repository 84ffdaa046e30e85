"""DQN: the value of each action, learnt from moves in a memory; among legal actions alone, or among all.

A round is `collect` actions on every board, then `gradients` gradient steps on moves drawn from the memory; a part is ROUNDS of
them. With `illegal=mask` an illegal action has a value below all others, both where an action is chosen and where the next position
is evaluated, and none is ever tried. With `illegal=penalty` DQN has no masks: an illegal action loses the game, -1.

Source: Mnih et al., Human-level control through deep reinforcement learning, Nature 518 (2015). The algorithm is that of
Stable-Baselines3; ours are the mask on its network, and exploration on each board by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from stable_baselines3 import DQN
from stable_baselines3.common.type_aliases import TrainFreq, TrainFrequencyUnit
from stable_baselines3.dqn.policies import DQNPolicy, QNetwork
from torch import Tensor, nn

from ...core.bounds import Count, OneOf, Share
from ...core.files.named_arrays import Arrays
from ...core.numbers import Range
from .training import SB3Settings, SB3Trainer

ROUNDS = 64
"""Rounds of a part, so that a part takes about a second, as `Trainer.advance` asks."""
MASK, PENALTY = "mask", "penalty"
ILLEGAL = -1e8
"""The value of an illegal action: lower than any other."""
MEMORY, SEEN = ("actions", "rewards", "dones", "timeouts"), ("observations", "next_observations")
"""The arrays of a replay buffer, and those of them that are a dictionary each."""


@dataclass(frozen=True)
class DQNSettings(SB3Settings):
    """Settings of DQN.

    Args:
        illegal: mask, to choose among legal actions alone; or penalty, where an illegal one loses the game.
        memory: the number of moves in the replay buffer.
        collect: the number of actions on each board in a round.
        gradients: the number of gradient steps in a round.
        batch: the number of moves in a gradient step.
        warm_up: the number of actions before the first gradient step.
        target_every: the number of actions between two updates of the target network.
        exploration: the probability of a random action at first.
        exploration_end: the probability of a random action at the end; in between it changes linearly.
        exploring: the share of the training during which it changes.
        longest_gradient: the largest norm of a gradient; longer ones are clipped.
    """

    illegal: Annotated[str, OneOf(MASK, PENALTY)] = MASK
    memory: Count = 100_000
    collect: Count = 1
    gradients: Count = 1
    batch: Count = 512
    warm_up: Annotated[int, Range(0)] = 5_000
    target_every: Count = 10_000
    exploration: Share = 1.0
    exploration_end: Share = 0.05
    exploring: Annotated[float, Range(above=0, most=1)] = 0.5
    longest_gradient: Annotated[float, Range(above=0)] = 10.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.memory < self.boards:
            raise ValueError(f"memory is {self.memory}; it must hold a move of each of the {self.boards} boards")


class LegalQNetwork(QNetwork):
    """The values of legal actions; illegal ones have ILLEGAL."""

    def forward(self, obs: Any) -> Tensor:
        """Values (B, A) of observations with their masks."""
        return super().forward(obs).masked_fill(obs["action_mask"] == 0, ILLEGAL)


class LegalDQNPolicy(DQNPolicy):
    """DQN's policy among legal actions."""

    def make_q_net(self) -> QNetwork:
        """A network with its own features."""
        return LegalQNetwork(**self._update_features_extractor(self.net_args, features_extractor=None)).to(self.device)


class ExploringDQN(DQN):
    """DQN that explores on each board by itself instead of on all or none, and among legal actions where it is masked."""

    def predict(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, observation: Any, state: Any = None, episode_start: Any = None, deterministic: bool = False
    ) -> tuple[NDArray[np.int64], Any]:
        """Actions (B,); unless `deterministic`, with the probability of exploration drawn at random."""
        actions, state = self.policy.predict(observation, state, episode_start, deterministic)
        if deterministic:
            return actions, state
        masks = observation["action_mask"]
        allowed = masks if isinstance(self.policy, LegalDQNPolicy) else np.ones_like(masks)
        drawn = (np.random.random(allowed.shape) * allowed).argmax(axis=1)  # noqa: NPY002  Stable-Baselines3 draws from it, too
        explored = np.random.random(len(allowed)) < self.exploration_rate  # noqa: NPY002
        return np.where(explored, drawn, actions), state


class DeepQ(SB3Trainer[DQNSettings]):
    """Learns the value of each action by DQN."""

    name: ClassVar[str] = "dqn"
    settings_class = DQNSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"defaults": {}}
    algorithm = ExploringDQN
    logged_metrics = "loss", "exploration_rate"
    draws: ClassVar[bool] = False
    outputs: ClassVar[tuple[str, ...]] = ("action_values",)

    model: ExploringDQN

    @classmethod
    def policy_class(cls, settings: DQNSettings) -> type[DQNPolicy]:
        return LegalDQNPolicy if settings.illegal == MASK else DQNPolicy

    @classmethod
    def core(cls, network: DQNPolicy) -> nn.Module:
        return network.q_net

    @staticmethod
    def module_of(core: QNetwork) -> nn.Module:
        return nn.Sequential(core.features_extractor, core.q_net)

    @property
    def model_settings(self) -> dict[str, Any]:
        s = self.settings
        sizes = {"buffer_size": s.memory, "batch_size": s.batch, "target_update_interval": max(s.target_every, s.boards)}
        exploration = {"exploration_initial_eps": s.exploration, "exploration_final_eps": s.exploration_end}
        return sizes | exploration | {"exploration_fraction": s.exploring, "max_grad_norm": s.longest_gradient}

    @property
    def steps_a_part(self) -> int:
        return ROUNDS * self.settings.boards * self.settings.collect

    @property
    def obstacle(self) -> str:
        if self.done > self.settings.warm_up:
            return ""
        return f"no gradient step is taken in the first {self.settings.warm_up:,} steps (warm_up), and there were {self.done:,}"

    def part(self) -> None:
        s, model = self.settings, self.model
        memory, freq = model.replay_buffer, TrainFreq(s.collect, TrainFrequencyUnit.STEP)
        assert memory is not None
        for _ in range(ROUNDS):
            model.collect_rollouts(self.env, self.callback, freq, memory)
            if model.num_timesteps > s.warm_up:
                model.train(s.gradients, s.batch)

    def begin(self) -> None:
        super().begin()
        self.model.q_net_target.load_state_dict(self.model.q_net.state_dict())
        self._explore()

    def _explore(self) -> None:
        """Sets the present probability of exploration."""
        self.model.exploration_rate = self.model.exploration_schedule(1 - self.done / self.total)

    def own_state(self) -> Arrays:
        memory: Any = self.model.replay_buffer
        filled = slice(memory.buffer_size if memory.full else memory.pos)
        arrays = {f"memory.{name}": buffer[filled].copy() for name, buffer in self._buffers().items()}
        return arrays | {"memory.at": np.array([memory.pos, memory.full])}

    def restore_own_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        super().restore_own_state(state)
        memory: Any = self.model.replay_buffer
        memory.pos, memory.full = int(state["memory.at"][0]), bool(state["memory.at"][1])
        for name, buffer in self._buffers().items():
            filled = state[f"memory.{name}"]
            buffer[: len(filled)] = filled
        self.model._n_calls = self.model.num_timesteps // self.settings.boards  # pyright: ignore[reportPrivateUsage]
        self._explore()

    def _buffers(self) -> Arrays:
        """The arrays of the replay buffer, by name; moves fill them from their start."""
        memory: Any = self.model.replay_buffer
        seen = {f"{name}.{key}": array for name in SEEN for key, array in getattr(memory, name).items()}
        return {name: getattr(memory, name) for name in MEMORY} | seen
