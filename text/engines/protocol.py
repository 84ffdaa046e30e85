"""`EngineProtocol`: how a program is asked for a move, in our own lines (`OwnLines`) or in GTP (gtp.py)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from ...core.bounds import OneOf
from ...core.numbers import Range
from ...games.game import Game, StateArray
from .process import EngineError, Process


@dataclass(frozen=True, kw_only=True)
class Terms:
    """How a program is asked.

    Args:
        protocol: what it speaks: gtp, or ludus for the lines of docs/text.md.
        start: the seconds that it may take to start and, the first time, for its move.
        seconds: the time limit for a move; then it is stopped, and the move is forfeited.
        think: the seconds that it is asked to think about a move, which GTP has no command for.
    """

    protocol: Annotated[str, OneOf("ludus", "gtp")] = "ludus"
    start: Annotated[float, Range(above=0)] = 10.0
    seconds: Annotated[float, Range(above=0)] = 60.0
    think: Annotated[float, Range(above=0)] | None = None


class Question(NamedTuple):
    """A position in which a move is asked for.

    Args:
        state: the position (W,).
        start: where its game began (W,); the position itself if nothing is known of its game.
        moves: the actions since then.
        key: the only randomness to use.
        seconds_left: the time left for all its moves of the game; None where there is no clock.
    """

    state: StateArray
    start: StateArray
    moves: tuple[int, ...]
    key: int
    seconds_left: float | None


class EngineProtocol(ABC):
    """A protocol in which a program is asked.

    Args:
        game: the game.
        terms: how it is asked.
        process: the running program.

    Attributes:
        last_question: the lines of the last question.
    """

    def __init__(self, game: Game, terms: Terms, process: Process) -> None:
        self.game, self.terms, self.process, self.last_question = game, terms, process, ""

    @abstractmethod
    def get_ready(self) -> None:
        """Prepares the program for the game. TimeoutError where it does not answer in time, EngineError where it does not play this
        game, or fails."""

    @abstractmethod
    def ask(self, question: Question) -> str:
        """The name of the program's move. TimeoutError where its time is up, EngineError where it gives none."""


class OwnLines(EngineProtocol):
    """Our own lines, as docs/text.md describes them.

        game othello:size=6       the game, at the start
        position --OX...-- X      a position in the game's notation
        start --OX...-- X         where the game began
        moves c2, b3              the moves from there to the position
        time 0.5                  the seconds to think, where a setting says it
        clock 90.5                the seconds left for all its moves of the game, where there is a clock
        go 1234                   choose a move there; the number is the only randomness to use
        quit                      end

    The program answers `go` with `bestmove d3`, or with `error` and a reason. It ignores the lines that it does not need, as we
    ignore all other lines of the program.
    """

    def get_ready(self) -> None:
        self.process.write(f"game {self.game.spec}")

    def ask(self, question: Question) -> str:
        game, moves = self.game, ", ".join(map(self.game.move_name, question.moves))
        lines = [f"position {game.text(question.state)}", f"start {game.text(question.start)}", f"moves {moves}".strip()]
        if self.terms.think is not None:
            lines.append(f"time {self.terms.think:g}")
        if question.seconds_left is not None:
            lines.append(f"clock {question.seconds_left:.3f}")
        self.last_question = "\n".join([*lines, f"go {question.key}"])
        self.process.write(self.last_question)
        while True:
            word, _, rest = self.process.line().partition(" ")
            if word == "bestmove":
                return rest
            if word == "error":
                raise EngineError(f"answered: {rest}")
