"""Ludus: two-player board games for reinforcement-learning research.

    import gymnasium as gym, pettingzoo, ludus

    env = pettingzoo.make("aec", "ludus/quarto-v0")
    env = gym.make("ludus/Quarto-v0", opponent="random")
    envs = gym.make_vec("ludus/Othello-v0", num_envs=4096, size=6)
    policy = ludus.make_policy("nim_sum", "nim:misere=true")

Importing it registers the environments, and adds a module for each game, as `ludus.quarto_v0`. Everything else loads at
first use.
"""

import sys as _sys
from typing import TYPE_CHECKING

if _sys.argv[:1] == ["-m"] and "ludus.cli" in _sys.orig_argv and not getattr(_sys.flags, "safe_path", False):
    del _sys.path[0]  # the current folder, which `python -m` puts first: nothing there is to hide a library from a command

try:
    from ludus.core.plugins.loading import lazy as _lazy
    from ludus.envs import register_built_in as _register_built_in
except BaseException as _error:  # also Ctrl-C
    from ludus.cli.errors import exit_if_command as _exit_if_command

    _exit_if_command(_error)  # only where this is the command
    raise

if TYPE_CHECKING:
    from ludus import agents as agents
    from ludus import arena as arena
    from ludus import baselines as baselines
    from ludus import cli as cli
    from ludus import envs as envs
    from ludus import opponents as opponents
    from ludus import oracles as oracles
    from ludus import puzzles as puzzles
    from ludus import rules as rules
    from ludus import search as search
    from ludus.agents import Policy, agent, as_policy, make_policy, register_policy
    from ludus.arena.pages.notebook import show
    from ludus.baselines import register_trainer
    from ludus.envs import Game, Symmetries, game_names, make_game, plug_in, register_game, set_threads
    from ludus.envs.check import check_game
    from ludus.envs.registration import GameModule
    from ludus.search.evaluations import register_evaluation
    from ludus.text.environments.plugin import VerifiersEnv, VerifiersHarness, VerifiersTaskset

    nim_v0: GameModule
    tictactoe_v0: GameModule
    quarto_v0: GameModule
    quixo_v0: GameModule
    othello_v0: GameModule
    connect_four_v0: GameModule

__version__ = "0.2.0"
__all__ = [
    "Game",
    "Policy",
    "Symmetries",
    "VerifiersEnv",
    "VerifiersHarness",
    "VerifiersTaskset",
    "agent",
    "as_policy",
    "check_game",
    "game_names",
    "make_game",
    "make_policy",
    "plug_in",
    "register_evaluation",
    "register_game",
    "register_policy",
    "register_trainer",
    "set_threads",
    "show",
]

_HOMES = {
    "agents": ("Policy", "agent", "as_policy", "make_policy", "register_policy"),
    "arena.pages.notebook": ("show",),
    "baselines": ("register_trainer",),
    "envs": ("Game", "Symmetries", "game_names", "make_game", "plug_in", "register_game", "set_threads"),
    "envs.check": ("check_game",),
    "search.evaluations": ("register_evaluation",),
    "text.environments.plugin": ("VerifiersEnv", "VerifiersHarness", "VerifiersTaskset"),
}
_MODULES = "agents", "arena", "baselines", "cli", "envs", "opponents", "oracles", "puzzles", "rules", "search"
if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake
    __getattr__, __dir__ = _lazy("ludus", _HOMES, _MODULES)

_register_built_in()
