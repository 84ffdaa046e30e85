"""`gym.make("ludus/Quarto-v0", opponent="random")`: one seat of a game, the opponent inside `reset` and `step`.

The learner gets +1 when it wins, -1 when it loses, whoever made the last move, and 0 for a draw, once, at the
end. With `opponent=None` it plays both sides: a step's reward is that of the player who just acted, `info["rewards"]`
has both, and `info["player"]` says who is to move. The next value is then often the other player's, and counts with a minus
sign for the player who acted, wherever `info["player"]` changed (examples/self_play.py).
"""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..core.numbers import seed_of
from ..games.game import Game, StateArray
from ..games.lines import GameLines
from ..games.registry import make_game
from . import views
from .boards import Boards, Info, Observation, View
from .opponent import opponent_of
from .window import FRAMES_PER_SECOND, Window


class SingleEnv(views.OverBoards, gymnasium.Env[Observation, np.int64]):
    """One board of a game as a Gymnasium environment.

    Args:
        game: the game or its spec.
        opponent: who answers: a policy's spec, or anything else that `ludus.as_policy` takes; several, of whom one is drawn for
            each game (`ludus.opponents`); or None for self-play.
        seat: the learner's seat, 0 (moves first), 1 or "random" (drawn for each game); it has no meaning in self-play.
        render_mode: "human", "rgb_array", "ansi" or "svg".
        opening_plies: how many random plies each game begins with, none of which ends it; games from a `position` have none.
        openings: what each game begins with in place of random plies, drawn by the seed: the name of a suite that comes with the
            game, as "balanced", a file, or `Openings` (`ludus.records`).
        settings: the game's own settings, as `size=6`.

    Raises:
        ValueError: any of them is out of its range; the message says what is.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": views.RENDER_MODES, "render_fps": FRAMES_PER_SECOND}  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(
        self,
        game: str | Game = "tictactoe",
        *,
        opponent: Any = "random",
        seat: int | str = "random",
        render_mode: str | None = None,
        opening_plies: int = 0,
        openings: Any = None,
        **settings: Any,
    ) -> None:
        self.game = make_game(game, "opponent", "seat", "render_mode", "opening_plies", "openings", **settings)
        self.render_mode = views.check_render_mode(render_mode, views.RENDER_MODES)
        self.observation_space = views.observation_space(self.game)  # pyright: ignore[reportAttributeAccessIssue]
        self.action_space = gymnasium.spaces.Discrete(self.game.num_actions)
        self._window = Window()
        opening = views.opening_of(openings, opening_plies, self.game)
        super().__init__(Boards(self.game, 1, opponent_of(opponent, self.game), seat, opening))
        self._boards.keep_lines()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Begins a game; the opponent moves first where it sits at 0.

        Args:
            seed: what the game's randomness follows from; None continues from the last.
            options: `position`: a position (text or state) to start from; `opponent`, `seat`: another opponent, another
                seat of the learner, from now on. Others pass, with a warning where one of these seems meant.

        Raises:
            ValueError: a position that cannot be, or is finished; an unknown opponent; no seat; a seed that is not a 64-bit number.
        """
        views.check_options(options, "position", "opponent", "seat")
        seed = None if seed is None else seed_of(seed)
        super().reset(seed=seed)
        view = self._begin(np.ones(1, np.bool_), [seed], options, self.np_random)
        self._show()
        return {key: value[0] for key, value in view.observation.items()}, self._info(view)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Takes the learner's action, lets the opponent answer until the learner is to move or the game is over.

        Raises:
            AssertionError: the action is not a whole number within the action space.
            gymnasium.error.ResetNeeded: before the first reset, or after the end of a game.
        """
        number = views.action_number(action, self.game.num_actions)
        self._need_reset("step()", over=self._boards.is_reported[0])
        step = self._take(np.array([number]), restart=False)
        self._show()
        observation = {key: value[0] for key, value in step.view.observation.items()}
        ends = bool(step.terminated[0]), bool(step.truncated[0])
        return observation, float(step.rewards[0]), *ends, self._info(step.view)

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask (A,) as sb3-contrib asks for it."""
        self._need_reset("action_masks()")
        return self._boards.masks()[0]

    def render(self) -> Any:
        """The board in the render mode: pixels (height, width, 3) uint8, text, or SVG; "human" shows it in a window."""
        return views.render_board(self.render_mode, self.game, self.rules_state, self._boards.last(0), self._window)

    def _repr_svg_(self) -> str:
        """The board in a notebook."""
        return self.board_pictures[0].svg

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._window.close()

    @property
    def rules_state(self) -> StateArray:
        """The rules' state (W,), a copy."""
        self._need_reset("looking at the board")
        return self._boards.states[0].copy()

    @property
    def position(self) -> str:
        """The position as text."""
        return self.game.text(self.rules_state)

    def key(self) -> np.uint64:
        """The key by which a policy chooses here."""
        self._need_reset("asking a policy")
        return self._boards.ply_keys(np.zeros(1, np.int64))[0]

    @property
    def line(self) -> GameLines:
        """How the game came to where it is, as a policy sees it: a batch of one line."""
        self._need_reset("looking at the line")
        return self._boards.lines(np.zeros(1, np.int64))

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _info(self, view: View) -> Info:
        return {key: array[0] if array.ndim > 1 else array[0].item() for key, array in view.info.items()}
