"""`Verdict`: what an oracle says of one action of a game: what the position was worth, and what the action left of it.

This is where it is said what a blunder is: an action after which the position is worth less to whoever took it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...agents.oracles import Oracle, Solution, describe, make_oracle
from ...agents.oracles.oracle import seen_by_mover
from ...agents.search.watch import Watch
from ...envs.games.game import Game, StateArray

MOST_NAMED = 6
"""So many of the best moves are named in a sentence."""


@dataclass(frozen=True)
class Verdict:
    """What the oracle says of an action.

    Args:
        action: the action taken.
        before: the position, for the player who took it.
        after: what it led to, for the same player.
        best: the best actions as a player wants them (`Oracle.choices`): of those that keep the value, and Othello's score, the
            quickest to a win or the slowest to a loss; none where the position is out of reach.
    """

    action: int
    before: Solution
    after: Solution
    best: tuple[int, ...]

    @property
    def lost(self) -> int | None:
        """How much of the value the action threw away: 0, 1 or 2; None where the oracle does not reach."""
        if self.before.value is None or self.after.value is None:
            return None
        return self.before.value - self.after.value

    @property
    def word(self) -> str:
        """`best`; `fine`, which keeps the value, but not the score or the distance; `blunder`, which does not; or `unknown`."""
        if self.action in self.best:
            return "best"
        return "unknown" if self.lost is None else "blunder" if self.lost > 0 else "fine"

    def sentence(self, game: Game) -> str:
        """The verdict in words, as `won → drawn: a blunder; best: c3, b2`; empty where nothing is known."""
        before, after = describe(self.before), describe(self.after)
        if self.before.value is None and self.after.value is None:
            return ""
        told = {"best": f"{before}: best", "fine": f"{before} → {after}: fine", "blunder": f"{before} → {after}: a blunder"}
        names = [] if self.word == "best" else [game.move_name(action) for action in self.best]
        more = ", …" if len(names) > MOST_NAMED else ""
        return told.get(self.word, f"{before} → {after}") + (f"; best: {', '.join(names[:MOST_NAMED])}{more}" if names else "")


@dataclass(frozen=True)
class Judge:
    """Says verdicts, and remembers what it has asked the oracle.

    Args:
        game: the game and variant.
        oracle: who knows it.
        seconds: how long it may think about a position, which then it tries beyond its reach too; None for no more than its reach.
    """

    game: Game
    oracle: Oracle
    seconds: float | None = None
    _known: dict[bytes, Solution] = field(default_factory=dict[bytes, Solution], init=False, repr=False, compare=False)

    def solution(self, state: StateArray) -> Solution:
        """What the oracle says of a position."""
        place = state.tobytes()
        if place not in self._known:
            self._known[place] = self.oracle.solve(state, None if self.seconds is None else Watch(seconds=self.seconds))
        return self._known[place]

    def verdict(self, state: StateArray, action: int) -> Verdict:
        """What it says of a legal action in an unfinished position."""
        after = self.game.play(state, action)
        same = self.game.player(after) == self.game.player(state)
        before = self.solution(state)
        return Verdict(action, before, seen_by_mover(self.solution(after), same), self._best(state, before))

    def verdicts(self, actions: Iterable[int]) -> list[Verdict]:
        """What it says of each action of a game, from the start on."""
        state, told = self.game.start, list[Verdict]()
        for action in actions:
            told.append(self.verdict(state, action))
            state = self.game.play(state, action)
        return told

    def _best(self, state: StateArray, solution: Solution) -> tuple[int, ...]:
        if not solution.value or solution.distance is None:
            return solution.best
        return self.oracle.choices(state) or solution.best  # beyond its reach it has no choices without a watch


def judge_of(game: Game, seconds: float | None = None) -> Judge:
    """The judge of a game, with its oracle."""
    oracle = make_oracle(game)
    oracle.prepare()
    return Judge(game, oracle, seconds)
