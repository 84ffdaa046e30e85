"""PPO and MaskablePPO: a policy moves towards the actions that came out better than expected, a small step at a time.

A part is one iteration: `rollout` actions on every board, then `epochs` passes over them. MaskablePPO chooses among legal actions
alone, and learns as if there were no others. PPO knows of no masks: an illegal action loses the game, -1, and it is to learn from
that what is legal. It is here to be compared.

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
from stable_baselines3.common.policies import ActorCriticPolicy
from torch import Tensor

from ...envs.files.named_arrays import Arrays
from ...envs.games.game import Game
from ...envs.settings.bounds import Count, Share
from ...envs.settings.numbers import Range
from . import presets
from .training import SB3Settings, SB3Trainer, network_settings, spaces_of


@dataclass(frozen=True)
class PPOSettings(SB3Settings):
    """Settings of PPO and MaskablePPO.

    Args:
        rollout: how many actions are taken on each board before they are learnt from.
        epochs: how often each is learnt from.
        batch: from how many a gradient step is reckoned.
        trace: λ of the advantages, from 0, where each action is judged by the next value, to 1, where by the result.
        clip: by how much an action's probability may change in an iteration, as a factor beside 1, before it no longer counts.
        entropy: what undecidedness is worth at first, and
        entropy_end: at the end; it falls evenly.
        value_weight: how much the error of the value counts beside the policy's.
        longest_gradient: how long a gradient may be; longer ones are shortened.
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
            raise ValueError(
                f"batch is {self.batch}, and boards · rollout = {actions}: the last batch would be one action alone, whose "
                "advantage cannot be normalised; use another batch"
            )


class UnmaskedPPO(SB3Trainer[PPOSettings]):
    """Learns by PPO, which knows no masks: an illegal action loses the game."""

    name: ClassVar[str] = "ppo"
    settings_class = PPOSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = presets.PPO
    algorithm: ClassVar[type[PPO] | type[MaskablePPO]] = PPO
    policy_class: ClassVar[type[ActorCriticPolicy] | type[MaskableActorCriticPolicy]] = ActorCriticPolicy
    shown = ("train/value_loss", "train/explained_variance", "train/entropy_loss", "train/approx_kl", "train/clip_fraction")

    model: PPO | MaskablePPO

    @classmethod
    def network(cls, game: Game, settings: PPOSettings) -> ActorCriticPolicy | MaskableActorCriticPolicy:
        return cls.policy_class(*spaces_of(game), lambda _: settings.rate, **network_settings(settings))

    @staticmethod
    def scores(core: ActorCriticPolicy | MaskableActorCriticPolicy, planes: Tensor) -> Tensor:
        return core.action_net(core.mlp_extractor.forward_actor(core.features_extractor(planes)))

    def make_model(self) -> PPO | MaskablePPO:
        s = self.settings
        return self.algorithm(
            self.policy_class,  # pyright: ignore[reportArgumentType]
            self.env,
            learning_rate=self.rate,
            n_steps=s.rollout,
            batch_size=s.batch,
            n_epochs=s.epochs,
            gamma=s.discount,
            gae_lambda=s.trace,
            clip_range=s.clip,
            ent_coef=s.entropy,
            vf_coef=s.value_weight,
            max_grad_norm=s.longest_gradient,
            policy_kwargs=network_settings(s),
            device=s.device,
        )

    @property
    def steps_a_part(self) -> int:
        return self.settings.boards * self.settings.rollout

    def part(self) -> None:
        s, model = self.settings, self.model
        model.ent_coef = s.entropy + (s.entropy_end - s.entropy) * (self.done / self.total)
        model.collect_rollouts(self.env, self.callback, model.rollout_buffer, s.rollout)
        model.train()

    def kept(self) -> Arrays:
        return {"begun": np.array(self.model._last_episode_starts)}  # pyright: ignore[reportPrivateUsage]

    def put_back(self, state: Mapping[str, NDArray[Any]]) -> None:
        super().put_back(state)
        self.model._last_episode_starts = state["begun"].copy()  # pyright: ignore[reportPrivateUsage]


class MaskedPPO(UnmaskedPPO):
    """Learns by MaskablePPO: PPO among legal actions."""

    name: ClassVar[str] = "maskable_ppo"
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = presets.MASKABLE_PPO
    algorithm = MaskablePPO
    policy_class = MaskableActorCriticPolicy
