"""Builds the page of each game from the docstring of its module, its pictures, and fills in all figures.

make docs
"""

from __future__ import annotations

import sys
from pathlib import Path

from filling import figures, filled, pages
from pictures import moving, planes, position, still

from ludus.envs import Game, make_game
from ludus.games.registry import BUILT_IN
from ludus.oracles import make_oracle

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
        _write(folder / "games" / f"{name}.md", filled(page(game, measured=f"policies.{name}" in found), found))


def page(game: Game, *, measured: bool) -> str:
    """The page of a game: the docstring of its module with its pictures, and how strong the policies are.

    Args:
        game: the game.
        measured: whether the study of policies has a table of this game.
    """
    heading, _, rest = _docstring(game).partition("\n")
    before, _, after = rest.partition("\n### Action mask\n")
    title, name, text = game.title, game.name, game.text(position(game.name))
    top = f"{heading}\n\n![{title}: a game between two policies](../images/games/{name}.svg)\n{before}"
    seen = f"The position `{text}`, and its planes as the player to move sees them:\n\n"
    seen += f"![{title}: the position](../images/{name}.svg)\n![{title}: its planes](../images/planes/{name}.svg)\n"
    strength = STRENGTH.format(name, "" if knows_start(game) else BEYOND) if measured else ""
    return f"{top}\n{seen}\n### Action mask\n{after}\n{strength}"


def knows_start(game: Game) -> bool:
    """Whether the oracle knows the value of the start."""
    return make_oracle(game).value(game.start) is not None


STRENGTH = """
### How strong the policies are
In <!-- result: policies.games --><!-- / --> games against a random player, half of them from each seat:

<!-- result: policies.{0} --><!-- / -->

{1}[Policies](../policies.md) describes them, and compares them on all games.
"""
BEYOND = """\
On this board `perfect` is perfect near the end of a game only ([its reach](../search.md#how-far-they-reach)); before that it plays
alpha-beta: strong, and not perfect.

"""
"""Of games whose start is beyond the reach of the oracle."""


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
