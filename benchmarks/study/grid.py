"""The grids of four games: each trainer's budgets, sizes and seeds make cells, each of which trains one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ludus.oracles.statespace.graph import LARGEST

SEEDS = (1, 2, 3)
STEPS = (8_192, 32_768, 131_072)
SIMULATIONS = (16, 64, 256)
LAYERS = ("16", "64+64", "256+256")
SIGHTS = ("balance", "lines", "planes")


class Cell(NamedTuple):
    """One run of a trainer.

    Args:
        game: the game's spec.
        trainer: the trainer's name.
        size: what the size is called in tables.
        unit: the setting that limits the training, such as games.
        budget: its value.
        seed: the run's seed.
        settings: all other settings that are given, as text.
        simulations: a policy for each number of simulations besides that of the network alone; none for one policy.
    """

    game: str
    trainer: str
    size: str
    unit: str
    budget: int
    seed: int
    settings: tuple[tuple[str, str], ...]
    simulations: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """Its name in the results."""
        return f"{self.trainer} {self.size} {self.unit}={self.budget} seed={self.seed}"

    @property
    def folder(self) -> str:
        """Its folder below `runs/study`."""
        words = f"{self.game} {self.name}"
        return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in words)

    @property
    def given(self) -> dict[str, str]:
        """All settings that are given."""
        return {self.unit: str(self.budget), **dict(self.settings)}

    @property
    def closer(self) -> str:
        """What a closer look at its policy without search is called in the results."""
        return f"{self.name}, closer"

    @property
    def exact(self) -> str:
        """What an exact grade of that policy is called in the results, where it is not a part of all that is measured."""
        return f"{self.name}, exact"

    @property
    def policies(self) -> tuple[str, ...]:
        """What its policies are called beside each other."""
        return ("network", *map(str, self.simulations)) if self.simulations else ("",)


@dataclass(frozen=True)
class Ladder:
    """A trainer's cells.

    Args:
        trainer: the trainer's name.
        unit: the setting that limits the training.
        budgets: its values, rising.
        sizes: the settings of each size, by name, rising.
        settings: those that all cells share.
        simulations: as for `Cell`.
    """

    trainer: str
    unit: str
    budgets: tuple[int, ...]
    sizes: Mapping[str, Mapping[str, str]]
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    simulations: tuple[int, ...] = ()

    def cells(self, game: str, level: int, seed: int) -> Iterator[Cell]:
        """The cells of a budget and a seed, one for each size."""
        for size, own in self.sizes.items():
            settings = tuple({**self.settings, **own}.items())
            yield Cell(game, self.trainer, size, self.unit, self.budgets[level], seed, settings, self.simulations)


class Grading(NamedTuple):
    """How the policies of a game are graded.

    Args:
        exact: whether over all positions, besides by the moves of games.
        most: by how many moves, where each takes a search.
        games: how many games against random, and how many against itself, a policy plays for this.
        turned: whether policies play symmetric positions alike, so that they count as one position; then only policies against
            which few enough positions can come up are graded exactly, and of networks only those without search.
        largest: how many positions may come up then in a seat against a trained policy.
        classic: the same against a classic policy.
    """

    exact: bool = True
    most: int = 2000
    games: int = 100
    turned: bool = False
    largest: int = LARGEST
    classic: int = LARGEST


EVERYTHING = Grading()


@dataclass(frozen=True)
class Grid:
    """The cells of a game, and the classic policies beside them.

    Args:
        game: the game's spec.
        title: its name on the page.
        ladders: the trainers.
        classics: policies by their specs; all that is trained plays them.
        grading: how policies are graded.
        seeds: those of the runs.
        against_search: the classics that play trained policies that search; empty for all.
        most_simulations: trained policies with more simulations do not play in the tournament.
    """

    game: str
    title: str
    ladders: tuple[Ladder, ...]
    classics: tuple[str, ...]
    grading: Grading = EVERYTHING
    seeds: tuple[int, ...] = SEEDS
    against_search: tuple[str, ...] = ()
    most_simulations: int = max(SIMULATIONS)

    @property
    def cells(self) -> list[Cell]:
        """All cells: small budgets first, with all seeds, so that a part of the grid is useful by itself."""
        return [
            cell
            for level in range(max(len(ladder.budgets) for ladder in self.ladders))
            for seed in self.seeds
            for ladder in self.ladders
            if level < len(ladder.budgets)
            for cell in ladder.cells(self.game, level, seed)
        ]


def ladders(
    *,
    games: tuple[int, ...],
    rows: Sequence[int],
    shapes: Sequence[str],
    positions: tuple[int, ...],
    networks: Sequence[str],
    sights: Sequence[str] = SIGHTS,
    layers: Sequence[str] = LAYERS,
    generations: tuple[int, ...] = (4, 16, 64),
) -> tuple[Ladder, ...]:
    """All trainers that learn any game.

    Args:
        games: the budgets of tables and n-tuples.
        rows: the sizes of tables.
        shapes: the sizes of n-tuples.
        positions: AlphaZero's budgets.
        networks: its sizes, as blocks x channels.
        sights: what NEAT's networks see, which is how many inputs they have.
        layers: the sizes of the networks of PPO, MaskablePPO and DQN.
        generations: NEAT's budgets.
    """
    tables = {f"rows={number}": {"rows": str(number), "exploring_starts": "0"} for number in rows}
    residual = {
        name: {"blocks": blocks, "channels": channels} for name in networks for blocks, _, channels in [name.partition("x")]
    }
    return (
        *(Ladder(trainer, "games", games, tables) for trainer in ("qlearning", "montecarlo")),
        Ladder("td_ntuple", "games", games, {name: {"shapes": name} for name in shapes}),
        Ladder("neat", "generations", generations, {name: {"sight": name} for name in sights}),
        *(
            Ladder(trainer, "steps", STEPS, {name: {"layers": name} for name in layers})
            for trainer in ("maskable_ppo", "ppo", "dqn")
        ),
        Ladder("alphazero", "positions", positions, residual, {"boards": "64", "ahead": "0"}, SIMULATIONS),
    )


GRIDS = {
    "tictactoe": Grid(
        "tictactoe",
        "tic-tac-toe",
        ladders(
            games=(300, 3_000, 30_000),
            rows=(64, 256, 1024),
            shapes=("1x2", "1x3+d3", "3x3"),
            positions=(512, 2_048, 8_192),
            networks=("1x4", "1x16", "2x32"),
        ),
        (
            *("random", "greedy", "minimax:depth=1", "minimax:depth=2", "expectimax"),
            *("mcts:simulations=25", "mcts:simulations=100", "perfect"),
        ),
    ),
    "nim": Grid(
        "nim",
        "Nim",
        ladders(
            games=(300, 3_000, 30_000),
            rows=(256,),
            shapes=("1x4",),
            positions=(512, 2_048, 8_192),
            networks=("1x16",),
            sights=("planes",),
            layers=("64+64",),
        ),
        ("random", "greedy", "minimax:depth=1", "minimax:depth=2", "expectimax", "mcts:simulations=25", "perfect"),
    ),
    "quixo": Grid(
        "quixo:size=4",
        "4×4 Quixo",
        ladders(
            games=(300, 3_000, 30_000),
            rows=(1024, 8192, 65_536),
            shapes=("1x3", "1x4+d4", "2x4+d4"),
            positions=(256, 1_024, 4_096),
            networks=("1x4", "1x16", "2x32"),
            generations=(2, 8, 32),
        ),
        ("random", "greedy", "minimax:depth=1", "minimax:depth=3", "expectimax", "mcts:simulations=25", "perfect"),
        Grading(turned=True, largest=1_000_000, classic=5_000_000),
        against_search=("random", "greedy", "minimax:depth=1"),
        most_simulations=64,
    ),
    "othello": Grid(
        "othello:size=6",
        "6×6 Othello",
        ladders(
            games=(300, 3_000, 30_000),
            rows=(8192,),
            shapes=("1x4+d4",),
            positions=(256, 1_024, 4_096),
            networks=("1x16",),
            sights=("balance",),
            layers=("64+64",),
            generations=(2, 8, 32),
        ),
        ("random", "greedy", "minimax:depth=1", "minimax:depth=3", "expectimax", "mcts:simulations=25"),
        Grading(exact=False),
    ),
}
"""The grids by the names of their studies."""
