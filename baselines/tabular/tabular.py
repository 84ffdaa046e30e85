"""What learning by table has in common: games played over the positions of a game, and a value for each action in each of them.

A learner takes its actions by the table, greedily or, now and then, at random; after each game it learns from its own moves. In
self-play both players are learners, with one table between them: what is a position of player 0 and what of player 1 are told apart
by who is to move. Or there are two learners with a table each, and who begins is drawn. Here a game is a walk over numbered
positions (positions.py), in compiled code; plain.py does the same in PettingZoo's loop, 500 times slower, to be read.

Every ply has its own key, from the seed, the number of the game and the ply; so the same seed gives the same table.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policies.policy import Policy
from ...agents.policies.table import TablePolicy
from ...agents.statespace.table import Table
from ...arena.evaluate import evaluate
from ...envs.files.named_arrays import Arrays, check_arrays
from ...envs.games.game import Game
from ...envs.native import Function
from ...envs.settings.bounds import Count, OneOf, Share
from ...envs.settings.numbers import Range
from ..runs.outcomes import outcomes
from ..runs.trainer import Settings, Trainer
from .bounded import THREATS, Bounded, BoundedChoices
from .plain import Part
from .positions import MERGES, positions_of
from .walk import CHANGES, LEARNT, Trail

SELF, RANDOM = "self", "random"
PARTS, LARGEST_PART, LARGEST_PLAIN_PART = 100, 1_000_000, 1000
"""A run has so many parts, or more of so many games: of a second or so."""
SHOWN = 2000
"""So many games against random show what was learnt."""
Value: TypeAlias = Annotated[float, Range(-1_000_000, 1_000_000)]
LARGEST_ROWS = 1 << 24
LONGEST = 10_000
"""After so many plies a game that its rules do not end is left."""


@dataclass(frozen=True)
class TabularSettings(Settings):
    """What all learning by table can be told.

    Args:
        games: how many games are played.
        opponent: whom it learns against: self, where both players learn; or a policy's spec, and the seat is drawn by lot.
        tables: 1, or in self-play 2: then there are two learners with a table each, which of them begins is drawn for each game,
            and what is learnt is the table of the first.
        merge: which positions share their values: nothing; symmetry, what a symmetry of the game turns into each other; mover,
            that and what the player to move sees alike, whoever it is.
        rows: how many positions the table has room for, for games with too many to number them all (bounded.py); 0 for a row
            for each position of the game. Learners then meet themselves or random.
        exploration: with which probability a learner's action is drawn at random, at the first game.
        exploration_end: the same at the last game; in between it falls, or rises, in a straight line.
        exploring_starts: the share of games that begin in any position, each equally likely, instead of the game's start.
        discount: what a reward is worth one move of the learner earlier.
        initial: the value that every action begins with; more than 1 is optimistic, and leads the learner to try everything.
        rate: by which share of the difference a value moves when it is learnt the first time.
        rate_decay: with which power of the number of times the rate falls: 0 for a constant rate; 1, with rate 1, for the mean.
        rate_least: what the rate does not fall below.
        draw_first: the reward of a draw to player 0; a win is 1, a loss -1.
        draw_second: the reward of a draw to player 1.
        plain: whether to play in PettingZoo's loop, in Python, for the same table in 500 times the time.
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
    plain: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tables == 2 and (self.opponent != SELF or self.rows):
            raise ValueError(f"tables is 2, a table for each of two learners; that takes opponent={SELF} and rows=0")
        if self.rows and self.opponent not in (SELF, RANDOM):
            raise ValueError(f"with rows, a table is learnt against {SELF} or {RANDOM}, not {self.opponent}")
        if self.rows and (self.exploring_starts or self.plain):
            raise ValueError("with rows, games begin at the start, in compiled code: set exploring_starts=0 and plain=false")
        if self.merge == "mover" and self.draw_first != self.draw_second:
            raise ValueError("merge is mover, where both players share values; then draw_first and draw_second must be equal")


