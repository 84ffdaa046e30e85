"""`engine:COMMAND`: any program as a policy, over its standard input and output.

Ludus writes these lines:

    game othello:size=6       the game, at the start
    position --OX...-- X      a position in the game's notation
    go 1234                   choose a move there; the number is the only randomness to use
    quit                      end

The engine answers `go` with `bestmove d3`, or with `error` and a reason. All its other lines are ignored, and so are answers
before a question: `go` is sent only when the engine has read the lines before it.
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
from ..agents.policy import Speaking
from ..core.numbers import Range
from ..games.game import Game, StateArray
from .process import EngineError, Process
from .reading import read_move

SECONDS_TO_QUIT = 1.0
SHORTEST_PAUSE, LONGEST_PAUSE = 0.0001, 0.05
"""Seconds between two checks whether a program has read its input, or has ended."""
MOST_ANSWERS = 100
"""The maximum number of answers without a question. A program that gives more is stopped."""


@dataclass(frozen=True)
class EnginePolicy(Speaking):
    """A program that plays. Each process that asks it has its own copy, started at the first question and after a failure.

    Args:
        game: the game and variant.
        command: the program and its arguments, split as by a shell, with `~` for the home folder; no shell runs it.
        seconds: the time limit for a move; then it is stopped, and the move is forfeited.

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
        """The program's answer for each state, one after the other. A game is forfeited if it fails, is too slow, or gives no
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
            attempt = Attempt(
                question=question, reply=reply, fault=fault, reason=reason, milliseconds=1000 * (time.perf_counter() - began)
            )
            transcripts[row] = Transcript((attempt,))
        return Answer.from_transcripts(actions, transcripts)

    @cached_property
    def _program(self) -> EngineProgram:
        words = map(os.path.expanduser, shlex.split(self.command))
        return EngineProgram([*words], self.game.spec, self.seconds)


def make_engine(command: str, game: Game) -> EnginePolicy:
    """The policy of `engine:COMMAND`.

    Raises:
        ValueError: the command cannot be used, or the system has no pipes to wait on.
    """
    if os.name != "posix":
        raise ValueError("engine: needs Linux or macOS; on Windows start ludus in WSL")
    return EnginePolicy(game, command=command.strip())


class EngineProgram:
    """An engine, whose process is started at the first question and after a failure.

    Args:
        words: the program and its arguments.
        game: the game's spec.
        seconds: the time limit for an answer.
    """

    def __init__(self, words: list[str], game: str, seconds: float) -> None:
        self._words, self._game, self._seconds = words, game, seconds
        self._process: Process | None = None

    def ask(self, question: str) -> str:
        """Asks for a move, and returns it.

        Args:
            question: the lines of the question; the engine answers the last one.

        Raises:
            EngineError: the program cannot be started, ended, was too slow, or answered with an error.
        """
        process = self._process or self._start()
        before, _, last = question.rpartition("\n")
        until = monotonic() + self._seconds
        try:
            if before:
                process.write(before)
            self._discard_early_answers(process, until)
            process.write(last)
            while not process.answers:
                process.read(until, LONGEST_PAUSE)
        except TimeoutError:
            raise EngineError(f"gave no move within {self._seconds:g} seconds", "late") from None
        word, _, rest = process.answers[0].partition(" ")
        if word == "error":
            raise EngineError(f"answered: {rest}")
        return rest

    def _discard_early_answers(self, process: Process, until: float) -> None:
        """Waits until a process has read all its input, and discards answers until then: they cannot belong to the next question.

        Raises:
            TimeoutError, EngineError: see `Process.read`.
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
        """Starts the process, and sends it the game."""
        try:
            process = self._process = Process(self._words, SECONDS_TO_QUIT)
        except (OSError, ValueError) as error:  # Popen raises ValueError for a command with a null character
            raise EngineError(f"{self._words[0]} cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self._end = weakref.finalize(self, process.end)
        process.write(f"game {self._game}")
        return process
