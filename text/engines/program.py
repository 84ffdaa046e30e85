"""`EngineProgram`: a program that is asked for moves, in the protocol that it speaks."""

from __future__ import annotations

import weakref
from time import monotonic

from ...core.errors import sentence
from ...core.numbers import several_seconds
from ...games.game import Game
from .gtp import GoText, NoGoText
from .own import OwnLines, SpeaksAnother
from .process import EngineError, Process
from .protocol import SILENT, TITLES, EngineProtocol, Question, Reply, Spoken, Terms, check_terms, recognize
from .talk import MOST_ANSWERS, Talk
from .ugi import UniversalLines

SECONDS_TO_QUIT = 1.0
LONGEST_PROGRAM = 200
"""The maximum number of characters of a program's name in a reason."""
GRACE = 0.1
"""Seconds without an answer to a greeting, after a program has read it, until it counts as one that reads our lines alone."""
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
        self._doubts = frozenset(["ludus"] if self._is_known else ["gtp", "ugi", "ludus"])
        self._greeting, self._grace = GREETINGS.get(terms.protocol, ""), GRACE
        self._process: Process | None = None
        self._protocol: EngineProtocol | None = None
        self._used = 0.0

    def ask(self, question: Question) -> Reply:
        """Asks for a move.

        Raises:
            EngineError: the program cannot be started, ended, was too slow, or answered with an error.
        """
        while True:
            protocol = self._protocol or self._start()
            self._talk.until = monotonic() + self._terms.seconds
            try:
                reply = protocol.ask(question)
            except TimeoutError:
                raise EngineError(f"gave no move within {several_seconds(self._terms.seconds)}", "late") from None
            except SpeaksAnother as late:
                self.stop()
                self._spoken, self._doubts = late.spoken, self._doubts - {late.spoken.protocol}
            else:
                self._note_what_it_speaks()
                return reply

    @property
    def last_question(self) -> str:
        """The lines of the last question; empty before the first one."""
        return "" if self._protocol is None else self._protocol.last_question

    @property
    def processor_seconds(self) -> float:
        """The processor time of all its processes so far, as far as the system says it."""
        return self._used + ((self._process and self._process.processor_seconds()) or 0.0)

    def stop(self) -> None:
        """Ends the process, if there is one; the next question starts another."""
        if self._process is not None:
            self._used = self.processor_seconds
            if self._process.has_ended:  # perhaps at the greeting
                self._greeting = ""
            self._process = self._protocol = None
            self._end()

    def _start(self) -> EngineProtocol:
        """Starts the process, finds out what it speaks, unless that is known, and returns it. Each start is checked like the first.

        Raises:
            EngineError: it cannot be started, does not play the game, or says nothing that is understood.
        """
        self._launch()
        try:
            is_greeted = self._spoken == SILENT and self._find_out()
            self._protocol = self._get_ready(is_greeted)
        except TimeoutError:
            longer = "engine:start=60 COMMAND gives it longer"
            within = several_seconds(self._terms.start)
            raise EngineError(f"has not answered within {within} of its start; {longer}", "late") from None
        return self._protocol

    def _launch(self) -> None:
        """Starts the process.

        Raises:
            EngineError: it cannot be started.
        """
        try:
            self._process = process = Process(self._words, SECONDS_TO_QUIT)
        except (OSError, ValueError) as error:  # Popen raises ValueError for a command with a null character
            name = sentence(self._words[0], LONGEST_PROGRAM)
            raise EngineError(f"{name} cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self._end = weakref.finalize(self, process.end)
        self._talk = Talk(process, self._terms.start, self._terms.protocol)
        self._talk.is_known = self._is_known

    def _find_out(self) -> bool:
        """Greets the program, and notes what it speaks; returns whether it answered. One that ends at that is started again, and
        not greeted any more. One that has been silent once is not waited for again, but has to read the greeting.

        Raises:
            TimeoutError: it does not read the greeting.
        """
        if not self._greeting:
            return False
        try:
            self._talk.write(self._greeting)
            for _ in range(MOST_ANSWERS):
                if (line := self._talk.answer(self._grace)) is None:
                    self._grace = 0.0
                    break
                if (spoken := recognize(line)) and spoken.protocol in self._doubts:
                    self._spoken = spoken
                    return True
        except EngineError:
            self.stop()
            self._greeting = ""
            self._launch()
        return False

    def _get_ready(self, is_greeted: bool) -> EngineProtocol:
        """The protocol that it speaks, in which it is ready for the game.

        Raises:
            TimeoutError, EngineError: see `EngineProtocol.get_ready`.
        """
        protocol = self._make_protocol(self._spoken)
        try:
            protocol.get_ready(is_greeted)
        except NoGoText:
            if self._terms.protocol == "gtp":
                raise
            self.stop()
            self._spoken, self._doubts = SILENT, self._doubts - {"gtp"}
            self._launch()
            return self._get_ready(False)
        if self._spoken != SILENT:
            self._note_what_it_speaks()
        return protocol

    def _note_what_it_speaks(self) -> None:
        """Notes that it is known now what the program speaks.

        Raises:
            EngineError: a setting is given that this protocol has no command for.
        """
        self._talk.is_known = self._is_known = True
        try:
            check_terms(self._spoken.protocol, self._terms)
        except ValueError as error:
            raise EngineError(f"speaks {TITLES[self._spoken.protocol]}, and {error}") from None

    def _make_protocol(self, spoken: Spoken) -> EngineProtocol:
        """The protocol in which the program is asked."""
        if spoken.protocol == "gtp":
            return GoText(self._game, self._terms, self._talk)
        if spoken.protocol == "ugi":
            return UniversalLines(self._game, self._terms, self._talk)
        doubts = frozenset[str]() if self._is_known else self._doubts
        return OwnLines(self._game, self._terms, self._talk, spoken.features or frozenset(), doubts)
