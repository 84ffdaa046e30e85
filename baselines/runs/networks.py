"""What trainers with networks of torch share: weights and optimisers as arrays, the device, and the number of threads; and
`NetworkTrainer`, a trainer whose state is a network, of which a subclass makes the network and learns in `advance`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ...agents.policy import Policy
from ...agents.registry import as_policy
from ...core.files.named_arrays import Arrays, check_arrays
from ...games.game import Game
from .trainer import S, Trainer

Weights = Mapping[str, NDArray[Any]]
"""The weights of a network, by name."""


def weights_of(net: nn.Module) -> Arrays:
    """The weights of a network, copied; single numbers have one axis."""
    return {name: np.atleast_1d(tensor.detach().cpu().numpy()).copy() for name, tensor in net.state_dict().items()}


def load_weights(net: nn.Module, weights: Weights) -> None:
    """Copies weights into a network; ValueError where they are those of another network, or not finite."""
    check_arrays(weights, weights_of(net))
    if odd := [name for name, array in weights.items() if not np.isfinite(array).all()]:
        raise ValueError(f"the weights {odd[0]} are not all finite numbers")
    old = net.state_dict()
    net.load_state_dict({name: torch.from_numpy(array.copy()).reshape(old[name].shape) for name, array in weights.items()})


def optimizer_state(optimizer: torch.optim.Optimizer) -> Arrays:
    """Adam's state: of each parameter, by its number, the number of steps and the means of gradients and of their squares."""
    state: Arrays = {}
    for number, weight in enumerate(_parameters(optimizer)):
        new = {"step": torch.tensor(0.0), "exp_avg": torch.zeros_like(weight), "exp_avg_sq": torch.zeros_like(weight)}
        for name, tensor in (new | optimizer.state.get(weight, {})).items():
            state[f"{number}.{name}"] = tensor.detach().cpu().numpy().copy()
    return state


def load_optimizer(optimizer: torch.optim.Optimizer, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Copies a state into Adam; ValueError where it is that of other weights. Each mean gets the memory layout of its weight, which
    torch takes for granted."""
    check_arrays(arrays, optimizer_state(optimizer))
    weights = _parameters(optimizer)
    state: dict[int, dict[str, Tensor]] = {number: {} for number in range(len(weights))}
    for key, array in arrays.items():
        number, _, name = key.partition(".")
        like = torch.empty(()) if name == "step" else torch.empty_like(weights[int(number)])
        state[int(number)][name] = like.copy_(torch.from_numpy(array))
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})


def usual_device() -> str:
    """The device of networks, unless a setting names another: a GPU where there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


@contextmanager
def torch_threads(count: int) -> Generator[None]:
    """Lets torch use a number of threads for the work of this thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _parameters(optimizer: torch.optim.Optimizer) -> list[Tensor]:
    return [weight for group in optimizer.param_groups for weight in group["params"]]


class NetworkTrainer(Trainer[S]):
    """Learns the weights of a torch network; they and the number of units done are its whole state.

    A subclass defines `new_network` and `advance`, which trains `net` and adds to `_done`. One that needs more to go on, as the
    state of an optimiser, extends `state` and `restore`.

    Attributes:
        net: the network (`torch.nn.Module`), whose first weights follow from the seed.
    """

    outputs: ClassVar[tuple[str, ...]] = ("logits",)
    grows: ClassVar[tuple[str, ...]] = ()

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        super().__init__(game, settings, seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed % 2**63)
            self.net = self.new_network(game, settings)

    @classmethod
    @abstractmethod
    def new_network(cls, game: Game, settings: S) -> nn.Module:
        """A network (`torch.nn.Module`) from planes (B, C, H, W), float32, to what `outputs` names."""

    def learnt(self) -> Arrays:
        return weights_of(self.net)

    def state(self) -> Arrays:
        return {"done": np.array([self._done]), **self.learnt()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._done = int(state["done"][0])
        load_weights(self.net, {name: array for name, array in state.items() if name != "done"})

    @classmethod
    def network_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]]) -> nn.Module:
        """The network of learnt weights, as `Trainer.network_of` says."""
        net = cls.new_network(game, settings).eval()
        load_weights(net, learnt)
        return net

    @classmethod
    def policy_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        """The policy of learnt weights: the legal action with the highest of the logits."""
        if options:
            raise ValueError(f"a policy of {cls.name} has no settings, and {', '.join(options)} is given")
        return as_policy(cls.network_of(game, settings, learnt), game, name=cls.name)
