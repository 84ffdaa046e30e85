"""`BoardsVecEnv`: many boards of one game as Stable-Baselines3's `VecEnv`, without a Python environment a board in between.

A step is the learner's action on every board and all answers to it, so that whoever ends a game, the learner's reward arrives
with its own last action: +1, 0 or -1. A game that ended is followed by the next at once; what it showed last is in its
`info["terminal_observation"]`, whether its length ended it in `info["truncated"]`, and its reward and length in
`info["episode"]`, as Stable-Baselines3's Monitor has it. A game that its length ends is a draw: nothing comes after it, and
`"TimeLimit.truncated"`, which would have algorithms reckon on behind it, is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from ...agents.policies.random import Random
from ...arena.matches.openings import random_plies
from ...envs import views
from ...envs.boards import Boards, Observation
from ...envs.games.game import Game, StateArray
from ...envs.games.registry import make_game
from ...envs.kernels.keys import derive_keys
from ...envs.opponent import Opponent, Opponents, opponent_of
from ...envs.settings.numbers import MANY, is_whole, seed_of, shown
from ...envs.showing import Picture

OPENING_KEY = -11
"""What is drawn by a game's key, the keys of whose plies count from 0."""
Indices = None | int | Iterable[int]


class BoardsVecEnv(VecEnv):
    """Many boards as a vector environment of Stable-Baselines3.

    Observations are those of all views: `{"observation": planes (N, C, H, W), "action_mask": masks (N, A)}`, int8.

    Args:
        game: the game or its spec.
        boards: how many boards, N.
        opponent: who answers: a policy's spec, or anything else that `ludus.as_policy` takes; or several, of whom one is drawn for
            each game (`ludus.opponents`).
        seat: the learner's seat, 0, 1 or "random", drawn for each game.
        opening_plies: with up to how many random plies a game begins, so that more positions come up; how many, is drawn.
        render_mode: "rgb_array" or None.
        settings: the game's own settings, as `size=6`.

    Raises:
        ValueError: any of them is out of its range; the message says what is.
    """

    def __init__(
        self,
        game: str | Game = "tictactoe",
        boards: int = 64,
        *,
        opponent: Any = "random",
        seat: int | str = "random",
        opening_plies: int = 0,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        if not is_whole(boards, 1, MANY):
            raise ValueError(f"boards is {shown(boards)}; there must be 1 or more to learn on")
        if opponent is None:
            raise ValueError("opponent is None; a VecEnv rewards one seat, and needs a policy or its spec for the other")
        if not is_whole(opening_plies, 0, MANY):
            raise ValueError(f"opening_plies is {shown(opening_plies)}; it must be 0 or more")
        self.game = make_game(game, "boards", "opponent", "seat", "opening_plies", "render_mode", **settings)
        self.render_mode = views.check_render_mode(render_mode, ["rgb_array"])
        self.boards = OpenedBoards(self.game, int(boards), opponent_of(opponent, self.game), seat, opening_plies)
        self._random = np.random.default_rng()
        self._lengths = np.zeros(int(boards), np.int64)
        self._actions, self._told = np.zeros(0, np.int64), np.zeros(3, np.int64)
        super().__init__(int(boards), views.observation_space(self.game), spaces.Discrete(self.game.num_actions))

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The boards' seeds at the next `reset`: this one for board 0, the next for board 1 and so on.

        Raises:
            ValueError: it is no whole number of 64 bits.
        """
        return super().seed(None if seed is None else seed_of(seed))

    def reset(self) -> Observation:
        """Begins a game on every board, after `seed(…)` with these seeds, after `set_options({"position": …})` from there.

        Raises:
            ValueError: a position that cannot be, or is finished.
        """
        every = np.ones(self.num_envs, np.bool_)
        self.boards.seed(every, self._seeds, self._random)
        for options in self._options:
            views.check_options(options, "position")
        positions = [options.get("position", self.game.start) for options in self._options]
        view = self.boards.reset(every, views.starts_of(positions, self.game, self.num_envs))
        self._reset_seeds()
        self._reset_options()
        self._lengths[:] = self._told[:] = 0
        return view.observation

    def step_async(self, actions: NDArray[Any]) -> None:
        """Takes one action a board (N,); an illegal one loses the game.

        Raises:
            AssertionError: the actions are not one whole number a board within the action space.
        """
        if not self.boards.games.all():
            raise gymnasium.error.ResetNeeded("no games are on: call reset() before step()")
        self._actions = views.action_numbers(actions, self.num_envs, self.game.num_actions)

    def step_wait(self) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """What the step brought: observations, rewards (N,), whether a game ended (N,), and an info a board."""
        step = self.boards.step(self._actions, restart=True)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._lengths += 1
        self._told += (self.num_envs, step.ended.sum(), step.view.illegal.sum())
        if step.final is not None:
            shown, rows = step.final.observation, np.flatnonzero(step.ended)
            for i in rows.tolist():
                infos[i] = {
                    "terminal_observation": {key: seen[i].copy() for key, seen in shown.items()},
                    "truncated": bool(step.truncated[i]),  # a draw by the rules, with nothing to come after it
                    "illegal": bool(step.view.illegal[i]),
                    "episode": {"r": float(step.rewards[i]), "l": int(self._lengths[i]), "t": 0.0},
                }
            self._lengths[rows] = 0
        return step.view.observation, step.rewards.astype(np.float32), step.ended, infos

    def told(self) -> dict[str, float]:
        """What happened since it was asked last: the learner's actions a game, and which share of games an illegal one ended."""
        steps, games, illegal = self._told.tolist()
        self._told[:] = 0
        return {"actions a game": steps / max(1, games), "illegal": illegal / max(1, games)}

    def look(self) -> Observation:
        """What the learner sees now, as the last step or reset showed it."""
        return self.boards.reset(np.zeros(self.num_envs, np.bool_), self.game.start[None]).observation

    def action_masks(self) -> NDArray[np.bool_]:
        """The masks (N, A) as sb3-contrib asks for them."""
        return self.boards.masks()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute, the same for each of the boards."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Boards have no attributes of their own to set.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(f"{attr_name} cannot be set: the boards have no attributes of their own")

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> Sequence[Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """What `action_masks` gives on each of the boards, as rows of one array: the one method that they have.

        Raises:
            AttributeError: any other method.
        """
        if method_name != "action_masks":
            raise AttributeError(f"boards have the method action_masks, and not {method_name}")
        masks: Any = self.action_masks()
        return masks if indices is None else masks[list(self._get_indices(indices))]

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Indices = None) -> list[bool]:
        """No board is wrapped; but `info["episode"]` is there as if by a Monitor."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Pixels of every board."""
        return [
            views.rendered(self.render_mode, self.game, state, self.boards.last(i), None)
            for i, state in enumerate(self.boards.states)
        ]

    @property
    def shown_boards(self) -> list[Picture]:
        """The boards as they stand, for `ludus.show`."""
        return views.pictures(self.boards)

    def close(self) -> None:
        """There is nothing to close."""


class OpenedBoards(Boards):
    """Boards whose games begin with random plies.

    Args:
        game, count, opponent, seat: as for `Boards`.
        opening_plies: with up to how many random plies a game begins.
    """

    def __init__(self, game: Game, count: int, opponent: Opponent | Opponents | None, seat: int | str, opening_plies: int) -> None:
        self._opening_plies, self._dice = opening_plies, Random(game)
        super().__init__(game, count, opponent, seat)

    def _begun(self, which: NDArray[np.int64]) -> None:
        super()._begun(which)
        if self._opening_plies:
            self._open(which)

    def _open(self, rows: NDArray[np.int64]) -> None:
        """Plays as many random plies as each game's key says, or fewer where another would end it."""
        keys = self.keys[rows]

        def choose(ply: int, some: NDArray[np.int64], states: StateArray) -> NDArray[np.int64]:
            return self._dice.act(states, self._derived(keys[some], ply))

        lengths = (self._derived(keys, OPENING_KEY) % np.uint64(self._opening_plies + 1)).astype(np.int64)
        actions, _ = random_plies(self.game, self.states[rows], lengths, choose)
        for taken in actions.T:
            self.advance(rows[taken >= 0], taken[taken >= 0])

    def _derived(self, keys: NDArray[np.uint64], index: int) -> NDArray[np.uint64]:
        derived = np.empty(len(keys), np.uint64)
        self.game.kernel(derive_keys)(keys, np.full(len(keys), index), derived)
        return derived
