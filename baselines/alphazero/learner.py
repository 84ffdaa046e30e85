"""The network and its optimiser: gradient steps on samples from the window, and their state as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, isfinite
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from ...core.files.named_arrays import Arrays, under
from ...core.threads import thread_count
from ...games.game import Game
from ..runs.networks import load_optimizer, load_weights, optimizer_state, torch_threads, usual_device, weights_of
from .networks.evaluator import on_device
from .networks.residual import ending_head, new_net
from .selfplay.samples import Samples
from .settings import AlphaZeroSettings


class Learner:
    """A network that learns from samples by the settings of the trainer; the seed is that of its initial weights."""

    def __init__(self, game: Game, settings: AlphaZeroSettings, seed: int) -> None:
        self.game, self.settings = game, settings
        self.net: Any = on_device(new_net(game, settings.shape, seed))
        self.ending = ending_head(game, settings.shape, seed).to(usual_device()) if settings.ending_weight else nn.Module()
        parameters = [*self.net.parameters(), *self.ending.parameters()]
        self._optimiser = torch.optim.AdamW(parameters, settings.rate, weight_decay=settings.decay, fused=True)

    def learn(self, window: Samples, fresh: int, done: float, draws: np.random.Generator) -> dict[str, float]:
        """Takes the gradient steps of a part, as many as follow from the number of fresh samples, on samples from the window, when
        this share of the training is done.

        Returns the mean losses, that of endings if it counts; nan where there is nothing to learn from yet. ValueError where a
        loss, or a weight, is not finite any more.
        """
        steps = ceil(self.settings.passes * fresh / self.settings.batch)
        sums = np.zeros(3)
        for group in self._optimiser.param_groups:
            group["lr"] = self.learning_rate(done)
        self.net.train()
        with torch_threads(max(1, thread_count() - self.settings.groups)), torch.random.fork_rng():
            if self.settings.network is not None:  # it may draw numbers, as dropout does
                torch.manual_seed(int(draws.integers(2**63)))
            for _ in range(steps):
                batch = window[draws.integers(len(window), size=self.settings.batch)]
                sums += self.step(batch, draws)
        if not all(tensor.isfinite().all() for tensor in self.net.state_dict().values()):
            raise ValueError("a weight is not finite")
        means = sums / steps if steps else np.full(3, np.nan)
        losses = {"policy loss": float(means[0]), "value loss": float(means[1])}
        return losses | ({"ending loss": float(means[2])} if self.settings.ending_weight else {})

    @property
    def has_learnt(self) -> bool:
        """Whether it has taken a gradient step."""
        return bool(self._optimiser.state)

    def learning_rate(self, done: float) -> float:
        """The learning rate when this share of the training is done."""
        first, last = self.settings.rate, self.settings.rate_end
        return last + (first - last) * float(1 + np.cos(np.pi * min(1.0, done))) / 2

    def step(self, batch: Samples, draws: np.random.Generator) -> tuple[float, float, float]:
        """One gradient step on a batch of samples; the losses of policy, value and ending. ValueError where the loss is not finite,
        when no weight has changed."""
        policy, value, ending = self._losses(batch, draws)
        loss = policy + self.settings.value_weight * value + self.settings.ending_weight * ending
        if not isfinite(loss.item()):
            raise ValueError(f"the loss is {loss.item()}")
        self._optimiser.zero_grad()
        loss.backward()
        self._optimiser.step()
        return policy.item(), value.item(), ending.item()

    def _losses(self, batch: Samples, draws: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The losses of policy, value and ending on samples, each under a random symmetry."""
        game, device = self.game, usual_device()
        if self.settings.symmetries:
            batch = batch.permute(game, draws.integers(len(game.symmetries.cells), size=len(batch)))
        movers = game.players(batch.states)
        planes, legal, policies, targets = (
            torch.from_numpy(array).to(device)
            for array in (game.observations(batch.states, movers), game.masks(batch.states) != 0, batch.policies, batch.values)
        )
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            planes, endings = planes.float().contiguous(memory_format=torch.channels_last), None
            if self.settings.ending_weight:
                seen = self.net.trunk(planes)
                (logits, values), endings = self.net.answers(seen), self.ending(seen)
            else:
                logits, values = self.net(planes)
        scores = functional.log_softmax(logits.float().masked_fill(~legal, -torch.inf), dim=1).masked_fill(~legal, 0.0)
        policy, value = -(policies.float() * scores).sum(dim=1).mean(), functional.mse_loss(values.float().flatten(), targets)
        if endings is None:
            return policy, value, torch.zeros(())
        known = torch.from_numpy((batch.endings != batch.states).any(axis=1)).to(device)
        ended = torch.from_numpy(game.observations(batch.endings, movers)).to(device)
        wrong = functional.binary_cross_entropy_with_logits(endings.float(), ended.float(), reduction="none").mean(dim=(1, 2, 3))
        return policy, value, (wrong * known).sum() / known.sum().clamp(min=1)

    # ---- as arrays

    def weights(self) -> Arrays:
        """The weights of the network, by name."""
        return weights_of(self.net)

    def load(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes the weights of the network from a state, and leaves the optimiser as it is."""
        load_weights(self.net, under("net.", state))

    def state(self) -> Arrays:
        """The network and, after the first step, the moments of the optimiser."""
        moments = optimizer_state(self._optimiser) if self.has_learnt else {}
        arrays = {f"net.{name}": array for name, array in self.weights().items()}
        arrays |= {f"ending.{name}": array for name, array in weights_of(self.ending).items()}
        return arrays | {f"optimiser.{name}": np.atleast_1d(array) for name, array in moments.items()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Goes back to a state."""
        self.load(state)
        load_weights(self.ending, under("ending.", state))
        if moments := under("optimiser.", state):
            steps = {name: array.reshape(()) for name, array in moments.items() if name.endswith(".step")}
            load_optimizer(self._optimiser, moments | steps)
