"""The study's games, trainers, budgets and seeds, and the cells that they make. plan.md says why they are these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec

SEEDS = tuple(range(1, 11))
PANEL_SEED = 0
"""The seed of the trained policies that all others play; no policy of the study has it."""
NETWORK = "network"
"""The policy of AlphaZero's network alone."""
BLOCKS = ((1, 2), (3, 4, 5), (6, 7, 8, 9, 10))
"""Seeds that are measured in all games before those of the next block."""


class Cell(NamedTuple):
    """A run of a trainer, or a classic policy.

    Args:
        game: the name of the game in GAMES.
        trainer: the trainer's name, or the spec of a classic policy.
        unit: the setting that limits the training, such as games; empty for a classic policy.
        budget: its value; 0 for an untrained policy.
        seed: the run's seed.
        size: what the size of what it learns is called, where it is not the usual one.
        settings: the settings that differ from the trainer's defaults, as text.
        simulations: each with a number of simulations is a policy, besides the network alone; none for one policy.
        level: the number of the budget, from 1; 0 for an untrained policy.
    """

    game: str
    trainer: str
    unit: str = ""
    budget: int = 0
    seed: int = 0
    size: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    simulations: tuple[int, ...] = ()
    level: int = 0

    @property
    def name(self) -> str:
        """Its name in its game."""
        if self.is_classic:
            return self.trainer
        return " ".join(filter(None, [self.trainer, self.size, f"{self.unit}={self.budget}", f"seed={self.seed}"]))

    @property
    def file(self) -> str:
        """The name of its files, without an ending."""
        return "".join(letter if letter.isalnum() or letter in "-=_" else "_" for letter in self.name)

    @property
    def is_classic(self) -> bool:
        """Whether nothing is trained."""
        return not self.unit

    @property
    def policies(self) -> tuple[str, ...]:
        """The names of its policies: that of the network alone and numbers of simulations, or an empty one for the only policy."""
        return (NETWORK, *map(str, self.simulations)) if self.simulations else ("",)


@dataclass(frozen=True)
class BudgetLadder:
    """A trainer and its budgets.

    Args:
        trainer: the trainer's name.
        unit: the setting that limits the training.
        budgets: its values, rising.
        settings: those that differ from the trainer's defaults.
        sizes: other settings by the name of the size, where size is varied.
        simulations: as for `Cell`.
        seeds: the most seeds.
        blank: whether untrained policies of all seeds are the same.
    """

    trainer: str
    unit: str
    budgets: tuple[int, ...]
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    sizes: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    simulations: tuple[int, ...] = ()
    seeds: tuple[int, ...] = SEEDS
    blank: bool = False

    def cell(self, game: str, level: int, seed: int, given: Mapping[str, str], size: str = "") -> Cell:
        """The cell of a level; the first budget has level 1."""
        budget = self.budgets[level - 1] if level else 0
        settings = tuple({**self.settings, **given, **self.sizes.get(size, {})}.items())
        return Cell(game, self.trainer, self.unit, budget, seed, size, settings, self.simulations, level)


@dataclass(frozen=True)
class StudiedGame:
    """A game, and how its policies are measured.

    Args:
        spec: the game's spec.
        title: its name on the page.
        classics: policies by their specs, which are opponents of all others, too.
        club: the one of them against which wins are counted as a measure.
        horizon: the plies that the weak oracle sees.
        given: by trainer the settings that the game needs besides those of all games.
        left_out: the trainers that cannot learn it.
        whole: whether the value lost a game to perfect play is computed: the oracle knows all positions.
        asked: the positions in which a policy is asked at most for that value before the rest is sampled; of one that searches.
        sizes: whether the size of what is learnt is varied.
        seeds: those of all runs.
        judged: the moves that are judged at most, where each takes a search; None for all.
    """

    spec: str
    title: str
    classics: tuple[str, ...]
    club: str = "minimax:depth=2"
    horizon: int = 2
    given: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    left_out: tuple[str, ...] = ()
    whole: bool = True
    asked: tuple[int, int] = (50_000, 1_000)
    sizes: bool = False
    seeds: tuple[int, ...] = SEEDS
    judged: int | None = None


@dataclass(frozen=True)
class Design:
    """The tables of design.json.

    Args:
        ladders: the trainers and their budgets. PPO and DQN play random games, too, and begin with random plies: against themselves
            alone, from the start alone, they collapse. What networks of NEAT see is given where cells belong to nobody, the rows of
            tables where a game has too many positions for a row each; and in Quarto tables do not merge symmetric positions: it has
            12,288 symmetries, which take nearly all of the time.
        panel: the trained opponents of all policies, by trainer: their levels. AlphaZero's plays without search.
        games: the games by name.
    """

    ladders: tuple[BudgetLadder, ...]
    panel: dict[str, tuple[int, ...]]
    games: dict[str, StudiedGame]


DESIGN = msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes(), type=Design)
LADDERS, PANEL, GAMES = DESIGN.ladders, DESIGN.panel, DESIGN.games
SIZED = 5
"""The level at which the size of what is learnt is varied."""


def ladders(game: str) -> list[BudgetLadder]:
    """The trainers that learn a game."""
    return [ladder for ladder in LADDERS if ladder.trainer not in GAMES[game].left_out]


def panel(game: str) -> list[Cell]:
    """The opponents of all policies of a game: the classics, and one run of each of some budgets."""
    classics = [Cell(game, spec) for spec in GAMES[game].classics]
    trained = [
        ladder.cell(game, level, PANEL_SEED, GAMES[game].given.get(ladder.trainer, {}))
        for ladder in ladders(game)
        for level in PANEL[ladder.trainer]
    ]
    return [*classics, *(cell._replace(simulations=()) for cell in trained)]


def cells(game: str) -> Iterator[Cell]:
    """All cells of a game, the small budgets of a seed first; those of the panel that are trained are not among them."""
    studied = GAMES[game]
    yield from (Cell(game, spec) for spec in studied.classics)
    for seed in studied.seeds:
        for ladder in ladders(game):
            if seed in ladder.seeds:
                given = studied.given.get(ladder.trainer, {})
                start = 1 if ladder.blank and seed != studied.seeds[0] else 0
                yield from (ladder.cell(game, level, seed, given) for level in range(start, len(ladder.budgets) + 1))
                yield from (ladder.cell(game, SIZED, seed, given, size) for size in ladder.sizes if studied.sizes)


def every_cell() -> list[Cell]:
    """The cells of all games: the first seeds of all games before further ones, so that a part of the study is useful by itself."""
    block = {seed: number for number, seeds in enumerate(BLOCKS) for seed in seeds}
    return sorted((cell for game in GAMES for cell in cells(game)), key=lambda cell: block.get(cell.seed, 0))
