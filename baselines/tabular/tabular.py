"""What learning by table shares: games played over the positions of a game, and a value for each action in each of them.

A learner chooses the action with the highest value or, when it explores, a random one. After each game it learns from its own
moves. In self-play both players are learners and share one table, since a position says who is to move; or there are two learners
with a table each, and which of them begins is drawn. A game is a walk over numbered positions (positions.py), in compiled code.

Every ply has its own key, from the seed, the number of the game and the ply; so the same seed gives the same table.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...agents.table import TablePolicy
from ...arena.evaluate import evaluate
from ...core.bounds import Count, OneOf, Share
from ...core.files.named_arrays import Arrays, check_arrays
from ...core.native import Function
from ...core.numbers import Range
from ...games.game import Game
from ...oracles.statespace.table import Table
from ..runs.plots import plot_outcomes
from ..runs.trainer import Settings, Trainer, refuse_options
from .bounded import BoundedChoices, BoundedPositions, rows_of
from .positions import MERGES, PositionClasses, best_choices, position_classes
from .walk import LearnerTables, TableLearner, Trail, WalkSettings, entry_of, learn, learn_games, shared_entry

PARTS, LARGEST_PART = 100, 1_000_000
"""A run has 100 parts, or more where they would have over a million games: a part takes about a second."""
FIRST_PART = 100
"""The games of the first part at most; parts double until they are as large as all others, so that curves show the first games."""
PICTURE_GAMES = 2000
"""The number of games against random in the picture of outcomes."""
LONGEST = 10_000
"""The plies after which a game without an end in its rules is stopped."""
SELF, RANDOM = "self", "random"
LARGEST_ROWS = 1 << 24
Value: TypeAlias = Annotated[float, Range(-1_000_000, 1_000_000)]


@dataclass(frozen=True)
class TabularSettings(Settings):
    """Settings of learning by table.

    Args:
        games: the number of games.
        opponent: whom the learner plays against: self, where both players learn; or the spec of a policy, whose seat is drawn at
            random for each game.
        tables: 1, or in self-play 2: two learners with a table each. Which of them moves first is drawn for each game, and the run
            keeps the table of the first.
        merge: which positions share their values: nothing; symmetry, positions that a symmetry of the game maps onto each other;
            mover, these and positions that look the same to the player to move.
        rows: the number of positions that the table has room for, for games with too many to number them all (bounded.py); 0 for
            a row for each position of the game. With rows, the opponent is self or random.
        exploration: the probability that a learner moves at random, in the first game.
        exploration_end: the probability that a learner moves at random in the last game; in between it changes linearly.
        exploring_starts: the share of games that start in a random position instead of the start of the game.
        discount: the factor of a reward for each move of the learner before it.
        initial: the initial value of every action; more than 1 is optimistic, and makes the learner try everything.
        rate: the learning rate of the first update of a value.
        rate_decay: the power of the number of updates by which the learning rate falls: 0 keeps it constant; 1, with rate 1, gives
            the mean.
        rate_least: the lowest learning rate.
        draw_first: the reward of a draw for player 0; a win is 1, a loss -1.
        draw_second: the reward of a draw for player 1.
    """

    games: Count = 4_000_000
    opponent: str = SELF
    tables: Annotated[int, Range(1, 2)] = 1
    merge: Annotated[str, OneOf(*MERGES)] = "symmetry"
    rows: Annotated[int, Range(0, LARGEST_ROWS)] = 0
    exploration: Share = 0.2
    exploration_end: Share = 0.2
    exploring_starts: Share = 0.5
    discount: Share = 0.9
    initial: Value = 0.0
    rate: Share = 1.0
    rate_decay: Share = 0.8
    rate_least: Share = 0.0
    draw_first: Value = 0.0
    draw_second: Value = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tables == 2 and (self.opponent != SELF or self.rows):
            raise ValueError(f"tables is 2, one for each of two learners; this needs opponent={SELF} and rows=0")
        if self.rows and self.opponent not in (SELF, RANDOM):
            raise ValueError(f"with rows, the opponent must be {SELF} or {RANDOM}, not {self.opponent}")
        if self.rows and self.exploring_starts:
            raise ValueError("with rows, games begin at the start: set exploring_starts=0")
        if self.merge == "mover" and self.draw_first != self.draw_second:
            raise ValueError("merge is mover, where both players share values; then draw_first and draw_second must be equal")


ORIGINAL: dict[str, Any] = {
    "merge": "nothing",
    "exploration": 0.1,
    "exploration_end": 0.1,
    "exploring_starts": 0.0,
    "discount": 0.7,
}
"""The settings that the original tic-tac-toe players shared."""


class Rule(NamedTuple):
    """How a table changes after a game.

    Args:
        kernel: what stands for `learn`.
        mode: the variant of it, where there are several.
        numbers: what `WalkSettings.numbers` has at OWN and after it.
        bonuses: the rewards of a move that makes a line that lacks one piece, and of one that breaks a line of the opponent.
    """

    kernel: Function
    mode: int
    numbers: tuple[float, ...]
    bonuses: tuple[float, float] = (0.0, 0.0)


S = TypeVar("S", bound=TabularSettings)
N = TypeVar("N", bound=np.generic)


class Tabular(Trainer[S]):
    """A trainer whose table has a value for each action in each position."""

    unit: ClassVar[str] = "games"
    learns_early = True
    shared: ClassVar[tuple[str, ...] | None] = ("merge", "rows", "tables")
    # the policy may play otherwise in a symmetric position, and games begin at the start
    against: ClassVar[Mapping[str, Any] | None] = {"merge": "nothing", "rows": 0, "tables": 1, "exploring_starts": 0.0}

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        super().__init__(game, settings, seed)
        if any(self.rule.bonuses) and not (settings.rows and game.known.threats):
            raise ValueError("four_bonus and break_bonus need a table with rows and a game with `Known.threats`; leave them out")
        merge, rows = settings.merge, settings.rows
        self.positions = BoundedPositions(game, merge, rows) if rows else position_classes(game, merge)
        self._has_opponent, self.odds = settings.opponent != SELF, np.zeros(0)  # with rows it plays at random
        if self._has_opponent and isinstance(self.positions, PositionClasses):
            self.odds = self.positions.odds(settings.opponent)
        size = int(self.entries.max()) + 1 if len(self.entries) else self.positions.edges
        shape = (size,) if settings.tables == 1 else (settings.tables, size)
        self.values, self.visits = np.full(shape, settings.initial), np.zeros(shape, np.int64)
        longest = min(game.max_plies or self.positions.count, LONGEST)
        positions, edges = np.empty((2, longest), np.int64)
        self.trail = Trail(
            positions=positions,
            edges=edges,
            movers=np.empty(longest, np.int8),
            gains=np.zeros(longest),
            stamps=np.zeros(size, np.int64),
        )

    # ---- training

    def play_against(self, policy: Policy) -> None:
        s = self.settings
        if not isinstance(self.positions, PositionClasses) or s.tables == 2 or not (s.merge == "nothing" or policy.symmetric):
            raise ValueError(f"{self.name} learns against a policy with rows=0, tables=1 and merge=nothing")
        self._has_opponent, self.odds = True, self.positions.odds(policy)

    def advance(self) -> dict[str, float]:
        size = min(-(-self.total // PARTS), LARGEST_PART, max(FIRST_PART, self._done))
        start, stop = self._done, min(self.total, self._done + size)
        tally = np.zeros(6)
        self.play(start, stop, tally)
        self._done = stop
        return self._metrics(tally, stop - start)

    def play(self, start: int, stop: int, tally: NDArray[np.float64]) -> None:
        """Plays the games `start` to `stop`, and learns from them. The games won by player 0, drawn and lost, the plies, the sum of
        changes and the updates are added to the tally (6,)."""
        s, rule = self.settings, self.rule
        explored = s.exploration, s.exploration_end, s.exploring_starts
        numbers = *explored, s.discount, s.rate, s.rate_decay, s.rate_least, s.draw_first, s.draw_second, *rule.numbers
        rules = WalkSettings(self.total, self._has_opponent, rule.mode, np.array(numbers))
        extra = np.array([s.initial, *rule.bonuses])
        tables = LearnerTables(self.tables, self.visit_tables, self.positions.begins, self.entries)
        learner = TableLearner(
            rules=rules,
            extra=extra,
            odds=self.odds,
            tables=tables,
            trail=self.trail,
            moves=self.positions.moves,
            rows=rows_of(self.game, s.merge, self.positions.keys, len(self.trail.positions)),
        )
        entry = shared_entry if len(self.entries) else entry_of
        plugs = {learn: rule.kernel, entry_of: entry, **self.positions.plugs}
        self.game.kernel(learn_games, plugs)(start, stop, self.seed, learner, tally)

    @cached_property
    def entries(self) -> NDArray[np.int64]:
        """The entry of each edge (E,), where edges share entries; empty where each has its own."""
        return np.zeros(0, np.int64)

    def by_edges(self, numbers: NDArray[N]) -> NDArray[N]:
        """Numbers of entries (C,) as numbers of edges (E,)."""
        return numbers[self.entries] if len(self.entries) else numbers

    @property
    def tables(self) -> NDArray[np.float64]:
        """The values, a row for each table (T, C)."""
        return self.values.reshape(self.settings.tables, -1)

    @property
    def visit_tables(self) -> NDArray[np.int64]:
        """The number of updates of each value (T, C)."""
        return self.visits.reshape(self.settings.tables, -1)

    @property
    @abstractmethod
    def rule(self) -> Rule:
        """How the table changes after a game."""

    def _metrics(self, tally: NDArray[np.float64], games: int) -> dict[str, float]:
        won, drawn, lost, plies, changes, learnt = tally.tolist()
        return {
            "first wins": won / games,
            "draws": drawn / games,
            "second wins": lost / games,
            "plies": plies / games,
            "change": changes / max(1.0, learnt),
            "positions seen": self.positions.share_seen(self.by_edges(self.visit_tables[0])),
        }

    grows = ()

    def state(self) -> Arrays:
        """The state. It holds the opponent's probabilities, which may depend on time or files: a resumed run needs the old ones."""
        return {name: array.copy() for name, array in {"done": np.array([self._done]), "odds": self.odds, **self._table}.items()}

    @property
    def _table(self) -> Arrays:
        """The arrays that learning changes: values, numbers of updates, and the positions of rows, where they change."""
        return {"values": self.values, "visits": self.visits, **self.positions.arrays}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._done = int(state["done"][0])
        self.odds[:] = state["odds"]
        self.learn_on(state)

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes the values and their numbers of updates, by which the learning rate falls."""
        check_arrays({name: array for name, array in state.items() if name in self._table}, self._table)
        for name, array in self._table.items():
            array[:] = state[name]

    # ---- the result

    def learnt(self) -> Arrays:
        return self.positions.learnt(self.by_edges(self.tables[0]))

    @classmethod
    def policy_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        refuse_options(cls.name, options)
        if settings.rows:
            return TablePolicy(game, given=BoundedChoices.of(game, settings.merge, learnt), title=cls.name)
        wanted: Arrays = {"states": np.zeros((0, game.num_words), np.uint64), "values": np.zeros(0)}
        check_arrays(learnt, wanted, [*wanted])
        states, values = learnt["states"], learnt["values"]
        masks = game.masks(states)
        if len(values) != masks.sum():
            raise ValueError(f"the array values holds {len(values)} values, and its positions have {masks.sum()} legal actions")
        by_action = np.full(masks.shape, -np.inf)
        by_action[masks != 0] = values
        table = Table(game, states, best_choices(by_action), symmetric=settings.merge != "nothing")
        return TablePolicy(game, given=table, title=cls.name)

    def artefacts(self) -> dict[str, bytes]:
        picture = plot_outcomes([evaluate(self.policy(), self.game, "random", PICTURE_GAMES, seed=self.seed, opening_plies=0)])
        return {"outcomes.png": picture} if picture else {}
