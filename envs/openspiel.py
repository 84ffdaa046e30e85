"""Any game of Ludus as a game of OpenSpiel, on which its algorithms run. Importing this module needs `open_spiel`.

    import pyspiel
    import ludus.envs.openspiel

    game = pyspiel.load_game("ludus(game=nim(heaps=3;4,misere=True))")
    game = ludus.envs.openspiel.openspiel_game("nim:heaps=3+4,misere=true")  # the same

Players, actions, their names and the results are ours, and so is the tensor of an observation: the planes, as the player sees them.
Its string is the position. As in OpenSpiel's own games of perfect information, an information state is the line of actions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from ..core.numbers import short_repr
from ..core.specs import changed_settings, value_text
from ..games.game import Game
from ..games.registry import BUILT_IN, make_game

LONGEST_GAME = 10_000
"""The most plies that OpenSpiel expects of a game whose plies the environments do not limit; the rules end it much sooner."""
GAME_TYPE = pyspiel.GameType(
    "ludus",
    "A game of Ludus",
    pyspiel.GameType.Dynamics.SEQUENTIAL,
    pyspiel.GameType.ChanceMode.DETERMINISTIC,
    pyspiel.GameType.Information.PERFECT_INFORMATION,
    pyspiel.GameType.Utility.ZERO_SUM,
    pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": {"name": next(iter(BUILT_IN))}},
)


def openspiel_game(game: str | Game) -> OpenSpielGame:
    """A game, or that of a spec, as OpenSpiel has games; ValueError where there is no such game or variant."""
    made = make_game(game)
    settings = (f"{name}={value_text(value).replace('+', ';')}" for name, value in changed_settings(made).items())
    return pyspiel.load_game(f"ludus(game={made.name}({','.join(settings)}))")


@lru_cache
def rules_of(settings: tuple[tuple[str, Any], ...]) -> Game:
    """The game of Ludus by OpenSpiel's parameter `game`; ValueError where there is none of this name. It runs no code of a name."""
    named = {key: value.replace(";", "+") if isinstance(value, str) else value for key, value in settings}
    name = named.pop("name")
    if ":" in name:
        raise ValueError(f"{short_repr(name)} is no game of Ludus but names code; plug it in by ludus.plug_in, and name the game")
    return make_game(name, **named)


class OpenSpielGame(pyspiel.Game):  # pyright: ignore[reportUntypedBaseClass]
    """A game by OpenSpiel's parameter `game`: its name and settings."""

    def __init__(self, params: dict[str, Any]) -> None:
        rules = rules_of(tuple(params["game"].items()))
        longest = rules.max_plies or LONGEST_GAME
        super().__init__(GAME_TYPE, pyspiel.GameInfo(rules.num_actions, 0, 2, -1.0, 1.0, 0.0, longest), params)

    @property
    def rules(self) -> Game:
        """The game of Ludus; it follows from the parameters, which are all that a copy keeps."""
        return rules_of(tuple(self.get_parameters()["game"].items()))

    def new_initial_state(self, state: Any = None) -> OpenSpielState:
        """The start."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What observes states: planes, or what was played where all of it is asked for."""
        is_planes = iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall)
        return PlanesObserver(self.rules) if is_planes else IIGObserverForPublicInfoGame(iig_obs_type, params)


class OpenSpielState(pyspiel.State):  # pyright: ignore[reportUntypedBaseClass]
    """A state of a game, with the number of plies before it, which may end the game. One player may move twice in a row."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.state, self.plies = game.rules.start, 0

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.get_game().rules.player(self.state)

    def is_terminal(self) -> bool:
        return self.get_game().rules.outcome(self.state, self.plies) is not None

    def returns(self) -> list[float]:
        return [float(result) for result in self.get_game().rules.outcome(self.state, self.plies) or (0, 0)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.get_game().rules.legal_actions(self.state)

    def _apply_action(self, action: int) -> None:
        self.state, self.plies = self.get_game().rules.play(self.state, action), self.plies + 1

    def _action_to_string(self, player: int, action: int) -> str:
        return self.get_game().rules.move_name(action)

    def __str__(self) -> str:
        return self.get_game().rules.text(self.state)


class PlanesObserver:
    """Observes states as planes, in OpenSpiel's way: it fills a tensor that it keeps."""

    def __init__(self, rules: Game) -> None:
        self.rules, self.tensor = rules, np.zeros(np.prod(rules.shape), np.float32)
        self.dict = {"observation": self.tensor.reshape(rules.shape)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        self.dict["observation"][:] = self.rules.observations(state.state[None], [player])[0]

    def string_from(self, state: OpenSpielState, player: int) -> str:
        return str(state)


pyspiel.register_game(GAME_TYPE, OpenSpielGame)
