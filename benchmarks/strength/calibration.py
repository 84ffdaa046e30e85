"""How soon `exploit` finds a game that a policy loses, beside an exact grade of it. Shown in docs/grading.md.

The policies are classic ones and short runs of trainers, made by seeds, each in seconds at most, on games with exact grades. No
search here reads an oracle.

python -m benchmarks calibration
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.agents import make_policy
from ludus.agents.policy import Policy
from ludus.arena import exploit
from ludus.arena.exploiting.lines import FrozenPolicy
from ludus.arena.grading.answers import frozen_chooser, probability_chooser
from ludus.arena.grading.seat import SeatAnalysis
from ludus.games.game import StateArray
from ludus.oracles.statespace.graph import TooLargeError, explore

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study
from ..study.training import network_alone

GAMES = {
    "connect 4x4": "connect_four:rows=4,columns=4",
    "connect 5x4": "connect_four:rows=5,columns=4",
    "connect 4x5": "connect_four:rows=4,columns=5",
    "quixo 4x4": "quixo:size=4",
}
"""The games as results name them, rows first."""
SEED = 0
"""Of all that is measured; a run has its own."""
SLOW = 200_000
"""Positions that may come up against a policy of 4×4 Quixo in a seat, where it would take minutes to ask about all of them."""
LARGEST = 4_000_000
"""The same of all others."""
TRAINED: dict[str, tuple[str, dict[str, str]]] = {
    "qlearning": ("games", {"rows": "8192", "exploring_starts": "0"}),
    "montecarlo": ("games", {"rows": "8192", "exploring_starts": "0"}),
    "td_ntuple": ("games", {}),
    "neat": ("generations", {}),
    "layered_neat": ("generations", {}),
    "alphazero": ("positions", {"blocks": "1", "channels": "16", "boards": "64", "ahead": "0"}),
}
"""Trainers by name: the setting that limits the training, and other settings."""
BUDGETS = (100, 1_000, 10_000)
"""Positions that a policy is asked about, in both seats."""
POSITIONS = {
    "connect 4x4": 161_029,
    "connect 5x4": 1_706_255,
    "connect 4x5": 3_945_711,
    "quixo 4x4": 2 * 43_046_721,
}
"""All positions of the games of deterministic policies (docs/search.md); of Quixo all boards, with either player to move."""
FEW = 0.01
"""The share of the positions that an exact grade asks about, within which a loss is to be found."""


class Known(NamedTuple):
    """A policy that is exploited although its exploitability is known.

    Args:
        game: the game, of GAMES.
        title: what the policy is called.
        make: makes it.
        largest: how many positions may come up against it in a seat, so that an exact grade is tried.
    """

    game: str
    title: str
    make: Callable[[], Policy]
    largest: int = LARGEST

    @property
    def name(self) -> str:
        """Its name in the results."""
        return f"{self.game}: {self.title}"


# ---- the policies


def known_policies() -> Iterator[Known]:
    """The policies."""
    depths = tuple(f"minimax:depth={depth}" for depth in range(1, 7))
    searches = tuple(f"mcts:simulations={simulations}" for simulations in (10, 25, 50, 100, 200, 400))
    for game in ("connect 4x4", "connect 5x4"):
        yield from classic(game, "greedy", "expectimax", "perfect", *depths, *searches)
        for trainer in ("qlearning", "montecarlo"):
            yield from learnt(game, trainer, 300, 3_000, 30_000)
        yield from learnt(game, "td_ntuple", 100, 1_000, 10_000)
        yield from learnt(game, "neat", 2, 8)
        yield from learnt(game, "layered_neat", 2, 8)
        yield from learnt(game, "alphazero", 256, 1_024)
    yield from classic("connect 4x5", "greedy", *depths[:5], *searches[:3])
    yield from learnt("connect 4x5", "td_ntuple", 100, 300, 1_000, 10_000)
    yield from learnt("connect 4x5", "qlearning", 3_000)
    yield from learnt("connect 4x5", "layered_neat", 4)
    yield from learnt("connect 4x5", "alphazero", 256)
    yield from classic("quixo 4x4", "greedy", "minimax:depth=1")
    yield from classic("quixo 4x4", *depths[1:4], *searches[:2], largest=SLOW)
    for trainer in ("qlearning", "montecarlo"):
        yield from learnt("quixo 4x4", trainer, 300, 3_000, 30_000, largest=SLOW)
    for seed in (1, 2):
        yield from learnt("quixo 4x4", "td_ntuple", 100, 1_000, 10_000, 30_000, seed=seed, largest=SLOW)
    yield from learnt("quixo 4x4", "neat", 2, 8, largest=SLOW)
    yield from learnt("quixo 4x4", "layered_neat", 2, 8, largest=SLOW)
    yield from learnt("quixo 4x4", "alphazero", 256, 1_024, largest=SLOW)


def classic(game: str, *specs: str, largest: int = LARGEST) -> Iterator[Known]:
    """Classic policies."""
    for spec in specs:
        yield Known(game, spec, partial(make_policy, spec, GAMES[game]), largest)


def learnt(game: str, trainer: str, *budgets: int, seed: int = 1, largest: int = LARGEST) -> Iterator[Known]:
    """Policies of a trainer after several budgets."""
    for budget in budgets:
        title = f"{trainer} {budget}" + (f" seed={seed}" if seed > 1 else "")
        yield Known(game, title, partial(trained, game, trainer, budget, seed), largest)


def trained(game: str, trainer: str, budget: int, seed: int = 1) -> Policy:
    """What a trainer learns in a short run; of AlphaZero the network alone."""
    from ludus.baselines import train  # takes seconds, and figures do not need it

    unit, settings = TRAINED[trainer]
    policy = train(trainer, GAMES[game], seed=seed, **{unit: str(budget)}, **settings).policy()
    return network_alone(policy.game, policy) if trainer == "alphazero" else policy


def cells() -> dict[str, Any]:
    """A cell for each policy."""
    return {known.name: partial(look_for_loss, known) for known in known_policies()}


# ---- looking for a loss


def look_for_loss(known: Known) -> list[list[int | None]]:
    """A row for each seat of a policy that is frozen, as a `Loss`."""
    made, rows = known.make(), list[list[int | None]]()
    policy = HeldPolicy(made.game, frozen=FrozenPolicy(frozen_chooser(made, SEED), LARGEST))
    for seat in (0, 1):
        best, positions = exact_result(policy, seat, known.largest)
        searched, results = None, list[int | None]()
        for budget in BUDGETS:
            if searched is None or not searched.exact:
                searched = exploit(policy, policy.game, positions=budget // 2, seat=seat, seed=SEED).seats[0]
            results.append(None if searched.result is None else int(searched.result))
        asked = searched.positions if searched is not None and searched.result == 1 else None
        rows.append([best, positions, asked, *results])
    return rows


@dataclass(frozen=True)
class HeldPolicy(Policy):
    """A policy, frozen: it takes one action in each position, and asked again it need not think again.

    Args:
        frozen: its actions so far.
    """

    name: ClassVar[str] = "held"
    frozen: FrozenPolicy = field(kw_only=True)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.frozen.actions(states)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        return np.eye(self.game.num_actions)[self.frozen.actions(states)]


def exact_result(policy: Policy, seat: int, largest: int) -> tuple[int | None, int]:
    """The result of the best opponent of a frozen policy in a seat, as an exact grade says it, and how many positions that asked.

    None where more than `largest` positions may come up; then it asked this many before it gave up.
    """
    ask, asked = probability_chooser(policy), 0

    def choose(states: StateArray) -> NDArray[np.float64]:
        nonlocal asked
        asked += len(states)
        return ask(states)

    try:
        graph = explore(policy.game, (choose, None) if seat == 0 else (None, choose), largest)
    except TooLargeError:
        return None, asked
    analysis = SeatAnalysis(graph, seat, None)
    best = analysis.games_against(analysis.moves_with(analysis.response)).expected
    return round(-best.result), asked


class Loss(NamedTuple):
    """What was found against a frozen policy in a seat.

    Args:
        game: the game, of GAMES.
        best: the result of the opponent's best response; None where it is not known.
        positions: how many positions the exact grade asks about, or more than that many.
        asked: after how many positions a lost game was found; None if none was.
        results: the best result within each budget; None where no game was finished.
    """

    game: str
    best: int | None
    positions: int
    asked: int | None
    results: tuple[int | None, ...]

    @classmethod
    def of(cls, game: str, row: Sequence[Any]) -> Loss:
        """From a row of the results."""
        best, positions, asked, *results = row
        return cls(game, best, positions, asked, tuple(results))

    @property
    def is_beatable(self) -> bool:
        """Whether it is known that it can be beaten: by the exact grade, or by a lost game."""
        return self.best == 1 or self.asked is not None

    @property
    def share(self) -> float:
        """The positions asked until a lost game was found as a share of those of the exact grade; endless if none was."""
        return float("inf") if self.asked is None else self.asked / self.positions


def losses_of(rows: Rows) -> dict[str, list[Loss]]:
    """By the names of deterministic policies, both seats."""
    return {known.name: [Loss.of(known.game, row) for row in rows[known.name]] for known in known_policies()}


# ---- what pages show


def show(rows: Rows) -> dict[str, str]:
    """Counts, and the table of games."""
    losses = losses_of(rows)
    seats = [seat for both in losses.values() for seat in both]
    beatable = [seat for seat in seats if seat.is_beatable]
    return {
        "policies": f"{len(losses)}",
        "beatable": f"{len(beatable)}",
        "lost": f"{sum(seat.asked is not None for seat in beatable)}",
        "within": f"{sum(seat.share < FEW for seat in beatable)}",
        "unbeatable": f"{sum(seat.best is not None and seat.best < 1 for seat in seats)}",
        "losses": losses_table(losses),
    }


def losses_table(losses: dict[str, list[Loss]]) -> str:
    """A row for each game of deterministic policies."""
    heads = [
        *("game", "seats that can be beaten", "a lost game found", "within 1 % of the exact grade's positions"),
        *("positions of the exact grade", "asked until the loss", "90 % of them within", "of all positions"),
    ]
    lines = list[list[str]]()
    for game in POSITIONS:
        some = [seat for both in losses.values() for seat in both if seat.game == game and seat.is_beatable]
        asked = [POSITIONS[game] if seat.asked is None else seat.asked for seat in some]
        middle, high = np.median(asked), np.quantile(asked, 0.9, method="higher")
        lines.append(
            [
                game,
                f"{len(some)}",
                f"{sum(seat.asked is not None for seat in some)}",
                f"{sum(seat.share < FEW for seat in some)}",
                f"{np.median([seat.positions for seat in some]):,.0f}",
                f"{middle:,.0f}",
                f"{high:,}",
                f"{middle / POSITIONS[game]:.1g}",
            ]
        )
    return table(heads, lines)


STUDIES = (Study(RESULTS / "calibration.json", cells, show, SEED, ("numpy", "llvmlite", "torch")),)
