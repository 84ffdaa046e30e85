"""Makes the puzzles that ship, positions in which exactly one move wins, in some minutes.

`python -m benchmarks.making.only_moves [GAME…]` makes them, of all games or of some. A small game is searched for them as a whole;
of others come positions of games whose moves are greedy or random ones. No two of a file are symmetric, and each has at least two
legal moves. The same seed makes the same file.
`python -m benchmarks.making.only_moves --check` asks the oracle about each that ships.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import ludus
from ludus.core.files.writing import write_whole
from ludus.games.game import Game, StateArray
from ludus.games.kernels.rules import ONGOING
from ludus.oracles import Oracle, make_oracle
from ludus.oracles.statespace.canonical import canonical
from ludus.records.only_moves import LEVELS, OnlyMove, only_moves_text, puzzles_of

SEEKERS = ("greedy", "minimax:depth=2", "minimax:depth=4", "minimax:depth=6")
"""Policies that find the moves of levels 1 to 4; none of them finds those of level 5."""
TRIES = 3
"""How often a policy must find a move, each time with another key."""
SHARES = (20, 60, 70, 75, 75)
"""How many puzzles of each level a game has, where there are as many."""
SMALL = 10_000
"""Games with at most as many positions are searched as a whole."""
BATCH = 256
"""Games that are played side by side."""
MOST_BATCHES = 400
"""Batches after which a game has the puzzles that came up."""
PLIES = {
    "tictactoe": (0, 9),
    "nim": (0, 16),
    "nim:misere=true": (0, 16),
    "nim:limit=3": (0, 16),
    "quixo:size=3": (2, 40),
    "quixo:size=4": (6, 50),
    "quarto": (12, 29),
    "quarto:squares=true": (12, 29),
    "connect_four": (16, 40),
    "othello:size=6": (20, 29),
    "othello": (48, 57),
}
"""The games with puzzles, and from which ply to which they are looked for where the game is not searched as a whole."""


@dataclass
class Finds:
    """The puzzles of a game so far.

    Args:
        game: the game.
        oracle: its oracle.
        by_level: the puzzles of each level.
        forms: the canonical forms of the positions that were looked at.
    """

    game: Game
    oracle: Oracle
    by_level: dict[int, list[OnlyMove]] = field(default_factory=lambda: {level: [] for level in range(1, LEVELS + 1)})
    forms: set[bytes] = field(default_factory=set[bytes])

    @property
    def complete(self) -> bool:
        """Whether there are enough of each level."""
        return all(len(self.by_level[level]) >= share for level, share in enumerate(SHARES, 1))

    def add(self, states: StateArray) -> None:
        """Adds the puzzles among some positions."""
        fresh = self._fresh(states)
        winners = [winning_moves(self.oracle, state) for state in fresh]
        rows = [row for row, (moves, legal) in enumerate(winners) if len(moves) == 1 and legal > 1]
        actions = np.array([next(iter(winners[row][0])) for row in rows], np.int64)
        for row, action, level in zip(rows, actions.tolist(), levels_of(self.game, fresh[rows], actions), strict=True):
            distance = winners[row][0][action]
            self.by_level[level].append(OnlyMove(self.game.text(fresh[row]), self.game.move_name(action), distance, level))

    def _fresh(self, states: StateArray) -> StateArray:
        """The unfinished positions that are not symmetric to any before, as they came."""
        states = states[self.game.outcomes(states) == ONGOING]
        # as their texts are read: Nim's do not say whose move it is
        states = np.array([self.game.parse(self.game.text(state)) for state in states], np.uint64).reshape(len(states), -1)
        forms = [form.tobytes() for form in canonical(self.game, states)[0]] if len(states) else []
        rows = [row for row, form in enumerate(forms) if form not in self.forms and form not in forms[:row]]
        self.forms.update(forms)
        return states[rows]

    def selection(self) -> list[OnlyMove]:
        """As many as ship, the easiest first: of each level its share, and of the hardest what other levels lack."""
        chosen = [puzzle for level, share in enumerate(SHARES, 1) for puzzle in self.by_level[level][:share]]
        more = (puzzle for level in range(LEVELS, 0, -1) for puzzle in self.by_level[level][SHARES[level - 1] :])
        chosen += [puzzle for puzzle, _ in zip(more, range(sum(SHARES) - len(chosen)), strict=False)]
        return in_order(self.game, chosen)


def in_order(game: Game, puzzles: Iterable[OnlyMove]) -> list[OnlyMove]:
    """Puzzles from the easiest to the hardest: by level, then by plies to the end, then by how many moves are legal."""

    def difficulty(puzzle: OnlyMove) -> tuple[int, int, int, str]:
        legal = game.legal_actions(game.parse(puzzle.position))
        return puzzle.level, puzzle.distance or 0, len(legal), puzzle.position

    return sorted(puzzles, key=difficulty)


def winning_moves(oracle: Oracle, state: StateArray) -> tuple[dict[int, int | None], int]:
    """The moves that win in a position, each with the plies to the end; and how many moves are legal. ValueError where one is out
    of the oracle's reach."""
    solutions = oracle.after(state)
    if any(solution.value is None for solution in solutions.values()):
        raise ValueError(f"not all moves of {oracle.game.text(state)!r} are within the oracle's reach")
    return {action: solution.distance for action, solution in solutions.items() if solution.value == 1}, len(solutions)


