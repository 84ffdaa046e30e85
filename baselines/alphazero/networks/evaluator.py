"""`Evaluator`: a network as search asks it, from states to priors and values, as fast as this machine can.

On a processor the network is traced, frozen and folded by torch's own optimiser for inference: batch norm disappears into the
convolutions and weights lie as oneDNN likes them, which makes it about twice as fast and changes answers by rounding alone. On a
GPU it runs in bfloat16, compiled where torch can.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ....agents.external.nets import BLOCK
from ....envs.games.game import Game, StateArray
from .residual import ResidualNet, Shape, Weights, net_of

Answers = tuple[NDArray[np.float32], NDArray[np.float32]]


class Evaluator:
    """A network, asked about states. It travels to other processes as its weights.

    Each call keeps to one thread: small networks lose more by waiting for another than they win, and whoever has many positions
    to ask about asks from several threads.

    Args:
        game: whose states.
        shape: the network's, and
        weights: what it holds.
        fast: whether it is optimised for inference.

    Raises:
        ValueError: the weights are of a network of another shape, or no numbers.
    """

    def __init__(self, game: Game, shape: Shape, weights: Weights, fast: bool = True) -> None:
        self.game, self.shape, self.weights, self.fast = game, shape, weights, fast
        self.device = usual_device()
        self.network: Any = laid_out(net_of(game, shape, weights).eval())
        if fast:
            self.network = torch.compile(self.network, dynamic=True) if self.device == "cuda" else frozen(self.network, game)

    def __reduce__(self) -> tuple[Any, ...]:
        return Evaluator, (self.game, self.shape, self.weights, self.fast)

    def __call__(self, states: StateArray) -> Answers:
        """How likely each action is to be good (n, A), 0 where it is not legal, and what the position is worth (n,); float32."""
        filled = np.concatenate([states, np.repeat(states[-1:], -len(states) % BLOCK, axis=0)])
        planes = torch.from_numpy(self.game.observations(filled, self.game.players(filled))).to(self.device)
        half = torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda")
        with torch_threads(1), torch.inference_mode(), half:
            logits, values = self.network(planes.float())
        scores = logits.float().cpu().numpy()[: len(states)]
        return priors_of(scores, self.game.masks(states)), values.float().cpu().numpy()[: len(states)]


def priors_of(logits: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.float32]:
    """The softmax over legal actions (n, A)."""
    legal = np.where(masks != 0, logits, np.float32(-np.inf))
    powers = np.exp(legal - legal.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def frozen(net: ResidualNet, game: Game) -> Any:
    """A network for inference on a processor."""
    example = torch.zeros(BLOCK, *game.shape)
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")  # torch calls its tracer old; nothing newer is as fast here without a compiler
        traced = torch.jit.trace(net, example, check_trace=False)
        return torch.jit.optimize_for_inference(torch.jit.freeze(traced))


def usual_device() -> str:
    """Where networks run unless told otherwise."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def laid_out(net: ResidualNet) -> ResidualNet:
    """A network on the device where networks run, its weights as convolutions like them."""
    anything: Any = net
    return anything.to(usual_device(), memory_format=torch.channels_last)


@contextmanager
def torch_threads(count: int) -> Generator[None]:
    """Lets torch use so many threads, as long as it lasts, for what this thread asks of it."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
