"""`EngineProgram`: a program that is asked for moves, in the protocol that it speaks."""

from __future__ import annotations

import weakref
from time import monotonic

from ...core.errors import sentence
from ...core.numbers import several_seconds
from ...games.game import Game
from .gtp import GoText
from .process import EngineError, Process
from .protocol import EngineProtocol, OwnLines, Question, Terms

SECONDS_TO_QUIT = 1.0
LONGEST_PROGRAM = 200
"""The maximum number of characters of a program's name in a reason."""
TYPES = {"ludus": OwnLines, "gtp": GoText}


class EngineProgram:
    """A program that is asked for moves. It starts at the first question.

    Args:
        words: the program and its arguments.
        game: the game.
        terms: how it is asked.
    """

    def __init__(self, words: list[str], game: Game, terms: Terms) -> None:
        self._words, self._game, self._terms = words, game, terms
        self._process: Process | None = None
        self._protocol: EngineProtocol | None = None
        self._has_answered = False
        self._used = 0.0

    def ask(self, question: Question) -> str:
        """Asks for a move; EngineError where the program cannot be started, ended, was too slow, or answered with an error."""
        terms = self._terms
        try:
            protocol = self._protocol or self._start()
            # A program that speaks something else never answers: before its first answer, the time to start is enough to tell.
            protocol.process.until = monotonic() + (terms.seconds if self._has_answered else min(terms.start, terms.seconds))
            move = protocol.ask(question)
        except TimeoutError:
            if self._has_answered or (self._protocol and terms.seconds < terms.start):
                raise EngineError(f"gave no move within {several_seconds(terms.seconds)}", "late") from None
            raise EngineError(self._describe_silence(), "late") from None
        self._has_answered = True
        return move

    def _describe_silence(self) -> str:
        """What is wrong with a program that has never answered."""
        assert self._process is not None
        start, said = several_seconds(self._terms.start), self._process.last_words
        if not said:
            return f"has not answered within {start} of its start; engine:start=60 COMMAND gives it longer"
        return (
            f"said {said!r} within {start} of its start, which is no answer to protocol={self._terms.protocol}; name what it"
            " speaks as protocol=ludus or gtp, or give it longer by start=60"
        )

    @property
    def last_question(self) -> str:
        """The lines of the last question; empty before the first one."""
        return "" if self._protocol is None else self._protocol.last_question

    @property
    def processor_seconds(self) -> float:
        """The processor time of all its processes so far, if the system says it."""
        return self._used + (self._process.processor_seconds() if self._process else 0.0)

    def stop(self) -> None:
        """Ends the process, if there is one; the next question starts another."""
        if self._process is not None:
            self._used = self.processor_seconds
            self._process = self._protocol = None
            self._end()

    def _start(self) -> EngineProtocol:
        """Starts the process, and returns its protocol, ready for the game."""
        try:
            self._process = process = Process(self._words, monotonic() + self._terms.start, SECONDS_TO_QUIT)
        except (OSError, ValueError) as error:  # Popen raises ValueError for a command with a null character
            name = sentence(self._words[0], LONGEST_PROGRAM)
            raise EngineError(f"{name} cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self._end = weakref.finalize(self, process.end)
        protocol = TYPES[self._terms.protocol](self._game, self._terms, process)
        protocol.get_ready()
        self._protocol = protocol
        return protocol
