"""`BoardsVecEnv`: many boards of one game as Stable-Baselines3's `VecEnv`, without a Python environment for each board.

A step is the learner's action on every board and all answers to it, so that the learner's reward, +1, 0 or -1, always arrives with
its own last action, whoever ends the game. The next game begins at once; `info["terminal_observation"]` has the last observation of
the game before, `info["truncated"]` says whether its length ended it, and `info["episode"]` has its reward and length, as with
Stable-Baselines3's Monitor. A game that its length ends is a draw, and its value is 0: so there is no `"TimeLimit.truncated"`, with
which algorithms would bootstrap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from ...agents.random import Random
from ...core.numbers import seed_of, whole
from ...envs import views
from ...envs.boards import Boards, Observation
from ...envs.opponent import Opponent, Opponents, opponent_of
from ...games.display import Picture
from ...games.game import Game, StateArray
from ...games.kernels.keys import derive_keys
from ...games.random_play import random_plies
from ...games.registry import make_game

OPENING_KEY = -11
"""The key of a game's opening; those of its plies count from 0."""
Indices = None | int | Iterable[int]


class BoardsVecEnv(VecEnv):
    """Many boards as a vector environment of Stable-Baselines3.

    Observations are those of all views: `{"observation": planes (N, C, H, W), "action_mask": masks (N, A)}`, int8.

    Args:
        game: the game or its spec.
        boards: the number of boards, N.
        opponent: a policy's spec, or anything else that `ludus.as_policy` takes; or several, of which one is drawn for each game
            (`ludus.opponents`).
        seat: the learner's seat, 0, 1 or "random", drawn for each game.
        opening_plies: a game begins with up to this many random plies, so that more positions come up; their number is uniform.
        render_mode: "rgb_array" or None.
        settings: settings of the game, as `size=6`.

    Raises:
        ValueError: one of them is out of its range.
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
        boards, opening_plies = whole(boards, "boards", 1), whole(opening_plies, "opening_plies")
        if opponent is None:
            raise ValueError("opponent is None; a VecEnv rewards one seat, and needs a policy or its spec for the other")
        self.game = make_game(game, "boards", "opponent", "seat", "opening_plies", "render_mode", **settings)
        self.render_mode = views.check_render_mode(render_mode, ["rgb_array"])
        self.boards = OpenedBoards(self.game, boards, opponent_of(opponent, self.game), seat, opening_plies)
        self._random = np.random.default_rng()
        self._lengths = np.zeros(boards, np.int64)
        self._actions, self._counts = np.zeros(0, np.int64), np.zeros(3, np.int64)
        super().__init__(boards, views.observation_space(self.game), spaces.Discrete(self.game.num_actions))

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The boards' seeds at the next `reset`: this one for board 0, the next for board 1 and so on.

        Raises:
            ValueError: it is not a whole number of 64 bits.
        """
        return super().seed(None if seed is None else seed_of(seed))

    def reset(self) -> Observation:
        """Begins a game on every board, with the seeds of `seed(…)` and from the position of `set_options({"position": …})`.

        Raises:
            ValueError: a position is impossible, or finished.
        """
        every = np.ones(self.num_envs, np.bool_)
        self.boards.seed(every, self._seeds, self._random)
        for options in self._options:
            views.check_options(options, "position")
        positions = [options.get("position", self.game.start) for options in self._options]
        view = self.boards.reset(every, views.starts_of(positions, self.game, self.num_envs))
        self._reset_seeds()
        self._reset_options()
        self._lengths[:] = self._counts[:] = 0
        return view.observation

    def step_async(self, actions: NDArray[Any]) -> None:
        """Takes one action per board (N,); an illegal one loses the game.

        Raises:
            AssertionError: the actions are not one whole number per board within the action space.
        """
        if not self.boards.games.all():
            raise gymnasium.error.ResetNeeded("no game has begun: call reset() before step()")
        self._actions = views.action_numbers(actions, self.num_envs, self.game.num_actions)

    def step_wait(self) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The observations, the rewards (N,), whether a game ended (N,), and an info per board."""
        step = self.boards.step(self._actions, restart=True)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._lengths += 1
        self._counts += (self.num_envs, step.ended.sum(), step.view.info["illegal"].sum())
        if step.final is not None:
            observation, rows = step.final.observation, np.flatnonzero(step.ended)
            for i in rows.tolist():
                infos[i] = {
                    "terminal_observation": {key: seen[i].copy() for key, seen in observation.items()},
                    "truncated": bool(step.truncated[i]),
                    "illegal": bool(step.view.info["illegal"][i]),
                    "episode": {"r": float(step.rewards[i]), "l": int(self._lengths[i]), "t": 0.0},
                }
            self._lengths[rows] = 0
        return step.view.observation, step.rewards.astype(np.float32), step.ended, infos

    def statistics(self) -> dict[str, float]:
        """Since the last call: the learner's actions per game, and the share of games that an illegal one ended."""
        steps, games, illegal = self._counts.tolist()
        self._counts[:] = 0
        return {"actions a game": steps / max(1, games), "illegal": illegal / max(1, games)}

    def look(self) -> Observation:
        """The present observations, as the last step or reset returned them."""
        return self.boards.reset(np.zeros(self.num_envs, np.bool_), self.game.start[None]).observation

    def action_masks(self) -> NDArray[np.bool_]:
        """The masks (N, A), for sb3-contrib."""
        return self.boards.masks()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute, the same for each of the boards."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Raises AttributeError: boards have no attributes of their own."""
        raise AttributeError(f"{attr_name} cannot be set: the boards have no attributes of their own")

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> Sequence[Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The masks of each of the boards, as rows of one array: `action_masks` is their only method.

        Raises:
            AttributeError: any other method.
        """
        if method_name != "action_masks":
            raise AttributeError(f"boards have the method action_masks, not {method_name}")
        masks: Any = self.action_masks()
        return masks if indices is None else masks[list(self._get_indices(indices))]

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Indices = None) -> list[bool]:
        """False for each board, though `info["episode"]` is there as with a Monitor."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """The pixels of every board."""
        boards = enumerate(self.boards.states)
        return [views.render_board(self.render_mode, self.game, state, self.boards.last(i), None) for i, state in boards]

    @property
    def board_pictures(self) -> list[Picture]:
        """The present boards, for `ludus.show`."""
        return self.boards.pictures()

    def close(self) -> None:
        """Does nothing."""


class OpenedBoards(Boards):
    """Boards whose games begin with random plies, `opening_plies` of them at most."""

    def __init__(self, game: Game, count: int, opponent: Opponent | Opponents | None, seat: int | str, opening_plies: int) -> None:
        self._opening_plies, self._dice = opening_plies, Random(game)
        super().__init__(game, count, opponent, seat)

    def _after_begin(self, which: NDArray[np.int64]) -> None:
        """Begins games, with as many random plies as the key of each says, or fewer where another would end it."""
        super()._after_begin(which)
        if not self._opening_plies:
            return
        keys = self.keys[which]

        def choose(ply: int, some: NDArray[np.int64], states: StateArray) -> NDArray[np.int64]:
            return self._dice.act(states, self._derive(keys[some], ply))

        lengths = (self._derive(keys, OPENING_KEY) % np.uint64(self._opening_plies + 1)).astype(np.int64)
        actions, _ = random_plies(self.game, self.states[which], lengths, choose)
        for ply_actions in actions.T:
            self.advance(which[ply_actions >= 0], ply_actions[ply_actions >= 0])

    def _derive(self, keys: NDArray[np.uint64], index: int) -> NDArray[np.uint64]:
        derived = np.empty(len(keys), np.uint64)
        self.game.kernel(derive_keys)(keys, np.full(len(keys), index), derived)
        return derived
