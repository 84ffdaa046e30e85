"""What all environments share: spaces, the keywords they take, and the check of actions."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any

import numpy as np
from gymnasium import error, spaces
from numpy.typing import NDArray

from ..core.numbers import short_repr, whole
from ..core.plugins.loading import check_installed, libraries
from ..games.display import Picture
from ..games.drawing.raster import pixels
from ..games.game import Game, StateArray
from ..records import Openings, load_openings
from ..records.positions import state_of
from .boards import Boards, Step, View, seat_code
from .opponent import opponent_of

RENDER_MODES = ["human", "rgb_array", "ansi", "svg"]
MOST_OPENING_PLIES = 1000
OPTIONS = ("position", "opponent", "seat", "reset_mask")
"""What `reset(options=…)` knows, in one view or another."""
OTHER_WORDS = {"fen": "position", "board": "position", "state": "position", "pos": "position", "start": "position"}
"""What other libraries say for an option of ours."""
LIKENESS = 0.75
"""How alike a misspelt option is to the one that is meant; PettingZoo's tests give an option `options`, 0.67 like `position`."""


def observation_space(game: Game) -> spaces.Dict:
    """Planes (C, H, W) and an action mask (A,), both int8 of zeros and ones."""
    return spaces.Dict(
        {"observation": spaces.Box(0, 1, game.shape, np.int8), "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8)}
    )


def action_number(action: Any, count: int) -> int:
    """An action as a plain integer.

    Raises:
        AssertionError: it is not a whole number from 0 to count - 1 (the class of error that PettingZoo's own check raises).
    """
    try:
        number = operator.index(action)
    except TypeError:
        number = -1
    if isinstance(action, (bool, np.bool_)) or not 0 <= number < count:
        raise AssertionError(f"action is {short_repr(action)}; it must be a whole number from 0 to {count - 1}")
    return number


def action_numbers(actions: Any, boards: int, count: int) -> NDArray[np.int64]:
    """Actions of many boards as an int64 array.

    Raises:
        AssertionError: they are not one whole number a board, each from 0 to count - 1.
    """
    array = np.asarray(actions)
    if array.shape != (boards,) or array.dtype.kind not in "iu":
        raise AssertionError(f"actions must be {boards} whole numbers, one a board; got shape {array.shape} of {array.dtype}")
    array = np.ascontiguousarray(array, np.int64)
    if np.maximum.reduce(array.view(np.uint64)) >= count:
        wrong = int(np.flatnonzero((array < 0) | (array >= count))[0])
        raise AssertionError(f"the action of board {wrong} is {array[wrong]}; it must be from 0 to {count - 1}")
    return array


def hand_of(arrays: str) -> Callable[[Any], Any]:
    """What hands results out: a function of tuples, dictionaries and arrays, which returns the same with the wanted arrays.

    Args:
        arrays: "numpy", or "torch" for tensors that share the arrays' memory; only then is torch imported.

    Raises:
        ValueError: something else, or torch is not installed.
    """
    if arrays == "numpy":
        return with_arrays
    if arrays != "torch":
        raise ValueError(f"arrays is {short_repr(arrays)}; it must be 'numpy' or 'torch'")
    with libraries("arrays='torch'", "rl"):
        import torch as torch
    return with_tensors


def with_arrays(results: Any) -> Any:
    """Results as they are."""
    return results


def with_tensors(results: Any) -> Any:
    """Results with torch tensors in place of arrays, in the same memory."""
    from torch import from_numpy

    if isinstance(results, tuple):
        return tuple(map(with_tensors, results))
    if isinstance(results, dict):
        return {key: with_tensors(value) for key, value in results.items()}
    return from_numpy(results) if isinstance(results, np.ndarray) else results


def opening_of(openings: Any, plies: Any, game: Game) -> int | Openings:
    """What games begin with: openings, if there are some, or else this many random plies.

    Args:
        openings: the name of a suite, a file, or `Openings`; None for random plies.
        plies: how many of these.
        game: the game.

    Raises:
        OSError: the file cannot be read.
        ValueError: both are given; or there are no such openings of this game, or one of them cannot be; or the plies are not a
            whole number from 0 to MOST_OPENING_PLIES.
    """
    length = opening_length(plies, game)
    if openings is None:
        return length
    if length:
        raise ValueError(f"openings are given, and opening_plies is {plies}; games begin with the one or the other, so give one")
    return load_openings(openings, game)


def opening_length(plies: Any, game: Game) -> int:
    """How many random plies games begin with: fewer than the limit of plies, where a game has one.

    Raises:
        ValueError: not a whole number from 0 to MOST_OPENING_PLIES.
    """
    plies = whole(plies, "opening_plies", 0, MOST_OPENING_PLIES)
    return min(plies, game.max_plies - 1) if game.max_plies else plies


def starts_of(position: Any, game: Game, boards: int) -> NDArray[np.uint64] | None:
    """The states that games are to start from: one for all boards (1, W), or one each (N, W); None for the start of the game.

    Raises:
        ValueError: a position that cannot be, or is finished, or a list of another length.
    """
    if position is None:
        return None
    if not isinstance(position, (str, list, tuple, np.ndarray)) or (not isinstance(position, str) and len(position) == 0):
        raise ValueError(
            f"position is {short_repr(position)}; it must be a position's text, or a state, or one of these for each board"
        )
    if isinstance(position, str) or (np.ndim(position[0]) == 0 and not isinstance(position[0], str)):
        states = [state_of(game, position)]
    elif len(position) == boards:
        states = [state_of(game, entry) for entry in position]
    else:
        raise ValueError(f"there are {len(position)} positions; give one, or one for each of {boards} boards")
    for state in states:
        check_unfinished(state, game)
    return np.array(states, np.uint64)


def check_unfinished(state: StateArray, game: Game) -> StateArray:
    """The state, if a game can be played from it.

    Raises:
        ValueError: the game is over there.
    """
    if game.outcome(state) is not None:
        raise ValueError(f"the game is over in {game.text(state)!r} ({game.status(state)}); a game starts from a position to play")
    return state


def check_options(options: Any, *known: str) -> None:
    """Warns, once a process, of an option that is ignored although somebody meant one of ours by it. All others pass.

    Args:
        options: as given to `reset`.
        known: the options of this view.

    Raises:
        ValueError: they are not a dictionary.
    """
    if not isinstance(options, (Mapping, type(None))):
        raise ValueError(f'options is {short_repr(options)}; it must be a dictionary, as {{"position": …}}, or None')
    for name in options or ():
        if isinstance(name, str) and name not in known:
            _warn_of(name, known)


@cache
def _warn_of(name: str, known: tuple[str, ...]) -> None:
    word = name.lower()
    meant = [OTHER_WORDS[word]] if word in OTHER_WORDS else get_close_matches(word, OPTIONS, n=1, cutoff=LIKENESS)
    if meant:
        hint = f"did you mean {meant[0]!r}? " if meant[0] in known else ""
        there_are = f"the options of this environment are: {', '.join(known)}"
        warnings.warn(f"reset() ignores the option {short_repr(name)}; {hint}{there_are}", stacklevel=4)


def check_render_mode(mode: str | None, modes: list[str]) -> str | None:
    """The render mode, if it is among those there are.

    Raises:
        ValueError: it is not, or what draws pixels is not installed.
    """
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode is {short_repr(mode)}; it must be one of {', '.join(modes)}, or None")
    if mode in ("human", "rgb_array"):
        check_installed(f"render_mode={short_repr(mode)}", "render")
    return mode


def render_board(mode: str | None, game: Game, state: StateArray, action: int | None, window: Any) -> Any:
    """A board in a render mode: pixels, text, SVG, or shown in a window."""
    if mode == "ansi":
        return game.picture(state, action)
    if mode == "svg":
        return game.svg(state, action)
    if mode == "rgb_array":
        return pixels(game.svg(state, action))
    if mode == "human":
        window.show(pixels(game.svg(state, action)), game.title)
    return None


class OverBoards:
    """What the Gymnasium environments share: their boards, and that an opponent's error leaves no half-taken step.

    Args:
        boards: the boards.
    """

    def __init__(self, boards: Boards) -> None:
        self._boards, self._ready = boards, False

    @property
    def board_pictures(self) -> list[Picture]:
        """The boards as they stand, for `ludus.show`; one on which no game has begun shows the start."""
        return self._boards.pictures()

    def _begin(
        self, which: NDArray[np.bool_], seeds: Sequence[int | None], options: Mapping[str, Any] | None, random: np.random.Generator
    ) -> View:
        """Begins a game on the marked boards, as `reset(options=…)` asks."""
        boards, options = self._boards, options or {}
        opponent = opponent_of(options["opponent"], boards.game) if "opponent" in options else boards.opponent
        starts = starts_of(options.get("position"), boards.game, boards.count)
        if (opponent is None) is not (boards.opponent is None) and boards.is_playing[~which].any():
            raise ValueError("an opponent in place of self-play, or self-play, begins on all boards: mark them all by reset_mask")
        boards.seat = seat_code(options["seat"]) if "seat" in options else boards.seat
        boards.opponent = opponent
        boards.seed(which, seeds, random)
        self._ready = False
        view = boards.reset(which, starts)
        self._ready = True
        return view

    def _take(self, actions: NDArray[np.int64], *, restart: bool) -> Step:
        """Takes the learner's actions."""
        self._ready = False
        step = self._boards.step(actions, restart=restart)
        self._ready = True
        return step

    def _need_reset(self, call: str, *, over: bool = False) -> None:
        if over or not self._ready:
            raise error.ResetNeeded(f"no game is running: call reset() before {call}")
