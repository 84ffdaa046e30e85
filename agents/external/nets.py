"""Torch modules and Stable-Baselines3 models as scorers of actions. Nothing here imports torch: who has a module has imported it.

Both run in evaluation mode and without gradients; afterwards each part of the network is set back to its own mode.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from copy import copy, deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import short_repr
from ...games.game import Game

INNER = ("_orig_mod", "module")
"""The attributes in which wrapping modules keep the module that they wrap."""
BLOCK = 16
"""Networks run on batches of a multiple of this many rows (see `Wrapped`)."""

Array = NDArray[np.int8]
Layout = Callable[[Array, Array], Any]
"""A function that puts observations (B, C, H, W) and masks (B, A) together for a model."""


def is_module(thing: Any) -> bool:
    """Whether it is a torch module."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(thing, torch.nn.Module)


def is_model(thing: Any) -> bool:
    """Whether it is a Stable-Baselines3 model, or the policy of one."""
    return all(hasattr(thing, part) for part in ("predict", "observation_space", "action_space"))


def copy_on(device: Any, thing: Any, title: str) -> Any:
    """A copy of a torch module, or of the policy of a Stable-Baselines3 model, on a device; the original stays where it is.

    Raises:
        ValueError: it is neither, or there is no such device here.
    """
    net = getattr(thing, "policy", thing) if is_model(thing) else thing
    if not is_module(net):
        raise ValueError(
            f"device is {short_repr(device)}, but {title} is neither a torch module nor a model of Stable-Baselines3; leave it out"
        )
    try:
        copied = deepcopy(net).to(device)
    except (RuntimeError, AssertionError, TypeError) as error:
        why = str(error).partition("\n")[0]
        raise ValueError(
            f"device is {short_repr(device)}, and torch cannot put {title} there: {why}; 'cpu' is always there"
        ) from None
    if net is thing:
        return copied
    moved = copy(thing)  # with all else that a model knows, such as how it normalises observations
    moved.policy = copied
    return moved


@contextmanager
def evaluation_mode(module: Any) -> Generator[Any]:
    """Puts a module into evaluation mode, without gradients, and back afterwards; yields torch."""
    torch: Any = sys.modules["torch"]
    modes = [(part, part.training) for part in module.modules() if hasattr(part, "training")]
    if modes:  # a frozen module of TorchScript has no modes, and its eval() raises
        module.eval()
    try:
        with torch.no_grad():
            yield torch
    finally:
        for part, training in modes:
            part.training = training


@dataclass(frozen=True)
class Module:
    """A torch module as a scorer.

    Args:
        module: the module.
        with_mask: whether it takes the mask; None where its signature does not tell.
    """

    module: Any
    with_mask: bool | None

    @classmethod
    def of(cls, module: Any) -> Module:
        """The scorer of a module; the mask is passed where `forward` takes one."""
        return cls(module, takes_mask(unwrap(module).forward))

    def __call__(self, observations: Array, masks: Array) -> Any:
        with evaluation_mode(self.module) as torch:
            tensors = [*chain(self.module.parameters(), self.module.buffers())]
            floats = next((tensor.dtype for tensor in tensors if tensor.is_floating_point()), torch.float32)
            device = tensors[0].device if tensors else "cpu"
            seen, legal = (torch.as_tensor(array, device=device, dtype=floats) for array in (observations, masks))
            return call_with_masks(seen, legal, self.module, self.with_mask)


def unwrap(module: Any) -> Any:
    """The module inside of wrapping ones that only pass their arguments on, as torch.compile, DataParallel and AveragedModel do."""
    while not positional_parameters(module.forward):
        inner = next((part for name in INNER if is_module(part := getattr(module, name, None))), None)
        if inner is None:
            return module
        module = inner
    return module