def levels_of(game: Game, states: StateArray, actions: NDArray[np.int64]) -> list[int]:
    """How hard it is to find an action in each position."""
    levels = np.full(len(states), LEVELS)
    for level, spec in reversed([*enumerate(SEEKERS, 1)]):
        policy, finds = ludus.make_policy(spec, game), np.ones(len(states), bool)
        for key in range(TRIES if len(states) else 0):
            finds &= policy.act(states, np.arange(len(states), dtype=np.uint64) + np.uint64(1_000_003 * key)) == actions
        levels[finds] = level
    return levels.tolist()


def positions_of_games(game: Game, plies: tuple[int, int], rng: np.random.Generator) -> StateArray:
    """One position of each of BATCH games in which each move is a greedy or a random one, of a random ply."""
    players = [ludus.make_policy(spec, game) for spec in ("greedy", "random")]
    states, ends = np.repeat(game.start[None], BATCH, axis=0), rng.integers(*plies, BATCH, endpoint=True)
    for ply in range(plies[1]):
        rows = np.flatnonzero((ends > ply) & (game.outcomes(states) == ONGOING))
        greedy = rng.random(len(rows)) < 0.5
        for player, some in zip(players, (rows[greedy], rows[~greedy]), strict=True):
            if len(some):
                states[some] = game.plays(
                    states[some], player.act(states[some], rng.integers(2**63, size=len(some), dtype=np.uint64))
                )
    return states


def find_puzzles(spec: str, seed: int) -> list[OnlyMove]:
    """The puzzles of a game, the easiest first."""
    game = ludus.make_game(spec)
    finds, rng = Finds(game, make_oracle(game)), np.random.default_rng(seed)
    if 0 < finds.oracle.table_size <= SMALL:
        finds.add(rng.permutation(finds.oracle.table().states))
        return finds.selection()
    for _ in range(MOST_BATCHES):
        if not finds.complete:
            finds.add(positions_of_games(game, PLIES[spec], rng))
    return finds.selection()


def faults_of(game: Game, puzzles: Sequence[OnlyMove]) -> list[str]:
    """What is wrong with puzzles, by the oracle: a sentence for each that has another answer."""
    oracle = make_oracle(game)
    faults = list[str]()
    for puzzle in puzzles:
        state = game.parse(puzzle.position)
        moves, legal = winning_moves(oracle, state)
        names = {game.move_name(action): distance for action, distance in moves.items()}
        if names != {puzzle.move: puzzle.distance} or legal < 2:
            faults.append(
                f"{game}, {puzzle.position}: {puzzle.move} in {puzzle.distance} is not the only win; {names} of {legal} moves"
            )
    return faults


def make_puzzles(specs: Iterable[str], seed: int) -> None:
    """Writes the files of some games."""
    for spec in specs:
        game, puzzles = ludus.make_game(spec), find_puzzles(spec, seed)
        remarks = [
            f"Positions of {game} in which exactly one move wins, by the oracle: position, move, plies to the end, level",
            f"python -m benchmarks.making.only_moves {spec} --seed {seed}",
            f"ludus {ludus.__version__}",
        ]
        assert game.known.puzzles is not None
        path = game.known.puzzles / f"{game.file_stem}.puzzles"
        write_whole(path, only_moves_text(remarks, puzzles).encode())
        counts = [sum(puzzle.level == level for puzzle in puzzles) for level in range(1, LEVELS + 1)]
        print(f"{spec}: {len(puzzles)} puzzles, by level {counts}, in {path}", flush=True)


def main() -> None:
    """Makes or checks puzzles."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="specs of games (default: all that have puzzles)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="check what ships instead")
    chosen = parser.parse_args()
    specs = chosen.games or [*PLIES]
    if not chosen.check:
        make_puzzles(specs, chosen.seed)
        return
    faults = [fault for game in map(ludus.make_game, specs) for fault in faults_of(game, puzzles_of(game))]
    print(*faults, f"{len(faults)} faults", sep="\n")
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
