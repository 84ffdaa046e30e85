"""`PositionClasses`: all positions of a game, equal ones merged, numbered, with the class that each action leads to.

Positions that a symmetry of the game maps onto each other are one class; with `merge` = mover, so are those that look the same to
the player to move, as in Quixo with the symbols exchanged. One position represents each class. A game becomes a walk over
classes, which does not need the board:

    class      0           1        2       …       classes that are not over, P
    edges      0 1 2       3 4      5 …             an action each, E; those of class i from begins[i] to begins[i + 1]
    leads      2 7 -1      4 1      …               the class that the action leads to; -1 where the game is over
    turns      1 1 0       1 1      …               1 where the other player moves next
    results    0 0 1       0 0      …               where the game is over: 1, 0, -1 for who took the action

How many there are:

                           all      not over   classes: by symmetry   by what the mover sees
    tic-tac-toe            5,478    4,520                627            627
    Nim 1, 3, 5, 7           752      750                268            142
    Nim 1, 3, 5, 7, 9      7,648    7,646              1,422            727
    3×3 Quixo             32,027   20,257              2,789          1,397
    4×4 Othello           62,789   56,621             13,162         11,494

Quarto, 4×4 and 5×5 Quixo, 6×6 and 8×8 Othello have more than LARGEST.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...agents.registry import make_policy
from ...arena.grading.answers import check_probabilities
from ...core.files.named_arrays import Arrays
from ...core.native import Function
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Masks, Numbers, Permutations, States
from ...games.kernels.bits import u64
from ...games.kernels.keys import mix
from ...games.kernels.rules import ONGOING, load, observe, permute, player
from ...oracles.statespace.canonical import canonical
from ...oracles.statespace.graph import Graph, TooLargeError, explore
from ...oracles.statespace.index import StateIndex
from .walk import NO_KEYS, Keys2, PositionMoves, play_game, walk_positions

LARGEST = 1_000_000
"""The largest number of positions for a table, before any are merged."""
DRAWS = 64
"""The number of times that a policy without probabilities is queried in each position."""
MERGES = ("nothing", "symmetry", "mover")


@dataclass(frozen=True, eq=False)
class PositionClasses:
    """The classes of the positions of a game.

    Args:
        game: the game and variant.
        merge: what is merged: "nothing"; "symmetry", positions that a symmetry of the game maps onto each other; "mover", these
            and positions that look the same to the player to move.
        count: the number of positions, finished ones included, before any are merged.
        states: all positions that are not over or, with symmetry, the canonical one of each (R, W).
        classes: the class of each state (R,), int64.
        symmetries: the symmetry that maps each state onto the representative of its class (R,), int64.
        begins, actions, leads, turns, results: the graph of the classes; actions are those of the representative.
    """

    game: Game
    merge: str
    count: int
    states: StateArray
    classes: NDArray[np.int64]
    symmetries: NDArray[np.int64]
    begins: NDArray[np.int64]
    actions: NDArray[np.int64]
    leads: NDArray[np.int64]
    turns: NDArray[np.int8]
    results: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.begins) - 1

    @property
    def edges(self) -> int:
        """The number of actions of all classes together."""
        return len(self.actions)

    @property
    def arrays(self) -> Arrays:
        """The arrays that learning changes: none."""
        return {}

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The class of each edge (E,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.begins))

    @cached_property
    def leaders(self) -> StateArray:
        """The representative of each class (P, W)."""
        _, first = np.unique(self.classes, return_index=True)
        return self.game.permuted(self.states[first], self.symmetries[first])

    @cached_property
    def afters(self) -> NDArray[np.int64]:
        """The number of the position that each edge leads to (E,): its class, or a number after all classes."""
        over = np.flatnonzero(self.leads < 0)
        ended = self.game.plays(self.leaders[self.owners[over]], self.actions[over])
        numbers = self.leads.copy()
        numbers[over] = len(self) + group_equal(self.game, canonical_form(self.game, self.merge, ended)[0])[1]
        return numbers

    def learnt(self, values: NDArray[np.float64]) -> Arrays:
        """The arrays that a policy needs: the positions, and the values of the legal actions of each, in rising order."""
        table = np.full((len(self), self.game.num_actions), np.nan)
        table[self.owners, self.actions] = values
        rows = np.take_along_axis(table[self.classes], self.game.symmetries.actions[self.symmetries].astype(np.int64), axis=1)
        return {"states": self.states, "values": rows[~np.isnan(rows)]}

    def share_seen(self, visits: NDArray[np.int64]) -> float:
        """The share of classes with an update, given the number of updates of each edge (E,)."""
        return float(np.add.reduceat(visits, self.begins[:-1]).astype(bool).mean())

    def odds(self, opponent: str | Policy) -> NDArray[np.float64]:
        """For each action of each class, the probability that a policy takes it or one before it (E,); ValueError where there is
        no such policy, it does not play this game, or its probabilities are invalid."""
        policy, states = make_policy(opponent, self.game), self.leaders
        try:
            chances = np.array(policy.probabilities(states), np.float64)
            check_probabilities(policy, states, chances)
        except NotImplementedError:
            chances = np.zeros((len(states), self.game.num_actions))
            for draw in range(DRAWS):
                keys = np.random.default_rng(draw).integers(2**64, size=len(states), dtype=np.uint64)
                chances[np.arange(len(states)), policy.act(states, keys)] += 1 / DRAWS
        return np.cumsum(chances, axis=1)[self.owners, self.actions]

    @property
    def moves(self) -> PositionMoves:
        """The moves as kernels take them."""
        return PositionMoves(self.game.players(self.leaders), self.leads, self.turns, self.results)

    keys = NO_KEYS

    @property
    def plugs(self) -> dict[Function, Function]:
        """The functions that `learn_games` is linked with."""
        return {play_game: walk_positions}


def position_classes(game: Game, merge: str) -> PositionClasses:
    """The classes of the positions of a game; ValueError where it is too large. Merge is one of MERGES."""
    try:
        return merge_positions(explore(game, largest=LARGEST), merge)
    except TooLargeError:
        raise ValueError(
            f"{game} has more than {LARGEST:,} positions, and a table has a row for each; take a trainer without one, "
            "such as td_ntuple or neat, a variant with fewer positions, or a table with room for some of them, such as rows=65536"
        ) from None


def merge_positions(graph: Graph, merge: str) -> PositionClasses:
    """The classes of the positions of a graph."""
    game = graph.game
    going = np.flatnonzero(graph.outcomes == ONGOING)
    states, ways = canonical_form(game, merge, graph.states[going])
    first, rows = group_equal(game, states)
    leaders, classes, symmetries = view_classes(game, states[first], merge == "mover")
    class_of = np.full(len(graph), -1)
    class_of[going] = classes[rows]

    chosen = first[leaders]  # the state whose moves are the edges of each class, as an index into `going`
    counts = np.diff(graph.starts)[going[chosen]]
    begins = np.concatenate([[0], np.cumsum(counts)])
    owners = np.repeat(np.arange(len(chosen)), counts)
    moves = graph.starts[going[chosen]][owners] + np.arange(len(owners)) - begins[owners]
    turn = game.symmetries.actions
    actions = turn[symmetries[leaders][owners], turn[ways[chosen][owners], graph.actions[moves]]].astype(np.int64)
    order = np.lexsort((actions, owners))

    targets, movers = graph.targets[moves][order], graph.movers[going[chosen]][owners]
    over = graph.outcomes[targets] != ONGOING
    results = np.where(over, graph.outcomes[targets] * (1 - 2 * movers), 0).astype(np.int8)
    turns = (graph.movers[targets] != movers).astype(np.int8)
    return PositionClasses(
        game=game,
        merge=merge,
        count=len(graph),
        states=states[first],
        classes=classes,
        symmetries=symmetries,
        begins=begins,
        actions=actions[order],
        leads=class_of[targets],
        turns=turns,
        results=results,
    )


def best_choices(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """The probability of each action (N, A), one of those with the highest value, uniformly."""
    best = (values == values.max(axis=1, keepdims=True)).astype(np.float32)
    return best / best.sum(axis=1, keepdims=True)


def canonical_form(game: Game, merge: str, states: StateArray) -> tuple[StateArray, NDArray[np.int64]]:
    """The form of each state that is merged with its symmetric ones (B, W), and the symmetry that gives it (B,)."""
    return (states, np.zeros(len(states), np.int64)) if merge == "nothing" else canonical(game, states)


def group_equal(game: Game, states: StateArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first row of each distinct state (R,), and for each row the number of its state (B,)."""
    first = StateIndex(game, states).find(states)  # the lowest number with this state
    return np.unique(first, return_inverse=True)


