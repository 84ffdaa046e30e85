"""Our own lines, as docs/text.md describes them.

    features                  asks what the program can do beyond the lines below; it may be silent
    game othello:size=6       the game, at the start
    new                       what follows continues no earlier question   (only with `features … new`)
    position --OX...-- X      a position in the game's notation
    start --OX...-- X         where the game began                         (only with `features … moves`)
    moves c2, b3              the moves from there to the position         (only with `features … moves`)
    time 0.5                  the seconds to think                         (only with `features … time`)
    go 1234                   choose a move there; the number is the only randomness to use; `go 1234 value` asks for the value, too
    quit                      end

The program answers `go` with `bestmove d3`, with `bestmove d3 value 0.4`, or with `error` and a reason. All its other lines are
ignored, and so are answers before a question: `go` is sent only when the program has read the lines before it.
"""

from __future__ import annotations

import re

from ...games.game import Game
from .process import EngineError
from .protocol import EngineProtocol, Question, Reply, Spoken, Terms, recognize
from .talk import Talk

VALUE = re.compile(r"(.*?) value (\S+)")


class SpeaksAnother(Exception):
    """A program that was asked in our lines has shown late that it speaks something else.

    Args:
        spoken: what.
    """

    def __init__(self, spoken: Spoken) -> None:
        super().__init__(spoken)
        self.spoken = spoken


class OwnLines(EngineProtocol):
    """Our own lines.

    Args:
        game, terms, talk: see `EngineProtocol`.
        features: what the program has announced.
        doubts: the protocols that it may turn out to speak instead.
    """

    def __init__(self, game: Game, terms: Terms, talk: Talk, features: frozenset[str], doubts: frozenset[str]) -> None:
        super().__init__(game, terms, talk)
        self._features, self._doubts = features, doubts

    def get_ready(self, is_greeted: bool) -> None:
        self.talk.write(f"game {self.game.spec}")

    def ask(self, question: Question) -> Reply:
        *before, last = self._lines(question)
        self.last_question = "\n".join((*before, last))
        self.talk.write("\n".join(before))
        for line in self.talk.settle():
            self._watch(line)
        self.talk.write(last)
        while True:
            line = self.talk.line()
            word, _, rest = line.partition(" ")
            if word == "bestmove":
                return self._read_reply(rest)
            if word == "error":
                raise EngineError(f"answered: {rest}")
            self._watch(line)

    def _lines(self, question: Question) -> list[str]:
        """The lines of a question."""
        game, lines = self.game, [f"position {self.game.text(question.state)}"]
        if "new" in self._features:
            lines.insert(0, "new")
        if "moves" in self._features:
            lines += [f"start {game.text(question.start)}", f"moves {', '.join(map(game.move_name, question.moves))}".strip()]
        if "time" in self._features and self.terms.think is not None:
            lines.append(f"time {self.terms.think:g}")
        return [*lines, f"go {question.key}" + " value" * (question.with_value and "value" in self._features)]

    def _watch(self, line: str) -> None:
        """Notices that a program that is not known yet speaks something else.

        Raises:
            SpeaksAnother: it does.
        """
        if not self.talk.is_known and (spoken := recognize(line)) and spoken.protocol in self._doubts:
            raise SpeaksAnother(spoken)

    @staticmethod
    def _read_reply(rest: str) -> Reply:
        """The move and the value in an answer.

        Raises:
            EngineError: the value is no number from -1 to 1.
        """
        if not (valued := VALUE.fullmatch(rest)):
            return Reply(rest)
        try:
            value = float(valued[2])
        except ValueError:
            value = float("nan")
        if not -1 <= value <= 1:
            raise EngineError(f"stated the value {valued[2]}; a value is a number from -1 to 1, for the player to move")
        return Reply(valued[1], value)
