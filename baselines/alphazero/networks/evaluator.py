"""`Evaluator`: a network as search uses it, from states to priors and values, as fast as this machine can.

On a processor torch traces, freezes and optimises the network for inference: batch norm becomes a part of the convolutions and
weights have the layout of oneDNN, which makes it about twice as fast and changes answers by rounding alone. On a GPU it is compiled
and runs in bfloat16.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ....agents.external.nets import BLOCK
from ....agents.external.wrapped import softmax
from ....games.game import Game, StateArray
from ...runs.networks import Weights, load_weights, torch_threads, usual_device
from .residual import Shape, new_net

Answers = tuple[NDArray[np.float32], NDArray[np.float32]]
TRACING = Lock()
"""Torch's tracer, and the filter of warnings, are the process's own: one thread at a time."""


class Evaluator:
    """A network that evaluates states. Pickling keeps its weights alone.

    Each call uses one thread: small networks lose more by waiting for another than they gain. Call it from several threads to
    evaluate many positions. If `fast`, it is optimised for inference.

    Raises:
        ValueError: the weights are of a network of another shape, or not finite.
    """

    def __init__(self, game: Game, shape: Shape, weights: Weights, fast: bool = True) -> None:
        self.game, self.shape, self.weights, self.fast = game, shape, weights, fast
        self.device = usual_device()
        if fast and self.device != "cuda" and shape.factory is None:  # of somebody's own network a trace may miss something
            self.network: Any = frozen(game, shape, weights)
        else:
            self.network = on_device(load_net(game, shape, weights))
            if fast and self.device == "cuda":
                self.network = torch.compile(self.network, dynamic=True)

    def __reduce__(self) -> tuple[Any, ...]:
        return Evaluator, (self.game, self.shape, self.weights, self.fast)

    def __call__(self, states: StateArray) -> Answers:
        """The priors of actions (n, A), 0 where they are illegal, and the values of the positions (n,); float32."""
        filled = np.concatenate([states, np.repeat(states[-1:], -len(states) % BLOCK, axis=0)])
        planes = torch.from_numpy(self.game.observations(filled, self.game.players(filled))).to(self.device)
        half = torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda")
        with torch_threads(1), torch.inference_mode(), half:
            logits, values = self.network(planes.float())
        scores = logits.float().cpu().numpy()[: len(states)]
        priors = softmax(np.where(self.game.masks(states) != 0, scores, np.float32(-np.inf)))
        return priors, values.float().flatten().clamp(-1, 1).cpu().numpy()[: len(states)]


def load_net(game: Game, shape: Shape, weights: Weights) -> nn.Module:
    """A network with these weights, on the processor and in evaluation mode; ValueError if they do not fit."""
    net = new_net(game, shape, 0)
    load_weights(net, weights)
    return net.eval()


def frozen(game: Game, shape: Shape, weights: Weights) -> Any:
    """A network with these weights for inference on a processor."""
    with TRACING, quiet_inference():
        copied = copy.deepcopy(trace_net(game, shape))  # takes a third of the time of a trace, which torch never frees
        copied.load_state_dict(load_net(game, shape, weights).state_dict(), strict=False)  # but for constants, which it has
        return torch.jit.optimize_for_inference(torch.jit.freeze(copied))


@lru_cache(maxsize=16)
def trace_net(game: Game, shape: Shape) -> Any:
    """Traces a network of a shape."""
    net = on_device(new_net(game, shape, 0).eval())
    with quiet_inference():
        return torch.jit.trace(net, torch.zeros(BLOCK, *game.shape), check_trace=False)


@contextmanager
def quiet_inference() -> Generator[None]:
    """Without gradients, and without what torch says of its tracer: nothing newer is as fast here without a compiler."""
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")
        yield


def on_device(net: nn.Module) -> nn.Module:
    """A network on its device, with the memory layout that is fastest for convolutions."""
    anything: Any = net
    return anything.to(usual_device(), memory_format=torch.channels_last)