@dataclass(frozen=True)
class Model:
    """A Stable-Baselines3 or sb3-contrib model as a scorer.

    Args:
        policy: the model's policy, which has the networks.
        layout: how the model sees observation and mask.
        normalizer: the VecNormalize that it was trained through, if any.
        masked: gives masks to a model that knows them.
    """

    policy: Any
    layout: Layout
    normalizer: Any
    masked: bool

    @classmethod
    def of(cls, model: Any, game: Game, sample: bool, masked: bool) -> Model:
        """A model as a scorer of a game's actions.

        Raises:
            ValueError: it was made for other observations or actions, is recurrent, or cannot be sampled.
        """
        policy, title = getattr(model, "policy", model), type(model).__name__
        layout, actions = layout_of(model.observation_space, game), getattr(model.action_space, "n", None)
        if layout is None or actions != game.num_actions:
            raise ValueError(
                f"{title} was trained on observations {model.observation_space} and actions {model.action_space}; {game} has"
                f" observation {game.shape} and action_mask {(game.num_actions,)}, or the first of them alone, in planes or as one"
                f" row, and {game.num_actions} actions. Was it trained on another game or variant? If it sees this one in its own"
                " way, give a function of observations and masks that puts them so, and returns the actions that it predicts"
            )
        if hasattr(policy, "lstm_actor"):
            raise ValueError(f"{title} is recurrent, and here positions come without their history; it cannot play")
        normalizer = model.get_vec_normalize_env() if hasattr(model, "get_vec_normalize_env") else None
        scorer = cls(policy, layout, normalizer, masked)
        if sample and not scorer.scores:
            raise ValueError(f"{title} gives neither logits nor Q-values, but actions; without `sample` it plays them")
        return scorer

    @property
    def scores(self) -> bool:
        """Whether the model scores every action; if not, it predicts one action."""
        return any(hasattr(self.policy, part) for part in ("q_net", "quantile_net", "get_distribution"))

    def __call__(self, observations: Array, masks: Array) -> Any:
        seen = self.layout(observations, masks)
        if self.normalizer is not None:
            seen = self.normalizer.normalize_obs(seen)
        with evaluation_mode(self.policy) if is_module(self.policy) else nullcontext():
            if not self.scores:
                return self.policy.predict(seen, deterministic=True)[0]
            return self._scores_of(self.policy.obs_to_tensor(seen)[0], masks)

    def _scores_of(self, seen: Any, masks: Array) -> Any:
        if hasattr(self.policy, "q_net"):
            return self.policy.q_net(seen)
        if hasattr(self.policy, "quantile_net"):
            return self.policy.quantile_net(seen).mean(dim=1)
        if not takes_mask(self.policy.get_distribution):
            return self.policy.get_distribution(seen).distribution.logits
        masked = self.policy.get_distribution(seen, action_masks=masks if self.masked else None)
        return masked.distribution.probs.double().log()  # not the logits: `predict` takes the first of equal probabilities


def layout_of(space: Any, game: Game) -> Layout | None:
    """The layout in which a model sees observations and masks, by its observation space; None where that is of another game.

    Args:
        space: Gymnasium's Dict of `observation`, `action_mask` or both, or a Box as one of the layouts below fills it.
        game: whose observations and masks.
    """
    example = np.zeros((1, *game.shape), np.int8), np.zeros((1, game.num_actions), np.int8)
    if not hasattr(space, "spaces"):
        shape = getattr(space, "shape", None)
        return next((layout for layout in (planes, row, row_after_mask) if layout(*example).shape[1:] == shape), None)
    shapes = {"observation": game.shape, "action_mask": (game.num_actions,)}
    fits = all(shapes.get(key) == part.shape for key, part in space.spaces.items())
    return partial(parts, keys=tuple(space.spaces)) if fits else None


def parts(observations: Array, masks: Array, keys: Sequence[str]) -> dict[str, Array]:
    """Observation and mask as environments show them, or one of the two alone."""
    both = {"observation": observations, "action_mask": masks}
    return {key: both[key] for key in keys}


def planes(observations: Array, masks: Array) -> Array:
    """The observation alone."""
    return observations


def row(observations: Array, masks: Array) -> Array:
    """The observation alone, as one row."""
    return observations.reshape(len(observations), -1)


def row_after_mask(observations: Array, masks: Array) -> Array:
    """Mask and observation as one row, in the order of Gymnasium's FlattenObservation, which sorts the keys."""
    return np.concatenate([masks, row(observations, masks)], axis=1)


# ---- which arguments a function takes, by the names of its parameters


def takes_states(function: Any) -> bool:
    """Whether it is a function whose first two parameters are named `states` and `keys`."""
    return [p.name for p in positional_parameters(function)[:2]] == ["states", "keys"]


def takes_mask(function: Callable[..., Any]) -> bool | None:
    """Whether a function of observations takes masks too: it needs two arguments, or has a parameter named after masks.

    None where its signature does not tell: it takes any number of arguments, or has no signature.
    """
    parameters = _parameters(function)
    if not positional_parameters(function) and (parameters is None or any(p.kind is p.VAR_POSITIONAL for p in parameters)):
        return None
    return len(required_parameters(function)) != 1 or any("mask" in p.name for p in positional_parameters(function))


def call_with_masks(observations: Any, masks: Any, function: Callable[..., Any], with_mask: bool | None) -> Any:
    """The answer of a function, called with the masks if it takes them. Where that is not known, it is called with them first, and
    without them if it refuses."""
    if with_mask is not False:
        try:
            return function(observations, masks)
        except TypeError as error:
            if with_mask or "positional argument" not in str(error):
                raise
    return function(observations)


def required_parameters(function: Any) -> list[str]:
    """The names of the parameters without a default; none where that cannot be known."""
    return [p.name for p in positional_parameters(function) if p.default is p.empty]


def positional_parameters(function: Any) -> list[inspect.Parameter]:
    """The parameters that can be passed by position; none where that cannot be known."""
    return [p for p in _parameters(function) or () if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _parameters(function: Any) -> list[inspect.Parameter] | None:
    """All parameters; None where there is no signature."""
    with suppress(TypeError, ValueError):
        return [*inspect.signature(function).parameters.values()]
    torch: Any = sys.modules.get("torch")
    if torch is not None and isinstance(function, (torch.ScriptMethod, torch.ScriptFunction)):
        own = isinstance(function, torch.ScriptMethod)  # its first argument is the module itself
        defaults = {True: None, False: inspect.Parameter.empty}
        return [
            inspect.Parameter(part.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=defaults[part.has_default_value()])
            for part in function.schema.arguments[own:]
        ]
    return None
