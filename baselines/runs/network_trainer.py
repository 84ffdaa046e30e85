"""`NetworkTrainer`: a trainer whose state is a torch network; a subclass makes the network and learns in `advance`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...agents.registry import as_policy
from ...core.files.named_arrays import Arrays
from ...games.game import Game
from .trainer import S, Trainer


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
        import torch

        super().__init__(game, settings, seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed % 2**63)
            self.net = self.new_network(game, settings)

    @classmethod
    @abstractmethod
    def new_network(cls, game: Game, settings: S) -> Any:
        """A network (`torch.nn.Module`) from planes (B, C, H, W), float32, to what `outputs` names."""

    def learnt(self) -> Arrays:
        return {name: weights.detach().cpu().numpy().copy() for name, weights in self.net.state_dict().items()}

    def state(self) -> Arrays:
        return {"done": np.array([self._done]), **self.learnt()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._done = int(state["done"][0])
        _load(self.net, {name: array for name, array in state.items() if name != "done"})

    @classmethod
    def network_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]]) -> Any:
        """The network of learnt weights, as `Trainer.network_of` says."""
        net = cls.new_network(game, settings).eval()
        try:
            _load(net, learnt)
        except RuntimeError as error:
            raise ValueError(f"the weights do not fit the network of {cls.name}: {' '.join(str(error).split())}") from None
        return net

    @classmethod
    def policy_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        """The policy of learnt weights: the legal action with the highest of the logits."""
        if options:
            raise ValueError(f"a policy of {cls.name} has no settings, and {', '.join(options)} is given")
        return as_policy(cls.network_of(game, settings, learnt), game, name=cls.name)


def _load(net: Any, weights: Mapping[str, NDArray[Any]]) -> None:
    import torch

    net.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
