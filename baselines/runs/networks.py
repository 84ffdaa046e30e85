"""What trainers with networks of torch share: weights and optimisers as arrays, the device, and the number of threads."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ...core.files.named_arrays import Arrays, check_arrays

Weights = Mapping[str, NDArray[Any]]
"""The weights of a network, by name."""


def weights_of(net: nn.Module) -> Arrays:
    """The weights of a network, copied; single numbers have one axis."""
    return {name: np.atleast_1d(tensor.detach().cpu().numpy()).copy() for name, tensor in net.state_dict().items()}


def load_weights(net: nn.Module, weights: Weights) -> None:
    """Copies weights into a network.

    Raises:
        ValueError: they are those of another network, or not finite.
    """
    check_arrays(weights, weights_of(net))
    if odd := [name for name, array in weights.items() if not np.isfinite(array).all()]:
        raise ValueError(f"the weights {odd[0]} are not all finite numbers")
    net.load_state_dict({name: torch.from_numpy(weights[name].copy()).reshape(old.shape) for name, old in net.state_dict().items()})


def optimizer_state(optimizer: torch.optim.Optimizer) -> Arrays:
    """Adam's state: of each parameter, by its number, the number of steps and the means of gradients and of their squares."""
    state: Arrays = {}
    for number, weight in enumerate(_parameters(optimizer)):
        new = {"step": torch.tensor(0.0), "exp_avg": torch.zeros_like(weight), "exp_avg_sq": torch.zeros_like(weight)}
        for name, tensor in (new | optimizer.state.get(weight, {})).items():
            state[f"{number}.{name}"] = tensor.detach().cpu().numpy().copy()
    return state


def load_optimizer(optimizer: torch.optim.Optimizer, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Copies a state into Adam. Each mean gets the memory layout of its weight, which torch takes for granted.

    Raises:
        ValueError: it is the state of an optimiser of other weights.
    """
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
