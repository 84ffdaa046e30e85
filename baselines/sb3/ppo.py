"""PPO and MaskablePPO: a policy moves towards the actions whose results were better than expected, in small steps.

A part is one iteration: `rollout` actions on every board, then `epochs` passes over them. MaskablePPO chooses among legal actions
alone, and learns as if there were no others. PPO has no masks: an illegal action loses the game, -1, from which it must learn
what is legal. It is here for comparison.

Sources: Schulman et al., Proximal policy optimization algorithms (2017); Huang, Ontañón, A closer look at invalid action masking in
policy gradient algorithms (2022). The algorithms are Stable-Baselines3's and sb3-contrib's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3 import PPO
from stable_baselines3.common.policies import ActorCriticPolicy, BasePolicy
from torch import nn

from ...core.bounds import Count, Share
from ...core.files.named_arrays import Arrays
from ...core.numbers import Range
from .nets import ActorCritic
from .training import SB3Settings, SB3Trainer


@dataclass(frozen=True)
class PPOSettings(SB3Settings):
    """Settings of PPO and MaskablePPO.

    Args:
        rollout: the number of actions on each board in an iteration.
        epochs: the number of passes over them.
        batch: the number of actions in a gradient step.
        trace: λ of the advantages, the trace decay: 0 compares an action with the value of the next position, 1 with the result.
        clip: the largest change of an action's probability in an iteration that counts, as a factor beside 1.
        entropy: the weight of the entropy bonus at first.
        entropy_end: the weight of the entropy bonus at the end; in between it changes linearly.
        value_weight: the weight of the value's loss beside the policy's.
        longest_gradient: the largest norm of a gradient; longer ones are clipped.
    """

    rollout: Count = 64
    epochs: Count = 4
    batch: Annotated[int, Range(2)] = 2048
    trace: Share = 0.95
    clip: Annotated[float, Range(above=0)] = 0.2
    entropy: Annotated[float, Range(0)] = 0.01
    entropy_end: Annotated[float, Range(0)] = 0.0
    value_weight: Annotated[float, Range(0)] = 0.5
    longest_gradient: Annotated[float, Range(above=0)] = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        actions = self.boards * self.rollout
        if self.batch > actions:
            raise ValueError(f"batch is {self.batch}; it must be at most boards · rollout = {actions}")
        if actions % self.batch == 1:
            raise ValueError(f"batch is {self.batch}; with boards · rollout = {actions} the last batch is one action: use another")


class UnmaskedPPO(SB3Trainer[PPOSettings]):
    """Learns by PPO, which has no masks: an illegal action loses the game."""

    name: ClassVar[str] = "ppo"
    settings_class = PPOSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"defaults": {}}
    against: ClassVar[Mapping[str, Any] | None] = {"opening_plies": 0, "boards": 16, "batch": 256}
    algorithm: ClassVar[Any] = PPO
    logged_metrics = "value_loss", "explained_variance", "entropy_loss", "approx_kl", "clip_fraction"

    model: PPO | MaskablePPO

    @classmethod
    def policy_class(cls, settings: PPOSettings) -> type[BasePolicy]:
        return ActorCriticPolicy

    @staticmethod
    def module_of(core: ActorCriticPolicy | MaskableActorCriticPolicy) -> nn.Module:
        layers = core.mlp_extractor
        actor, critic = nn.Sequential(layers.policy_net, core.action_net), nn.Sequential(layers.value_net, core.value_net)
        return ActorCritic(core.features_extractor, actor, critic)

    @property
    def model_settings(self) -> dict[str, Any]:
        s = self.settings
        steps = {"n_steps": s.rollout, "n_epochs": s.epochs, "batch_size": s.batch}
        weights = {"ent_coef": s.entropy, "vf_coef": s.value_weight}
        return steps | weights | {"gae_lambda": s.trace, "clip_range": s.clip, "max_grad_norm": s.longest_gradient}

    @property
    def steps_a_part(self) -> int:
        return self.settings.boards * self.settings.rollout

    def part(self) -> None:
        s, model = self.settings, self.model
        model.ent_coef = s.entropy + (s.entropy_end - s.entropy) * (self.done / self.total)
        model.collect_rollouts(self.env, self.callback, model.rollout_buffer, s.rollout)
        model.train()

    def own_state(self) -> Arrays:
        return {"begun": np.array(self.model._last_episode_starts)}  # pyright: ignore[reportPrivateUsage]

    def restore_own_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        super().restore_own_state(state)
        self.model._last_episode_starts = state["begun"].copy()  # pyright: ignore[reportPrivateUsage]


class MaskedPPO(UnmaskedPPO):
    """Learns by MaskablePPO: PPO among legal actions."""

    name: ClassVar[str] = "maskable_ppo"
    algorithm = MaskablePPO

    @classmethod
    def policy_class(cls, settings: PPOSettings) -> type[BasePolicy]:
        return MaskableActorCriticPolicy
