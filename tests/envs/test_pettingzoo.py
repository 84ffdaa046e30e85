"""The ways to an AEC environment: `pettingzoo.make`, where PettingZoo has it, and the module of a game, as `ludus.quarto_v0`."""

import importlib
import os
import pickle
from pathlib import Path

import pettingzoo
import pytest

import ludus
from ludus.envs.aec import AECGame
from ludus.games.registry import BUILT_IN

from ..helpers.system.processes import ROOT, run

MODULES = {name: f"{name}_v{version}" for name, (_, _, version) in BUILT_IN.items()}
needs_make = pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="pettingzoo.make came with PettingZoo 1.27")


@needs_make
@pytest.mark.parametrize("game", MODULES)
def test_the_module_of_a_game_makes_what_pettingzoo_makes(game):
    settings = {"render_mode": "ansi", **({"size": 4} if game in ("quixo", "othello") else {})}
    ours = getattr(ludus, MODULES[game]).raw_env(**settings)
    theirs = pettingzoo.make("aec", f"ludus/{MODULES[game].replace('_v', '-v')}", **settings)
    assert type(ours) is type(theirs) is AECGame
    assert str(ours) == str(theirs) == MODULES[game]
    assert (ours.game, ours.render_mode) == (theirs.game, theirs.render_mode)


IMPORTS = """
import ludus.quixo_v0 as module
from ludus import quixo_v0
from ludus.quixo_v0 import env
import hex, ludus.hex_v0
print(module.env(), quixo_v0.raw_env(size=4).game, env(), ludus.hex_v0.env())
"""


def test_modules_are_imported_as_pettingzoos_are_those_of_games_from_outside_too(tmp_path: Path):
    path = f"{ROOT / '.types'}{os.pathsep}{ROOT / 'examples'}"
    assert run("-W", "error", "-c", IMPORTS, cwd=tmp_path, PYTHONPATH=path) == "quixo_v0 quixo:size=4 quixo_v0 hex_v0\n"


def test_a_module_names_its_game_alone():
    assert {*MODULES.values()} <= {*dir(ludus)}
    with pytest.raises(AttributeError):
        ludus.quarto_v1  # noqa: B018
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("ludus.quarto_v1")
    with pytest.raises(ValueError, match="Quarto has no setting 'size'"):
        ludus.quarto_v0.env(size=4)


def test_the_functions_of_a_module_travel_to_other_processes():
    assert str(pickle.loads(pickle.dumps(ludus.othello_v0.env))(size=6).game) == "othello:size=6"
