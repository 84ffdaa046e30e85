"""Policies by scores of actions: from a function, a Stable-Baselines3 model or a torch module.

Each gives a score to every action, from the observation of the player to move and the mask, as environments give them.
Neither torch nor Stable-Baselines3 is imported here: who has a model has imported them.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import Range, several, short_repr
from ...games.game import Game, StateArray
from ...games.kernels import queries
from ...games.linking import LinkedKernel, linked
from ..policy import Policy, draw_actions
from .nets import BLOCK, Model, Module, call_with_masks, is_model, is_module, required_parameters, takes_mask, unwrap
from .one_position import ALIASES, SHOWN

DECORATE = "what is asked about one position at a time has @ludus.agent before it"
ONE_POSITION = {*SHOWN, *ALIASES} - {"observation", "obs", "state"}
"""Names of parameters by which a function says that it wants one position."""
ROWS = 8192
"""The largest batch, so that thousands of games do not use up the memory."""

Float = TypeVar("Float", np.float32, np.float64)
Scorer = Callable[[NDArray[np.int8], NDArray[np.int8]], Any]
"""From observations (B, C, H, W) and masks (B, A), int8, to logits (B, A), or to actions (B,)."""


def scorer_of(thing: Any, game: Game, title: str, sample: bool, masked: bool) -> tuple[Scorer, int]:
    """The scorer of a model, a torch module or a function, and the number of rows that batches are filled up to a multiple of.

    Args:
        thing: the model, module or function, as for `as_policy`.
        game: the game and variant.
        title: the name of the policy.
        sample, masked: as for `Wrapped`.

    Raises:
        ValueError: it has another type, or is a model for other observations or actions.
    """
    if is_model(thing):
        return Model.of(thing, game, sample, masked), BLOCK
    if callable(thing) and not isinstance(thing, type):
        names = required_parameters(unwrap(thing).forward if is_module(thing) else thing)
        if len(names) > 2 or (not is_module(thing) and ONE_POSITION & {*names}):
            raise ValueError(
                f"{title} needs {', '.join(names)}, but it is called with observations and masks, or with `states` and `keys` if"
                f" its first two parameters have these names; {DECORATE}"
            )
        if is_module(thing):
            return Module.of(thing), BLOCK
        return partial(call_with_masks, function=thing, with_mask=takes_mask(thing)), 1
    if isinstance(thing, type) and issubclass(thing, Policy):
        raise ValueError(f"{title} is a class of policies; make one of it, as {title}(ludus.make_game({game.spec!r}))")
    raise ValueError(
        f"{short_repr(thing)} is not a policy; a policy is a spec, such as 'random', a Policy, a Stable-Baselines3 model,"
        " a torch module or a function from observations and masks to logits"
    )


@dataclass(frozen=True)
class Wrapped(Policy):
    """A policy by scores of actions.

    Args:
        scorer: gives the scores.
        title: the name of the policy.
        sample: whether to draw from the softmax of the scores instead of taking the highest.
        masked: whether to choose among legal actions alone.
        temperature: what scores are divided by before the softmax: below 1 the best actions become likelier.
        output: the part of an answer that has the scores: a key, a number or an attribute; None to find it by its shape.
        block: batches are filled up, by repeating their last row, to a multiple of this many rows. In networks, sums of floats
            round differently in batches of another size; in whole blocks they mostly do not, so that a position's action
            does not depend on the size of the batch.
    """

    name: ClassVar[str] = "wrapped"
    scorer: Scorer = field(repr=False, kw_only=True)
    title: str = field(kw_only=True)
    sample: bool = field(repr=False, kw_only=True, default=False)
    masked: bool = field(repr=False, kw_only=True, default=True)
    temperature: Annotated[float, Range(above=0)] = field(repr=False, kw_only=True, default=1.0)
    output: str | int | None = field(repr=False, kw_only=True, default=None)
    block: int = field(repr=False, kw_only=True, default=1)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return linked(queries.masks, queries.observations, queries.players)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        chosen = np.empty(len(states), np.int64)
        for part, answer in self._answers(states):
            if answer.ndim == 2:
                answer = draw_actions(softmax(answer / self.temperature), keys[part]) if self.sample else answer.argmax(axis=1)
            chosen[part] = answer
        return chosen

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        chances = np.zeros((len(states), self.game.num_actions))
        for part, answer in self._answers(states):
            if answer.ndim == 2 and self.sample:
                chances[part] = softmax(answer / self.temperature)
                continue
            actions = answer.argmax(axis=1) if answer.ndim == 2 else answer
            if len(wrong := actions[(actions < 0) | (actions >= self.game.num_actions)]):
                raise ValueError(f"{self.title} chose action {wrong[0]}; {self.game} has actions 0 to {self.game.num_actions - 1}")
            chances[part] = np.eye(self.game.num_actions)[actions]
        return chances

    def _answers(self, states: StateArray) -> Iterator[tuple[slice, NDArray[Any]]]:
        """For each part of the states: actions (B,), or logits (B, A), float64, -inf where an action may not be chosen."""
        for low in range(0, len(states), ROWS):
            part = slice(low, low + ROWS)
            answer, masks = self._answer(states[part])
            yield part, answer if answer.ndim == 1 else self._logits(answer, masks, states[part])

    def _answer(self, states: StateArray) -> tuple[NDArray[Any], NDArray[np.int8]]:
        filled = np.concatenate([states, np.repeat(states[-1:], -len(states) % self.block, axis=0)])
        masks = self.game.masks(filled)
        try:
            given = self.scorer(self.game.observations(filled, self.game.players(filled)), masks)
        except RuntimeError as error:
            if not isinstance(self.scorer, (Model, Module)):
                raise
            # of torch, as of a network for other shapes
            shape, why = (len(filled), *self.game.shape), f"{error}".partition("\n")[0]
            raise ValueError(f"{self.title} fails on observations {shape} and masks {masks.shape} of {self.game}: {why}") from error
        answer = scores_in(given, masks.shape) if self.output is None else as_array(self._part_of(given, self.output))
        actions = answer.shape == (len(filled),) and answer.dtype.kind in "iu"
        if answer.shape == () and answer.dtype.kind in "iuU":
            raise ValueError(f"{self.title} gave {given!r} for {several(len(filled), 'position')}; {DECORATE}")
        if not actions and (answer.shape != masks.shape or answer.dtype.kind not in "iufb"):
            shape = (len(filled), *self.game.shape)
            raise ValueError(
                f"{self.title} was called with observations {shape} and masks {masks.shape} of {self.game} and gave"
                f" {_in_words(given, answer)}; it must give scores {masks.shape}, or actions ({len(filled)},), whole numbers"
                f"{_remedy(given)}"
            )
        return answer[: len(states)], masks[: len(states)]

    def _part_of(self, given: Any, output: str | int) -> Any:
        """The part of an answer that `output` names: by its number in a tuple, its key in a dict, or as an attribute."""
        try:
            return given[output] if isinstance(given, Mapping) or isinstance(output, int) else getattr(given, output)
        except (LookupError, TypeError, AttributeError):
            what = _in_words(given, as_array(given))
            raise ValueError(f"output is {short_repr(output)}, but {self.title} gave {what}, which has no such part") from None

    def _logits(self, answer: NDArray[Any], masks: NDArray[np.int8], states: StateArray) -> NDArray[np.float64]:
        logits = answer.astype(np.float64)
        if self.masked:
            logits[masks == 0] = -np.inf
        best = logits.max(axis=1)  # NaN where there is one
        if len(wrong := np.flatnonzero(~np.isfinite(best))):
            position, reading = self.game.text(states[wrong[0]]), best[wrong[0]]
            raise ValueError(f"{self.title} gave no usable logits in {position!r} of {self.game}: the highest is {reading}")
        return logits


def _in_words(given: Any, answer: NDArray[Any]) -> str:
    """Describes an answer that is neither logits nor actions; a recurrent network, for example, gives logits and its state."""
    if parts := _parts(given):
        kinds = dict.fromkeys(type(part).__name__ for part in parts)
        return f"a {type(given).__name__} of {' and '.join(kinds)}"
    if answer.dtype.kind == "O":
        return reprlib.repr(given)
    return f"an array of shape {answer.shape} and type {answer.dtype}"


def _remedy(given: Any) -> str:
    """The advice for an answer that holds more than scores."""
    more = _parts(given) or hasattr(given, "logits")
    return "; wrap it in a function or a module that gives the scores alone, or name them: as_policy(…, output=…)" if more else ""


def _parts(given: Any) -> list[Any]:
    """The parts of an answer of several, such as logits and values; empty where it is one array or a list of numbers."""
    return [*given.values()] if isinstance(given, Mapping) else [*given] if isinstance(given, tuple) else []


def scores_in(given: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """An answer as an array. Of several parts, the one of this shape (B, A) counts, if each other part has a value for each
    position, (B,) or (B, 1). Any other part, such as a recurrent network's state, would be lost, and so is refused."""
    parts = [as_array(part) for part in _parts(given)]
    scores = [part for part in parts if part.shape == shape]
    values = [part for part in parts if part.shape in (shape[:1], (shape[0], 1))]
    if len(scores) == 1 and len(values) == len(parts) - 1:
        return scores[0]
    return as_array(given)


def as_array(answer: Any) -> NDArray[Any]:
    """An answer as a numpy array; a tensor may be on any device, of any type, with gradients or without."""
    if hasattr(answer, "detach"):
        answer = answer.detach().cpu()
        answer = answer.double() if answer.is_floating_point() else answer
    try:
        return np.asarray(answer)
    except (ValueError, RuntimeError):  # sequences of unequal lengths, or of tensors with gradients
        return np.array(None)


def softmax(logits: NDArray[Float]) -> NDArray[Float]:
    """Probabilities (B, A) of logits; 0 where these are -inf."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
