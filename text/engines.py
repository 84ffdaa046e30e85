"""`engine:COMMAND`: a program of anybody's as a policy, over its standard input and output.

Ludus writes, a line each:

    game othello:size=6       the game, at the start
    position --OX...-- X      a position in the game's notation
    go 1234                   choose a move there; the number is all randomness that the choice may have
    quit                      end

The engine answers `go` with `bestmove d3`, or with `error` and a reason. All other lines of it are ignored, and so are answers
that it gave before it was asked.
"""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import IO, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ..agents.policies.answers import Answer, Attempt, Transcript
from ..agents.policies.speaking import Speaking
from ..arena.matches.errors import printable
from ..envs.games.game import Game, StateArray
from ..envs.settings.numbers import Range
from .reading import read_move

SECONDS_TO_QUIT = 1.0
LONGEST_LINE = 10_000
"""Characters of a line that are read."""
MOST_ANSWERS = 100
"""Answers that wait to be read. If there are more, the oldest ones are dropped."""


@dataclass(frozen=True)
class EnginePolicy(Speaking):
    """A program that plays, one process of it for each process that asks. It is started at the first question and after a failure.

    Args:
        game: the game and variant.
        command: the program and its arguments, split as a shell would split them; no shell runs it.
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
        return f"engine:{self.command}"

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
        return Answer.spoken(actions, transcripts)

    @cached_property
    def _program(self) -> Program:
        return Program(shlex.split(self.command), self.game.spec, self.seconds)

    def __reduce__(self) -> Any:
        return partial(EnginePolicy, command=self.command, seconds=self.seconds), (self.game,)


def make_engine(command: str, game: Game) -> EnginePolicy:
    """The policy of `engine:COMMAND`."""
    return EnginePolicy(game, command=command.strip())


class EngineError(Exception):
    """An engine gave no move; the message says why.

    Args:
        why: a sentence. What is not printable in it is escaped, since it may hold words of the engine.
        fault: whether it came too late, or failed.
    """

    def __init__(self, why: str, fault: Literal["late", "failed"] = "failed") -> None:
        super().__init__(printable(why))
        self.fault: Literal["late", "failed"] = fault


class Program:
    """An engine's process.

    Args:
        words: the program and its arguments.
        game: the game's spec.
        seconds: how long it may think.
    """

    def __init__(self, words: list[str], game: str, seconds: float) -> None:
        self._words, self._game, self._seconds = words, game, seconds
        self._process: subprocess.Popen[str] | None = None

    def ask(self, question: str) -> str:
        """The move that it answers.

        Args:
            question: the lines that ask for it.

        Raises:
            EngineError: the program cannot be started, ended, was too slow, or answered with an error.
        """
        process = self._process or self._start()
        while not self._answers.empty():  # nobody asked for them
            self._awaited(process, 0.0)
        _write(process, question)
        word, _, rest = self._awaited(process, self._seconds).partition(" ")
        if word == "error":
            raise EngineError(f"answered: {rest.strip()}")
        return rest.strip()

    def stop(self) -> None:
        """Ends the process, if there is one; the next question starts another."""
        if (process := self._process) is None:
            return
        self._process = None
        assert process.stdin is not None
        _write(process, "quit")
        process.stdin.close()
        self._end(process)
        self._reader.join(SECONDS_TO_QUIT)
        self._errors.close()

    def __del__(self) -> None:
        self.stop()

    def _awaited(self, process: subprocess.Popen[str], seconds: float) -> str:
        """The next answer.

        Raises:
            EngineError: the process has ended, or there is none in time.
        """
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise EngineError(f"gave no move within {seconds:g} seconds", "late") from None
        if answer is None:
            raise EngineError(self._ending(process))
        return answer

    def _start(self) -> subprocess.Popen[str]:
        """Starts the process, and tells it the game."""
        errors = tempfile.TemporaryFile()  # noqa: SIM115  closed by `stop`
        # The group of a worker, which leads a session, is killed with it. Elsewhere a program gets a group of its own to be killed.
        self._is_apart = os.name == "posix" and os.getsid(0) != os.getpid()
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": errors, "start_new_session": self._is_apart}
        try:
            process = subprocess.Popen(self._words, **pipes, text=True, encoding="utf-8", errors="replace")
        except OSError as error:
            errors.close()
            raise EngineError(f"{self._words[0]} cannot be started: {error.strerror}") from None
        assert process.stdin is not None
        if os.name == "posix":
            os.set_blocking(process.stdin.fileno(), False)
        self._process, self._errors, self._answers = process, errors, queue.Queue[str | None](MOST_ANSWERS)
        self._reader = threading.Thread(target=_read, args=(process.stdout, self._answers), daemon=True)
        self._reader.start()
        _write(process, f"game {self._game}")
        return process

    def _end(self, process: subprocess.Popen[str]) -> int:
        """Waits a little for a process, kills it if need be with all that it started, and returns its status."""
        with suppress(subprocess.TimeoutExpired):
            return process.wait(SECONDS_TO_QUIT)
        if self._is_apart:
            with suppress(ProcessLookupError, PermissionError):  # the latter is macOS's error for a group that is ending
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        return process.wait()

    def _ending(self, process: subprocess.Popen[str]) -> str:
        """How a process ended, with the last line of its errors."""
        status = self._end(process)
        self._errors.seek(0)
        last = self._errors.read()[-LONGEST_LINE:].decode(errors="replace").strip().rpartition("\n")[2]
        return f"ended with status {status}" + (f": {last}" if last else "")


def _write(process: subprocess.Popen[str], lines: str) -> None:
    """Sends lines to a process; what it does not read, or what comes after its end, is lost, as the missing answer shows."""
    assert process.stdin is not None
    with suppress(OSError):
        os.write(process.stdin.fileno(), f"{lines}\n".encode())


def _read(lines: IO[str], into: queue.Queue[str | None]) -> None:
    """Hands on the answers of a process, and None at their end."""
    with lines:
        while line := lines.readline(LONGEST_LINE):
            if line.split(maxsplit=1)[:1] in (["bestmove"], ["error"]):
                _put(into, line.strip())
    _put(into, None)


def _put(into: queue.Queue[str | None], answer: str | None) -> None:
    """Puts an answer into a queue, in place of the oldest one if it is full; nobody else puts any."""
    if into.full():
        with suppress(queue.Empty):
            into.get_nowait()
    into.put(answer)
