"""What tests share: every variant of every game."""

import pytest

from ludus.envs import Game, game_names, make_game
from ludus.envs.registry import game_class

VARIANTS = [variant for name in game_names() for variant in game_class(name).variants]


@pytest.fixture(params=VARIANTS, scope="session")
def game(request: pytest.FixtureRequest) -> Game:
    """Each variant of each game."""
    return make_game(request.param)
