"""Builds the page of each game from the docstring of its module, its pictures, the index, and fills in all figures.

make docs
"""

from __future__ import annotations

import sys
from pathlib import Path

from filling import figures, filled, pages
from pictures import moving, planes, position, still

from ludus.envs import Game, make_game
from ludus.games.registry import BUILT_IN

FOLDER = Path(__file__).parent


def build(folder: Path) -> None:
    """Writes all pages and pictures to a folder."""
    found = figures()
    for part in ("games", "images", "images/games", "images/planes"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for name in BUILT_IN:
        game = make_game(name)
        _write(folder / "images" / f"{name}.svg", still(name))
        _write(folder / "images" / "games" / f"{name}.svg", moving(name))
        _write(folder / "images" / "planes" / f"{name}.svg", planes(name))
        _write(folder / "games" / f"{name}.md", filled(page(game), found))
    _write(folder / "README.md", index())


def page(game: Game) -> str:
    """The page of a game: the docstring of its module with its pictures, and how strong the policies are."""
    heading, _, rest = _docstring(game).partition("\n")
    before, _, after = rest.partition("\n### Action mask\n")
    title, name, text = game.title, game.name, game.text(position(game.name))
    top = f"{heading}\n\n![{title}: a game between two policies](../images/games/{name}.svg)\n{before}"
    seen = f"The position `{text}`, and its planes as the player to move sees them:\n\n"
    seen += f"![{title}: the position](../images/{name}.svg)\n![{title}: its planes](../images/planes/{name}.svg)\n"
    return f"{top}\n{seen}\n### Action mask\n{after}\n{STRENGTH.format(name)}"


STRENGTH = """
### How strong the policies are
In <!-- result: policies.games --><!-- / --> games against a random player, half of them from each seat:

<!-- result: policies.{0} --><!-- / -->

[Policies](../policies.md) describes them, and compares them on all games.
"""


def index() -> str:
    """The page with links to all others."""
    games = [make_game(name) for name in BUILT_IN]
    rows = [f"| [{g.title}](games/{g.name}.md) | {g.num_actions} | {'×'.join(map(str, g.shape))} |" for g in games]
    return "\n".join([HEAD, *rows, TAIL])


HEAD = """# The pages

The [README](../README.md) shows what Ludus does and how to start. These pages have the details.

| game | actions | observation |
|---|---|---|"""
TAIL = """
- [Get started](start.md) in five minutes.
- By what you came for: [for researchers](guides/researchers.md), [measure your policy](guides/measuring.md),
  [for students](guides/students.md), [add a game](guides/extending.md).
- Tutorials, run when the site is built: [a first environment](tutorials/first_environment.md),
  [MaskablePPO](tutorials/maskable_ppo.md), [AlphaZero's loop](tutorials/alphazero.md), [your own policy](tutorials/measure.md),
  [solve and study a game](tutorials/solve.md).
- [The environments](environments.md): the three kinds of environments, what a step returns, `reset`, and how to inspect a game.
- [The board in the browser](web.md): play against any policy, and see what perfect play says about each move.
- [Policies](policies.md): from random to perfect, and how strong each is.
- [Players that speak](text.md): positions in words, language models and programs as policies, exact regret as a reward.
- [Opponents](opponents.md): what `opponent=` takes; mixtures, leagues of snapshots and ladders for a training loop.
- [Coming from `pettingzoo.classic`, OpenSpiel or pgx](coming_from.md): what is different, and what to change in their tutorials.
- [Search and exact play](search.md): what the oracles can solve, search for any game, strength and speed.
- [The arena](arena.md): matches, ratings, faults, stores, protocols; how to measure your own policy.
- [Grades](grading.md): policies compared with perfect play, on a sample of moves or exactly; how one can be beaten.
- [What measures of strength say](study.md): Elo and win rates beside exact error, for policies of every trainer on solved games.
- [Stable-Baselines3](sb3.md): MaskablePPO, PPO and DQN on compiled boards; their opponents; models as policies.
- [Other libraries](neighbours.md): examples for TorchRL, RLlib, Tianshou, SuperSuit, Minari, OpenSpiel and others.
- [A thousand processors](scale.md): tournaments on a cluster, and what they cost.
- [Training](training.md): the trainers, what a run contains, how well they learn; your own trainer.
- [Your own game, policy, trainer](plugins.md): modules and packages that extend Ludus.
- [Files from strangers](safety.md): what a run, a store or a saved game from others can do on your machine.
- [AlphaZero](alphazero.md): the training loop, how it scales, what it costs.
- [Puzzles](puzzles.md): set covering, a bit-string black box, a portfolio: one-player environments, solvers, proofs.
- [The originals](classics.md): the student projects that Ludus grew from, as presets, with their results and ours.
- [Checking a game](check.md): `ludus check` finds mistakes in your own game.
- [Kernels](kernels.md): the part of Python that rules and searches are written in, and how to extend it.
- [The examples](../examples): short scripts to copy, including a sixth game in one file.
- [Benchmarks](../benchmarks/README.md): how fast Ludus is, compared with other libraries.
- [Licences of dependencies](licences.md): what the packages that Ludus needs say about theirs.
- [What a version promises](promises.md): ids, specs, stores, runs; how a version is released.
- [The contract](../games/kernels/rules.py): the functions that make up the rules of a game.
- [Contributing](../CONTRIBUTING.md): the house, four walks through the code, the glossary; and [the changelog](../CHANGELOG.md).

`make docs` writes the games' pages from the docstrings of [their modules](../games), so edit them there, and all
figures from the [results](../benchmarks/README.md#where-the-figures-of-all-pages-come-from) of scripts. `make site` makes a site of
these pages, with search and the API reference, in `build/site/html`.
"""


def _docstring(game: Game) -> str:
    return (sys.modules[type(game).__module__].__doc__ or "").strip()


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


def fill() -> None:
    """Writes the measured figures into the pages."""
    found = figures()
    for place in pages():
        _write(place, filled(place.read_text(encoding="utf-8"), found))


if __name__ == "__main__":
    build(FOLDER)
    fill()
