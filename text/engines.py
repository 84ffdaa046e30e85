"""`engine:COMMAND`: a program of anybody's as a policy, over its standard input and output.

Ludus writes, a line each:

    game othello:size=6       the game, at the start
    position --OX...-- X      a position in the game's notation
    go 1234                   choose a move there; the number is all randomness that the choice may have
    quit                      end

The engine answers `go` with `bestmove d3`, or with `error` and a reason. All other lines of it are ignored, and so are answers
that it gave before it was asked: `go` is sent when the engine has read the lines before.
"""

from __future__ import annotations

import os
import shlex
import time
import weakref
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..agents.answers import Answer, Attempt, Transcript
from ..agents.speaking import Speaking
from ..core.numbers import Range
from ..games.game import Game, StateArray
from .process import EngineError, Process
from .reading import read_move

SECONDS_TO_QUIT = 1.0
SHORTEST_PAUSE, LONGEST_PAUSE = 0.0001, 0.05
"""Seconds between two looks at whether a program has read what it was sent, or has ended."""
MOST_ANSWERS = 100
"""Answers between two questions that nobody asked for. A program that gives more is stopped."""


@dataclass(frozen=True)
class EnginePolicy(Speaking):
    """A program that plays, one process of it for each process that asks. It is started at the first question and after a failure.

    Args:
        game: the game and variant.
        command: the program and its arguments, split as a shell would split them, `~` being the home; no shell runs it.
        seconds: how long it may think about a move; then it is stopped, and the move is forfeited.

    Raises:
        ValueError: the command is empty, or has an open quotation.
    """

    name: ClassVar[str] = "engine"
    command: str = field(kw_only=True)
    seconds: Annotated[float, Range(above=0)] = 60.0

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise ValueError(f"the command {self.command!r} cannot be split into words: {error}") from None
        if not words:
            raise ValueError("engine: needs a command, as in engine:./my_engine --level 3")

    @property
    def spec(self) -> str:
        return self.title or f"engine:{self.command}"

    def answer(self, states: StateArray, keys: NDArray[np.uint64]) -> Answer:
        """What the program answers for each state, one after the other. A game is forfeited if it fails, is too slow, or gives no
        legal move."""
        actions, transcripts = np.full(len(keys), -1, np.int64), dict[int, Transcript]()
        for row, (state, key) in enumerate(zip(states, keys, strict=True)):
            question, reply, began = f"position {self.game.text(state)}\ngo {key}", "", time.perf_counter()
            try:
                reply = self._program.ask(question)
                action, fault, reason = read_move(self.game, state, f"<move>{reply}</move>")
                reason = reason and f"answered {reply[:80]!r}: {reason}"
                actions[row] = -1 if action is None else action
            except EngineError as error:
                self._program.stop()
                fault, reason = error.fault, str(error)
            attempt = Attempt(question, reply, fault, reason, 1000 * (time.perf_counter() - began))
            transcripts[row] = Transcript((attempt,))
        return Answer.from_transcripts(actions, transcripts)

    @cached_property
    def _program(self) -> Program:
        words = map(os.path.expanduser, shlex.split(self.command))
        return Program([*words], self.game.spec, self.seconds)


def make_engine(command: str, game: Game) -> EnginePolicy:
    """The policy of `engine:COMMAND`.

    Raises:
        ValueError: the command cannot be used, or the system has no pipes to wait on.
    """
    if os.name != "posix":
        raise ValueError("engine: needs Linux or macOS; on Windows start ludus in WSL")
    return EnginePolicy(game, command=command.strip())


class Program:
    """An engine, whose process is started at the first question and after a failure.

    Args:
        words: the program and its arguments.
        game: the game's spec.
        seconds: how long it may think.
    """

    def __init__(self, words: list[str], game: str, seconds: float) -> None:
        self._words, self._game, self._seconds = words, game, seconds
        self._process: Process | None = None

    def ask(self, question: str) -> str:
        """The move that it answers.

        Args:
            question: the lines that ask for it, the last of which it answers.

        Raises:
            EngineError: the program cannot be started, ended, was too slow, or answered with an error.
        """
        process = self._process or self._start()
        before, _, last = question.rpartition("\n")
        until = monotonic() + self._seconds
        try:
            if before:
                process.write(before)
            self._pass_over_answers(process, until)
            process.write(last)
            while not process.answers:
                process.read(until, LONGEST_PAUSE)
        except TimeoutError:
            raise EngineError(f"gave no move within {self._seconds:g} seconds", "late") from None
        word, _, rest = process.answers[0].partition(" ")
        if word == "error":
            raise EngineError(f"answered: {rest}")
        return rest

    def _pass_over_answers(self, process: Process, until: float) -> None:
        """Waits until a process has read all that it was sent. What it has answered by then is no answer to what comes next.

        Raises:
            TimeoutError, EngineError: as `Process.read`.
        """
        pause, answers, is_ready = SHORTEST_PAUSE, 0, False
        while not is_ready:
            is_ready = not process.has_unread()
            process.read(until, 0 if is_ready else pause)
            pause, answers = min(2 * pause, LONGEST_PAUSE), answers + len(process.answers)
            process.answers.clear()
            if answers > MOST_ANSWERS:
                raise EngineError("answers without being asked")

    def stop(self) -> None:
        """Ends the process, if there is one; the next question starts another."""
        if self._process is not None:
            self._process = None
            self._end()

    def _start(self) -> Process:
        """Starts the process, and tells it the game."""
        try:
            process = self._process = Process(self._words, SECONDS_TO_QUIT)
        except (OSError, ValueError) as error:  # the latter for a command with a null character
            raise EngineError(f"{self._words[0]} cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self._end = weakref.finalize(self, process.end)
        process.write(f"game {self._game}")
        return process
