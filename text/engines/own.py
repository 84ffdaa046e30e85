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

from .process import EngineError
from .protocol import EngineProtocol, Question, Reply

VALUE = re.compile(r"(.*?) value (\S+)")


class OwnLines(EngineProtocol):
    """Our own lines."""

    def get_ready(self, is_greeted: bool) -> None:
        self.talk.write(f"game {self.game.spec}")

    def ask(self, question: Question) -> Reply:
        *before, last = self._lines(question)
        self.last_question = "\n".join((*before, last))
        self.talk.write("\n".join(before))
        self.talk.settle()
        self.talk.write(last)
        while True:
            word, _, rest = self.talk.line().partition(" ")
            if word == "bestmove":
                return self._read_reply(rest)
            if word == "error":
                raise EngineError(f"answered: {rest}")

    def _lines(self, question: Question) -> list[str]:
        """The lines of a question."""
        game, lines = self.game, [f"position {self.game.text(question.state)}"]
        if "new" in self.features:
            lines.insert(0, "new")
        if "moves" in self.features:
            lines += [f"start {game.text(question.start)}", f"moves {', '.join(map(game.move_name, question.moves))}".strip()]
        if "time" in self.features and self.terms.think is not None:
            lines.append(f"time {self.terms.think:g}")
        return [*lines, f"go {question.key}" + " value" * (question.with_value and "value" in self.features)]

    @staticmethod
    def _read_reply(rest: str) -> Reply:
        """The move and the value in an answer."""
        if not (valued := VALUE.fullmatch(rest)):
            return Reply(rest)
        try:
            value = float(valued[2])
        except ValueError:
            value = float("nan")
        if not -1 <= value <= 1:
            raise EngineError(f"stated the value {valued[2]}; a value is a number from -1 to 1, for the player to move")
        return Reply(valued[1], value)
