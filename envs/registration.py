"""Registers the environments with Gymnasium and PettingZoo; for each game also the module `ludus.NAME_vN`.

Games from outside are registered here too, as soon as games/registry.py has them.
"""

from __future__ import annotations

import gymnasium
import pettingzoo

from ..core.plugins.above import PLACES, is_installed
from ..games.registry import BUILT_IN, WHEN_REGISTERED
from .modules import add_module

PETTINGZOO_MAKES = hasattr(pettingzoo, "register")
"""Whether the installed PettingZoo has `pettingzoo.make`: it came with 1.27."""
PUZZLES = {"setcover": "ludus/SetCover-v0", "bitstring": "ludus/BitString-v0", "portfolio": "ludus/Portfolio-v0"}
"""For each puzzle's name in specs, its id in Gymnasium."""


def register_environments(name: str, id_name: str, version: int) -> None:
    """Registers a game's ids with Gymnasium (`ludus/Othello-v0`) and PettingZoo (`ludus/othello-v0`), and adds its module."""
    gymnasium.register(
        f"ludus/{id_name}-v{version}",
        entry_point="ludus.envs.single:SingleEnv",
        vector_entry_point="ludus.envs.vector:BoardsEnv",
        kwargs={"game": name},
        disable_env_checker=True,  # our tests run it, and it would cost each user more than a step does
    )
    if PETTINGZOO_MAKES:
        pettingzoo.register("aec", f"ludus/{name}-v{version}", "ludus.envs.aec:env", kwargs={"game": name})
    add_module(name, version)


def register_built_in() -> None:
    """Registers the ids of the games of this package, and of its puzzles where their folder is installed, once a process."""
    for name, (_, id_name, version) in BUILT_IN.items():
        if f"ludus/{id_name}-v{version}" not in gymnasium.registry:
            register_environments(name, id_name, version)
    for name, id_ in PUZZLES.items():
        if id_ not in gymnasium.registry and is_installed(name):
            gymnasium.register(id_, entry_point=PLACES[name], disable_env_checker=True)


WHEN_REGISTERED.append(lambda cls: register_environments(cls.name, cls.__name__, cls.version))
