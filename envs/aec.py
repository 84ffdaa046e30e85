"""`pettingzoo.make("aec", "ludus/quarto-v0")`: one AEC environment over any game.

The checks that PettingZoo adds by wrappers are built in, with an error of the same class and a longer sentence:
calls before `reset`, actions out of range, steps of a finished agent, a loop that never steps. An illegal action
ends the game, -1 for its player and +1 for the other, and both infos say `illegal`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from ..core.numbers import seed_of, short_repr
from ..games.display import Picture
from ..games.game import Game, StateArray
from ..games.kernels.keys import derive
from ..games.lines import GameLines
from ..games.registry import make_game
from ..records import Openings
from ..records.positions import state_of
from . import stepping as kernels
from . import views
from .boards import Observation
from .running import ILLEGAL, LIMIT, draw_row
from .window import FRAMES_PER_SECOND, Window

SEATS = ("player_0", "player_1")


@dataclass(frozen=True)
class Snapshot:
    """A running game, to be restored into any environment of the same game."""

    game: Game
    content: dict[str, Any]


class AECGame(AECEnv[str, Observation, Any]):
    """One board of a game as a PettingZoo AEC environment.

    Args:
        game: the game or its spec.
        render_mode: "human", "rgb_array", "ansi" or "svg".
        opening_plies: how many random plies each game begins with, none of which ends it; games from a `position` have none.
        openings: what each game begins with in place of random plies, drawn by the seed: the name of a suite that comes with the
            game, as "balanced", a file, or `Openings` (`ludus.records`).
        settings: the game's own settings, as `size=6`.

    Raises:
        ValueError: any of them is out of its range; the message says what is.
    """

    def __init__(
        self,
        game: str | Game = "tictactoe",
        *,
        render_mode: str | None = None,
        opening_plies: int = 0,
        openings: Any = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        self.game = make_game(game, "render_mode", "opening_plies", "openings", **settings)
        self._opening = views.opening_of(openings, opening_plies, self.game)
        self.render_mode = views.check_render_mode(render_mode, views.RENDER_MODES)
        self.metadata = {
            "name": f"{self.game.name}_v{self.game.version}",
            "render_modes": views.RENDER_MODES,
            "render_fps": FRAMES_PER_SECOND,
            "is_parallelizable": False,
        }
        self.possible_agents = list(SEATS)
        self.observation_spaces: dict[str, Any] = {seat: views.observation_space(self.game) for seat in SEATS}
        self.action_spaces = {seat: gymnasium.spaces.Discrete(self.game.num_actions) for seat in SEATS}
        planes, height, width = self.game.shape
        self.state_space = gymnasium.spaces.Box(0, 1, (planes + 1, height, width), np.int8)
        self._prepare()

    def _prepare(self) -> None:
        """Everything that is not the running game: kernels, and room for what they write."""
        game = self.game
        planes, height, width = game.shape
        self._turn, self._max_plies, self._actions = game.kernel(kernels.turn), game.max_plies, game.num_actions
        self._words, self._choices = np.zeros(game.num_words, np.uint64), np.zeros(game.action_words, np.uint64)
        self._planes, self._masks = np.zeros((2, planes, height * width), np.int8), np.zeros((2, game.num_actions), np.int8)
        shaped = self._planes.reshape(2, *game.shape)
        self._views = {seat: (shaped[i], self._masks[i]) for i, seat in enumerate(SEATS)}
        self._both_masks = self._masks[0], self._masks[1]  # views are quicker kept than made
        self._window = Window()
        self._seed = np.uint64(0)
        self._games = 0

    # ---- PettingZoo's interface

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game.

        Args:
            seed: the source of the keys that policies get; None continues from the last.
            options: `position`: a position (text or state) to start from. Others pass, with a warning where this one seems meant.

        Raises:
            ValueError: an impossible or finished position; a seed that is not a 64-bit whole number;
                options that are not a dictionary.
        """
        start, opening = self.game.start, self._opening
        views.check_options(options, "position")
        if options and options.get("position") is not None:
            start, opening = views.check_unfinished(state_of(self.game, options["position"]), self.game), 0
        if seed is None and not self._games:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        if seed is not None:
            self._seed, self._games = np.uint64(self._derive(seed_of(seed), 0)), 0
        self._games += 1
        row = -1
        if isinstance(opening, Openings):
            row = self.game.kernel(draw_row)(self._derive(int(self._seed), self._games), len(opening))
            start = opening.arrays.starts[row]
        self._words[:] = start
        self._start, self._moves = start, list[int]()
        self._moved = True
        player = self._turn(self._words, self._choices, -1, -1, self._max_plies, self._planes, self._masks) & 1
        for action in self._opening_moves(opening, row):
            ply = len(self._moves)
            player = self._turn(self._words, self._choices, action, ply, self._max_plies, self._planes, self._masks) & 1
            self._moves.append(action)
        self.agents = [*SEATS]
        self.agent_selection = SEATS[player]
        self._settle(0, False, False)
        self._inform(False)
        self._skip_agent_selection = None
        if self.render_mode == "human":
            self.render()

    def _opening_moves(self, opening: int | Openings, row: int) -> Iterator[int]:
        """The moves of an opening: those of a list in this row, or random ones, each drawn when the one before has been played."""
        if isinstance(opening, Openings):
            yield from opening.lines[row]
            return
        key = self._derive(int(self._seed), self._games)
        for ply in range(opening):
            action = self.game.kernel(kernels.draw_opening)(self._words, self._choices, key, ply)
            if action < 0:
                return
            yield action

    def step(self, action: Any) -> None:
        """Takes the action of the agent to move; None for an agent that is done.

        Raises:
            AssertionError: before the first reset; or the action is not a whole number within the action space.
            ValueError: an action other than None for an agent that is done.
        """
        if not self._games:
            self._need_reset("step")
        self._moved = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ValueError(f"{agent} is done; the only action it can take is None, not {short_repr(action)}")
            self._was_dead_step(None)
            return
        if type(action) is not int or not 0 <= action < self._actions:
            action = views.action_number(action, self._actions)
        verdict = self._turn(self._words, self._choices, action, len(self._moves), self._max_plies, self._planes, self._masks)
        self._moves.append(action)
        ending = verdict >> 1 & 3
        self._inform(ending == ILLEGAL)
        if ending:
            limit = ending == LIMIT
            self._settle((verdict >> 3) - 1, not limit, limit)
            self.agent_selection = SEATS[agent == SEATS[0]]
        else:
            self.agent_selection = SEATS[verdict & 1]
        if self.render_mode == "human":
            self.render()

    def _settle(self, result: int, terminated: bool, truncated: bool) -> None:
        """Sets rewards and how the game stands, by player 0's result."""
        first, second = SEATS
        self.rewards = {first: result, second: -result}
        self._cumulative_rewards = {first: result, second: -result}
        self.terminations = {first: terminated, second: terminated}
        self.truncations = {first: truncated, second: truncated}

    def _inform(self, illegal: bool) -> None:
        """Makes new infos."""
        first, second = SEATS
        mine, yours = self._both_masks
        self.infos = {
            first: {"action_mask": mine.copy(), "illegal": illegal},
            second: {"action_mask": yours.copy(), "illegal": illegal},
        }

    def observe(self, agent: str) -> Observation:
        """What a seat sees, on its turn or not: planes (C, H, W), and a mask (A,) that is all zeros unless it is to move.

        Raises:
            AssertionError: before the first reset.
        """
        self._need_reset("observe")
        planes, mask = self._views[agent]
        return {"observation": planes.copy(), "action_mask": mask.copy()}

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last action, terminated, truncated and info of the agent to move."""
        agent = self.agent_selection
        observation = None
        if observe:
            planes, mask = self._views[agent]
            observation = {"observation": planes.copy(), "action_mask": mask.copy()}
        return observation, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self.infos[agent]

    def state(self) -> NDArray[np.int8]:
        """A view from no seat, for central critics (C + 1, H, W): player 0's planes, and one that is 1 if player 1 is to move."""
        self._need_reset("state")
        planes = self._views[SEATS[0]][0]
        turn = np.full((1, *planes.shape[1:]), self.game.player(self._words), np.int8)
        return np.concatenate([planes, turn])

    def render(self) -> Any:
        """The board in the render mode: pixels (height, width, 3) uint8, text, or SVG; "human" shows it in a window.

        Raises:
            AssertionError: before the first reset.
        """
        self._need_reset("render")
        return views.render_board(self.render_mode, self.game, self._words, self._last_move, self._window)

    def _repr_svg_(self) -> str:
        """The board in a notebook."""
        return self.board_pictures[0].svg

    @property
    def board_pictures(self) -> list[Picture]:
        """The board as it stands, for `ludus.show`; before the first reset the start."""
        return [Picture(self.game, self._words.copy(), self._last_move) if self._games else Picture(self.game, self.game.start)]

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._window.close()

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same Dict space object for each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same Discrete space object for each call."""
        return self.action_spaces[agent]

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The agents in the order of their turns; each turn of the loop must call step() or reset().

        Raises:
            AssertionError: before the first reset, or in a loop that does not step.
        """
        self._need_reset("agent_iter")
        return self._turns(max_iter)

    def _turns(self, left: int) -> Iterator[str]:
        while self.agents and left > 0:
            if not self._moved:
                raise AssertionError("need to call step() or reset() in a loop over agent_iter; the last turn called neither")
            self._moved = False
            left -= 1
            yield self.agent_selection

    def _need_reset(self, call: str) -> None:
        if not self._games:
            raise AssertionError(f"reset() needs to be called before {call}; nothing is on the board yet")

    def __getattr__(self, name: str) -> Any:
        """Explains access to what exists only during a game."""
        if name in (*_RUNNING, "num_agents"):  # which is PettingZoo's count of `agents`
            raise AttributeError(f"{name} cannot be accessed before reset(); nothing is on the board yet")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # ---- more than PettingZoo's

    def action_mask(self) -> NDArray[np.int8]:
        """The mask (A,) of the agent to move."""
        self._need_reset("action_mask")
        return self._views[self.agent_selection][1].copy()

    @property
    def rules_state(self) -> StateArray:
        """The rules' state (W,), a copy."""
        self._need_reset("rules_state")
        return self._words.copy()

    @property
    def position(self) -> str:
        """The position as text."""
        return self.game.text(self.rules_state)

    def key(self) -> np.uint64:
        """The key by which a policy chooses here: it follows from the seed, the count of games and the ply."""
        self._need_reset("key")
        return np.uint64(self._derive(self._derive(int(self._seed), self._games), len(self._moves)))

    @property
    def line(self) -> GameLines:
        """How the game came to where it is, as a policy sees it: a batch of one line."""
        self._need_reset("line")
        return GameLines.of(self._start, self._moves)

    @property
    def _last_move(self) -> int | None:
        return self._moves[-1] if self._moves else None

    def _derive(self, key: int, index: int) -> int:
        return self.game.kernel(derive)(key, index)

    def snapshot(self) -> Snapshot:
        """The running game as a value; `restore` brings it back, here or in another environment of the same game."""
        return Snapshot(self.game, deepcopy(self._running_game()))

    def restore(self, snapshot: Snapshot) -> None:
        """Continues from a snapshot.

        Raises:
            ValueError: it is of another game or variant.
            TypeError: it is not a snapshot.
        """
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"{short_repr(snapshot)} is not a snapshot; give what snapshot() returned")
        if snapshot.game != self.game:
            raise ValueError(f"the snapshot is of {snapshot.game.spec}; this environment plays {self.game.spec}")
        content = deepcopy(snapshot.content)
        arrays = content.pop("arrays")
        for name in _RUNNING:
            vars(self).pop(name, None)
        vars(self).update(content)
        if self._games:
            self._moves = list(self._moves)
        for mine, kept in zip(self._arrays(), arrays, strict=True):
            mine[:] = kept

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self._words, self._choices, self._planes, self._masks

    def _running_game(self) -> dict[str, Any]:
        """The running game: all attributes that change while playing."""
        content = {name: vars(self)[name] for name in _RUNNING if name in vars(self)}
        if self._games:
            content["_moves"] = array("i", self._moves)  # which is copied as a whole, not number by number
        return content | {"arrays": self._arrays()}

    def __getstate__(self) -> dict[str, Any]:
        fixed = {k: v for k, v in vars(self).items() if k not in _RUNNING and k not in _PREPARED}
        return fixed | {"running": self._running_game()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        content = state.pop("running")
        vars(self).update(state)
        self._prepare()
        self.restore(Snapshot(self.game, content))

    def __str__(self) -> str:
        return self.metadata["name"]


_RUNNING = (
    "agents",
    "agent_selection",
    "rewards",
    "terminations",
    "truncations",
    "infos",
    "_cumulative_rewards",
    "_skip_agent_selection",
    "_start",
    "_moves",
    "_moved",
    "_seed",
    "_games",
)
_PREPARED = ("_turn", "_max_plies", "_actions", "_words", "_choices", "_planes", "_masks", "_views", "_both_masks", "_window")


def env(game: str | Game = "tictactoe", **keywords: Any) -> AECGame:
    """The environment, as `pettingzoo.make` makes it. Keywords are those of `AECGame`."""
    return AECGame(game, **keywords)
