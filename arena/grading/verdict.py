"""`Verdict`: an oracle's judgement of one action: the value of the position before it and after it.

A blunder is an action after which the position has less value for the player who took it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...games.game import Game, StateArray
from ...oracles import UNKNOWN, Oracle, Solution, describe, make_oracle
from ...oracles.oracle import solution_for_mover
from ...records.game import start_of
from ...search.watch import Watch

MOST_NAMED = 6
"""How many of the best moves a sentence names."""


@dataclass(frozen=True)
class Verdict:
    """An oracle's judgement of an action.

    Args:
        action: the action taken.
        before: the solution of the position, for the player who took the action.
        after: the solution of the position after the action, for the same player.
        best: the best actions (`Oracle.choices`): of those that keep the value, and Othello's score, the quickest to win or the
            slowest to lose; empty if the position is out of reach.
    """

    action: int
    before: Solution
    after: Solution
    best: tuple[int, ...]

    @property
    def value_lost(self) -> int | None:
        """The value that the action lost: 0, 1 or 2; None if it is out of the oracle's reach."""
        if self.before.value is None or self.after.value is None:
            return None
        return self.before.value - self.after.value

    @property
    def word(self) -> str:
        """`best`; `fine`, which keeps the value but not the score or the distance; `blunder`, which loses value; or `unknown`."""
        keeps = self.after.score is not None and self.after.score == self.before.score
        if self.action in self.best or (keeps and not self.before.all_best):
            return "best"
        return "unknown" if self.value_lost is None else "blunder" if self.value_lost > 0 else "fine"

    def sentence(self, game: Game) -> str:
        """The verdict in words, as `won → drawn: a blunder; best: c3, b2`; empty if nothing is known."""
        before, after = describe(self.before), describe(self.after)
        if self.before.value is None and self.after.value is None:
            return ""
        words = {"best": f"{before}: best", "fine": f"{before} → {after}: fine", "blunder": f"{before} → {after}: a blunder"}
        names = [] if self.word == "best" else [game.move_name(action) for action in self.best]
        known = "best" if self.before.all_best else "best known"
        more = ", …" if len(names) > MOST_NAMED else ""
        return words.get(self.word, f"{before} → {after}") + (f"; {known}: {', '.join(names[:MOST_NAMED])}{more}" if names else "")


@dataclass(frozen=True)
class Judge:
    """Gives verdicts, and remembers the oracle's answers.

    Args:
        game: the game and variant.
        oracle: the game's oracle; None to judge nothing.
        seconds: how long it may search for a position, which it then also tries beyond its reach; None for its reach only.
    """

    game: Game
    oracle: Oracle | None
    seconds: float | None = None
    _known: dict[bytes, Solution] = field(default_factory=dict[bytes, Solution], init=False, repr=False, compare=False)

    def solution(self, state: StateArray) -> Solution:
        """The oracle's solution of a position."""
        if self.oracle is None:
            return UNKNOWN
        key = state.tobytes()
        if key not in self._known:
            self._known[key] = self.oracle.solve(state, None if self.seconds is None else Watch(seconds=self.seconds))
        return self._known[key]

    def verdict(self, state: StateArray, action: int) -> Verdict:
        """The verdict on a legal action in an unfinished position."""
        after = self.game.play(state, action)
        same = self.game.player(after) == self.game.player(state)
        before = self.solution(state)
        return Verdict(action, before, solution_for_mover(self.solution(after), same), self._best(state, before))

    def verdicts(self, actions: Sequence[int], start: str | None = None) -> list[Verdict]:
        """The verdicts on the actions of a game, from its start on, which is a position as text, or None for the game's own."""
        states = self.game.play_line(actions, start_of(self.game, start))
        return [self.verdict(state, action) for state, action in zip(states[:-1], actions, strict=True)]

    def _best(self, state: StateArray, solution: Solution) -> tuple[int, ...]:
        if not solution.value or solution.distance is None or self.oracle is None:
            return solution.best
        return self.oracle.choices(state) or solution.best  # beyond its reach it has no choices without a time limit


def judge_of(game: Game, seconds: float | None = None) -> Judge:
    """The judge of a game, with its oracle."""
    oracle = make_oracle(game)
    oracle.prepare()
    return Judge(game, oracle, seconds)