ORIGINAL: dict[str, Any] = {
    "merge": "nothing",
    "exploration": 0.1,
    "exploration_end": 0.1,
    "exploring_starts": 0.0,
    "discount": 0.7,
}
"""What the tic-tac-toe players had in common that these grew from."""

S = TypeVar("S", bound=TabularSettings)
N = TypeVar("N", bound=np.generic)


class Tabular(Trainer[S]):
    """A trainer with a table of a value for each action in each position.

    Raises:
        ValueError: the game has too many positions, or the opponent does not play it; bonuses that it does not have.
    """

    unit: ClassVar[str] = "games"
    shared: ClassVar[tuple[str, ...] | None] = ("merge", "rows", "tables")

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        super().__init__(game, settings, seed)
        if any(self.bonuses) and not (settings.rows and game.name in THREATS):
            raise ValueError(f"bonuses are for games with lines, {', '.join(THREATS)}, and for a table with rows")
        self.positions = Bounded(game, settings.merge, settings.rows) if settings.rows else positions_of(game, settings.merge)
        size = int(self.entries.max()) + 1 if len(self.entries) else self.positions.edges
        shape = (size,) if settings.tables == 1 else (settings.tables, size)
        self.values, self.visits = np.full(shape, settings.initial), np.zeros(shape, np.int64)
        self.odds = np.zeros(0) if settings.opponent == SELF else self.positions.odds(settings.opponent)
        self._done = 0
        longest = min(game.max_plies or self.positions.count, LONGEST)
        places, taken = np.empty((2, longest), np.int64)
        self.trail = Trail(places, taken, np.empty(longest, np.int8), np.zeros(longest), np.zeros(size, np.int64))

    # ---- what a trainer is

    @property
    def done(self) -> int:
        return self._done

    @property
    def total(self) -> int:
        return self.settings.games

    def advance(self) -> dict[str, float]:
        part = min(-(-self.total // PARTS), LARGEST_PLAIN_PART if self.settings.plain else LARGEST_PART)
        first, behind = self._done, min(self.total, self._done + part)
        tally = np.zeros(6)
        self.play(first, behind, tally)
        self._done = behind
        return self._told(tally, behind - first)

    def play(self, first: int, behind: int, tally: NDArray[np.float64]) -> None:
        """Plays the games with these numbers, and learns from them.

        Args:
            first, behind: from which number on, and up to which.
            tally: where games won by player 0, drawn and lost, plies, changes and values learnt are counted (6,).
        """
        self.positions.play(self, first, behind, tally)

    @cached_property
    def entries(self) -> NDArray[np.int64]:
        """Which entry of a table is an edge's (E,), where edges share them; nothing where each has its own."""
        return np.zeros(0, np.int64)

    def by_edges(self, numbers: NDArray[N]) -> NDArray[N]:
        """Numbers of a table's entries (C,) as those of edges (E,)."""
        return numbers[self.entries] if len(self.entries) else numbers

    @property
    def tables(self) -> NDArray[np.float64]:
        """The values, a row for each table (T, C)."""
        return self.values.reshape(self.settings.tables, -1)

    @property
    def visit_tables(self) -> NDArray[np.int64]:
        """How often each value was learnt (T, C)."""
        return self.visits.reshape(self.settings.tables, -1)

    @property
    def bonuses(self) -> tuple[float, float]:
        """What a move brings by itself that makes a line lacking one piece only, and one that breaks the opponent's."""
        return 0.0, 0.0

    @property
    @abstractmethod
    def rule(self) -> Function:
        """What stands for `learn`: how the table changes after a game."""

    @abstractmethod
    def learn_plainly(self, part: Part, tally: NDArray[np.float64]) -> None:
        """The same for a learner's part in one game."""

    def move_towards(self, target: float, part: Part, entry: int, tally: NDArray[np.float64]) -> None:
        """Moves the value of an entry of a learner's table towards a target."""
        part.visits[entry] += 1
        visits = float(part.visits[entry])
        rate = max(self.settings.rate_least, self.settings.rate * visits**-self.settings.rate_decay)
        change = rate * (target - float(part.values[entry]))
        part.values[entry] += change
        tally[CHANGES] += abs(change)
        tally[LEARNT] += 1

    def numbers(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The settings as the kernels take them: whole numbers by the names GAMES to MODE, others by EXPLORATION to OWN."""
        s = self.settings
        whole = np.array([s.games, s.opponent != SELF, self.mode], np.int64)
        rates = s.rate, s.rate_decay, s.rate_least
        explored = s.exploration, s.exploration_end, s.exploring_starts
        return whole, np.array([*explored, s.discount, *rates, s.draw_first, s.draw_second])

    @property
    def mode(self) -> int:
        """Which way of learning, where there are several."""
        return 0

    def _told(self, tally: NDArray[np.float64], games: int) -> dict[str, float]:
        won, drawn, lost, plies, changes, learnt = tally.tolist()
        return {
            "first wins": won / games,
            "draws": drawn / games,
            "second wins": lost / games,
            "plies": plies / games,
            "change": changes / max(1.0, learnt),
            "positions seen": self.positions.seen(self.by_edges(self.visit_tables[0])),
        }

    grows = ()

    def state(self) -> Arrays:
        """With the opponent's odds: an opponent that thinks by the clock, or whose files change, stays as it was."""
        return {name: array.copy() for name, array in {"done": np.array([self._done]), "odds": self.odds, **self._table}.items()}

    @property
    def _table(self) -> Arrays:
        """The arrays that learning changes: values, how often each was learnt, and whose rows they are, where that changes too."""
        return {"values": self.values, "visits": self.visits, **self.positions.arrays}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        wanted = {name: (array.shape, array.dtype) for name, array in self.state().items()}
        if {name: (array.shape, array.dtype) for name, array in state.items()} != wanted:
            raise ValueError(f"this is no table of {self.name} for {self.game} with these settings")
        self._done = int(state["done"][0])
        self.odds[:] = state["odds"]
        self.learn_on(state)

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes the table, and how often each value was learnt, by which the rate falls."""
        for name, mine in self._table.items():
            theirs = state[name]
            if (theirs.shape, theirs.dtype) != (mine.shape, mine.dtype):
                raise ValueError(f"this is no table of {self.game} with these settings")
            mine[:] = theirs

    # ---- what comes of it

    def learnt(self) -> Arrays:
        return self.positions.learnt(self.by_edges(self.tables[0]))

    @classmethod
    def policy_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        if options:
            raise ValueError(f"a run of {cls.name} takes no options, such as {next(iter(options))}")
        if settings.rows:
            return TablePolicy(game, given=BoundedChoices.of(game, settings.merge, learnt), title=cls.name)
        wanted: Arrays = {"states": np.zeros((0, game.num_words), np.uint64), "values": np.zeros(0)}
        check_arrays(learnt, wanted, [*wanted])
        states, values = learnt["states"], learnt["values"]
        masks = game.masks(states)
        if len(values) != masks.sum():
            raise ValueError(f"the array values holds {len(values)} values, and its positions have {masks.sum()} legal actions")
        laid = np.full(masks.shape, -np.inf)
        laid[masks != 0] = values
        best = (laid == laid.max(axis=1, keepdims=True)).astype(np.float32)
        table = Table(game, states, best / best.sum(axis=1, keepdims=True), symmetric=settings.merge != "nothing")
        return TablePolicy(game, given=table, title=cls.name)

    def artefacts(self) -> dict[str, bytes]:
        picture = outcomes([evaluate(self.policy(), self.game, "random", SHOWN, seed=self.seed, opening_plies=0)])
        return {"outcomes.png": picture} if picture else {}