def view_classes(game: Game, states: StateArray, by_view: bool) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The classes of states: each state by itself or, with `by_view`, all that look the same to the player to move. Returns the
    first state of each class (P,), the class of each state (R,), and the symmetry that maps it onto that first state (R,)."""
    if not by_view:
        return np.arange(len(states)), np.arange(len(states)), np.zeros(len(states), np.int64)
    keys, symmetries = np.empty((len(states), 2), np.uint64), np.empty(len(states), np.int64)
    planes = np.empty((game.shape[0], game.shape[1] * game.shape[2]), np.int8)
    game.kernel(write_view_hashes)(game.batch(states), *game.symmetries, planes, keys, symmetries)
    _, leaders, classes = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return np.sort(leaders), np.argsort(np.argsort(leaders))[classes.reshape(-1)], symmetries


def write_view_hashes(
    states: States, cells: Permutations, actions: Permutations, planes: Masks, keys: Keys2, which: Numbers
) -> None:
    """Writes the lowest hash of what the player to move sees of each state, and the symmetry that gives it."""
    for i in range(states.shape[0]):
        state = load(states[i])
        for s in range(cells.shape[0]):
            image = permute(state, cells[s], actions[s])
            observe(image, player(image), planes)
            low, high = u64(1), u64(2)
            for c in range(planes.shape[0]):
                for k in range(planes.shape[1]):
                    low = mix(low + u64(planes[c, k]))
                    high = mix(high ^ u64(3 + planes[c, k])) + low
            if s == 0 or low < keys[i, 0]:
                keys[i, 0], keys[i, 1], which[i] = low, high, s
