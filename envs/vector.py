"""`gym.make_vec("ludus/Othello-v0", num_envs=4096)`: all boards in one compiled call.

    observation, info = envs.reset(seed=0)
    observation, reward, terminated, truncated, info = envs.step(envs.sample_actions())

Arrays are fresh at every step and their first axis is the board. Autoreset modes are Gymnasium's:

- `NextStep`: a board whose game ended begins the next one at the following step, which ignores its action;
- `SameStep`: it begins at once; what the ended game showed last is in `info["final_obs"]` (as arrays over all boards, zeros
  where no game ended; `info["_final_obs"]` says where), and its `info` in `info["final_info"]`;
- `Disabled`: it waits for `reset(options={"reset_mask": …})`.

With `opponent=None` every step is the mover's, and the next value is often the other player's: it counts with a minus sign
wherever `info["player"]` changed, which it does not at every step (examples/self_play.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ..core.numbers import MANY, is_whole, seed_of, short_repr
from ..games.game import Game, StateArray
from ..games.registry import make_game
from . import views
from .boards import Boards, Info, Observation, Step, View
from .opponent import opponent_of
from .window import FRAMES_PER_SECOND


class BoardsEnv(views.OverBoards, VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many boards of one game as a Gymnasium vector environment.

    Args:
        num_envs: how many boards, N.
        game: the game or its spec.
        opponent: who answers: a policy's spec, or anything else that `ludus.as_policy` takes; several, of whom one is drawn for
            each game (`ludus.opponents`); or None for self-play, where every step is the mover's.
        seat: the learner's seat, 0, 1 or "random"; it has no meaning in self-play.
        autoreset_mode: "NextStep", "SameStep" or "Disabled".
        render_mode: "rgb_array", "ansi" or "svg"; `render()` gives one a board.
        arrays: "numpy", or "torch" for tensors in the same memory in place of all arrays; actions may be tensors in both.
        opening_plies: how many random plies each game begins with, none of which ends it; games from a `position` have none.
        openings: what each game begins with in place of random plies, drawn by the seed: the name of a suite that comes with the
            game, as "balanced", a file, or `Openings` (`ludus.records`).
        settings: the game's own settings, as `size=6`.

    Raises:
        ValueError: any of them is out of its range; the message says what is.
    """

    def __init__(
        self,
        num_envs: int = 1,
        game: str | Game = "tictactoe",
        *,
        opponent: Any = "random",
        seat: int | str = "random",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        arrays: str = "numpy",
        opening_plies: int = 0,
        openings: Any = None,
        **settings: Any,
    ) -> None:
        if not is_whole(num_envs, 1, MANY):
            raise ValueError(f"num_envs is {short_repr(num_envs)}; a vector environment has 1 board or more")
        also = "opponent", "seat", "autoreset_mode", "render_mode", "arrays", "opening_plies", "openings"
        self.game = make_game(game, *also, **settings)
        self.num_envs = int(num_envs)
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        render_modes = [mode for mode in views.RENDER_MODES if mode != "human"]
        self.metadata = {"render_modes": render_modes, "render_fps": FRAMES_PER_SECOND, "autoreset_mode": self.autoreset_mode}
        self.render_mode = views.check_render_mode(render_mode, render_modes)
        self._hand = views.hand_of(arrays)
        self.single_observation_space = views.observation_space(self.game)
        self.single_action_space = gymnasium.spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        opening = views.opening_of(openings, opening_plies, self.game)
        super().__init__(Boards(self.game, self.num_envs, opponent_of(opponent, self.game), seat, opening))

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begins a game on every board.

        Args:
            seed: one for board 0, the next for board 1 and so on (0 follows 2^64 - 1); or one for each board; None continues
                with the boards' seeds.
            options: `position`: a position for all boards or one each; `opponent`, `seat`: the opponent and
                the learner's seat of games that begin from now on; `reset_mask`: the boards (N,) bool that begin a new game, all
                if missing. Others pass, with a warning where one of these seems meant.

        Raises:
            ValueError: a list of seeds or positions of another length, a position that cannot be, a mask that marks no board.
        """
        views.check_options(options, "position", "opponent", "seat", "reset_mask")
        which, seeds = self._which(options), self._seeds(seed)
        super().reset(seed=seeds[0])
        view = self._begin(which, seeds, options, self.np_random)
        return self._hand((view.observation, self._info(view, np.ones(self.num_envs, np.bool_))))

    def step(self, actions: Any) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Takes one action a board (N,), lets the opponent answer, and gives what the learner sees and gets.

        Raises:
            AssertionError: the actions are not one whole number a board within the action space.
            gymnasium.error.ResetNeeded: before the first reset; or autoreset is disabled and a game is over.
        """
        self._need_reset("step()")
        numbers = views.action_numbers(actions, self.num_envs, self.game.num_actions)
        if self.autoreset_mode is AutoresetMode.DISABLED and (over := self._boards.is_reported).any():
            raise gymnasium.error.ResetNeeded(
                f"{int(over.sum())} games are over, on board {int(np.flatnonzero(over)[0])} first; "
                'with autoreset disabled, call reset(options={"reset_mask": terminated | truncated}) before step()'
            )
        step = self._take(numbers, restart=self.autoreset_mode is AutoresetMode.SAME_STEP)
        return self._hand((step.view.observation, step.rewards, step.terminated, step.truncated, self._step_info(step)))

    def sample_actions(self) -> NDArray[np.int64]:
        """One legal action a board (N,), each equally likely; it follows from the boards' seeds."""
        self._need_reset("sample_actions()")
        return self._hand(self._boards.sample_actions())

    def action_masks(self) -> NDArray[np.bool_]:
        """The masks (N, A) as sb3-contrib asks for them."""
        self._need_reset("action_masks()")
        return self._hand(self._boards.masks())

    def render(self) -> Any:
        """Every board in the render mode, as a tuple."""
        self._need_reset("render()")
        boards = self._boards
        return tuple(
            views.render_board(self.render_mode, self.game, state, boards.last(i), None) for i, state in enumerate(boards.states)
        )

    @property
    def rules_state(self) -> StateArray:
        """The rules' states (N, W), a copy."""
        self._need_reset("looking at the boards")
        return self._boards.states.copy()

    @property
    def position(self) -> list[str]:
        """The position on each board, as text."""
        return [self.game.text(state) for state in self.rules_state]

    def ply_keys(self) -> NDArray[np.uint64]:
        """The keys (N,) by which a policy chooses here: `policy.act(envs.rules_state, envs.ply_keys())`."""
        self._need_reset("asking a policy")
        return self._boards.ply_keys(np.arange(self.num_envs))

    def _seeds(self, seed: Any) -> list[int | None]:
        """A seed for each board, from what `reset` was given."""
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, (list, tuple)) or (isinstance(seed, np.ndarray) and seed.ndim):
            if len(seed) != self.num_envs:
                raise ValueError(f"there are {len(seed)} seeds for {self.num_envs} boards; give one each, or one number for all")
            return [None if entry is None else seed_of(entry) for entry in seed]
        first = seed_of(seed)
        return [first + i for i in range(self.num_envs)]

    def _which(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        if not options or "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        mask = np.asarray(options["reset_mask"])
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(
                f"reset_mask must be {self.num_envs} booleans with at least one true; got {short_repr(options['reset_mask'])}"
            )
        return mask | (self._boards.games == 0)  # a board where no game has been yet begins its first

    def _info(self, view: View, where: NDArray[np.bool_]) -> Info:
        """The info of a view, each key with the boards for which it holds, as Gymnasium's wrappers expect: `_key`."""
        return view.info | {f"_{key}": where for key in view.info}

    def _step_info(self, step: Step) -> Info:
        info = self._info(step.view, np.ones(self.num_envs, np.bool_))
        if step.final is not None:
            final = {"final_obs": step.final.observation, "final_info": self._info(step.final, step.ended)}
            info |= final | {f"_{key}": step.ended for key in final}
        return info


def _autoreset_mode(mode: Any) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(repr(m.value) for m in AutoresetMode)
        raise ValueError(f"autoreset_mode is {short_repr(mode)}; it must be one of {known}") from None
