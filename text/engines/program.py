"""`EngineProgram`: a program that is asked for moves, in the protocol that it speaks."""

from __future__ import annotations

import weakref
from time import monotonic

from ...core.errors import sentence
from ...core.numbers import several_seconds
from ...games.game import Game
from .gtp import GoText
from .own import OwnLines
from .process import EngineError, Process
from .protocol import SILENT, TITLES, EngineProtocol, Question, Spoken, Terms, check_terms, recognize
from .talk import Talk
from .ugi import UniversalLines

SECONDS_TO_QUIT = 1.0
LONGEST_PROGRAM = 200
"""The maximum number of characters of a program's name in a reason."""
GRACE = 0.25
"""Seconds without an answer to a greeting, after a program has read it, until it counts as one that reads our lines alone."""
MOST_LINES = 100
"""The maximum number of lines that are read to find out what a program speaks."""
GREETINGS = {"auto": "ugi\nfeatures", "ludus": "features"}
"""What is written to a program to find out what it speaks."""


class EngineProgram:
    """A program that is asked for moves. What it speaks is found out once, at the first question.

    Args:
        words: the program and its arguments.
        game: the game.
        terms: how it is asked.
    """

    def __init__(self, words: list[str], game: Game, terms: Terms) -> None:
        self._words, self._game, self._terms = words, game, terms
        self._spoken = Spoken(terms.protocol) if terms.protocol in ("gtp", "ugi") else SILENT
        self._is_known = terms.protocol == "ludus"
        """Whether it has shown that it speaks the protocol. One that has not has only the time of a start for an answer."""
        self._greeting = GREETINGS.get(terms.protocol, "")
        self._process: Process | None = None
        self._protocol: EngineProtocol | None = None
        self._used = 0.0

    def ask(self, question: Question) -> str:
        """Asks for a move.

        Raises:
            EngineError: the program cannot be started, ended, was too slow, or answered with an error.
        """
        terms = self._terms
        try:
            protocol = self._protocol or self._start()
            self._talk.until = monotonic() + (terms.seconds if self._is_known else min(terms.start, terms.seconds))
            reply = protocol.ask(question)
        except TimeoutError:
            if self._protocol and (self._is_known or terms.seconds < terms.start):
                raise EngineError(f"gave no move within {several_seconds(terms.seconds)}", "late") from None
            raise EngineError(self._describe_silence(), "late") from None
        except EngineError as error:
            if self._is_known or not (self._process and self._process.has_ended and self._talk.last_line):
                raise
            raise EngineError(f"{error}; it said {self._talk.last_line[:120]!r}") from None
        self._note_what_it_speaks()
        return reply

    def _describe_silence(self) -> str:
        """What is wrong with a program that has not answered in any protocol since its start."""
        protocol, longer = self._terms.protocol, "engine:start=60 COMMAND gives it longer"
        if not self._talk.last_words:
            return f"has not answered within {several_seconds(self._terms.start)} of its start; {longer}"
        if protocol == "auto":
            spoken = f"GTP, UGI or the lines of ludus; {longer}; if it reads the last, engine:protocol=ludus COMMAND says so"
        else:
            spoken = f"{protocol.upper()}; without protocol={protocol}, what the program speaks is found out"
        return f"said {self._talk.last_words!r}, which is no answer in {spoken}"

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
            if self._process.has_ended:  # perhaps at the greeting: some programs end at a line that they do not know
                self._greeting = ""
            self._process = self._protocol = None
            self._end()

    def _start(self) -> EngineProtocol:
        """Starts the process, finds out what it speaks, unless that is known, and returns it, ready for the game."""
        self._launch()
        is_greeted = self._spoken == SILENT and self._find_out()
        types = {"gtp": GoText, "ugi": UniversalLines, "ludus": OwnLines}
        protocol = types[self._spoken.protocol](self._game, self._terms, self._talk, self._spoken.features)
        protocol.get_ready(is_greeted)
        if self._spoken != SILENT:
            self._note_what_it_speaks()
        self._protocol = protocol
        return protocol

    def _launch(self) -> None:
        try:
            self._process = process = Process(self._words, SECONDS_TO_QUIT)
        except (OSError, ValueError) as error:  # Popen raises ValueError for a command with a null character
            name = sentence(self._words[0], LONGEST_PROGRAM)
            raise EngineError(f"{name} cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self._end = weakref.finalize(self, process.end)
        self._talk = Talk(process, monotonic() + self._terms.start)

    def _find_out(self) -> bool:
        """Greets the program, and notes what it speaks; returns whether it answered. A silent one is not greeted again."""
        if not self._greeting:
            return False
        self._talk.write(self._greeting)
        for _ in range(MOST_LINES):
            if (line := self._talk.answer(GRACE)) is None:
                break
            if (spoken := recognize(line)) and self._terms.protocol in ("auto", spoken.protocol):
                self._spoken = spoken
                return True
        self._greeting = ""
        return False

    def _note_what_it_speaks(self) -> None:
        """Notes that it is known now what the program speaks."""
        self._is_known = True
        try:
            check_terms(self._spoken.protocol, self._terms)
        except ValueError as error:
            raise EngineError(f"speaks {TITLES[self._spoken.protocol]}, and {error}") from None
