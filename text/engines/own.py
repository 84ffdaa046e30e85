"""Our own lines, as docs/text.md describes them.

    features                  asks what the program can do beyond the lines below; it may be silent
    game othello:size=6       the game, at the start
    new                       what follows continues no earlier question   (only with `features … new`)
    position --OX...-- X      a position in the game's notation
    start --OX...-- X         where the game began                         (only with `features … moves`)
    moves c2, b3              the moves from there to the position         (only with `features … moves`)
    time 0.5                  the seconds to think                         (only with `features … time`)
    go 1234                   choose a move there; the number is the only randomness to use
    quit                      end

The program answers `go` with `bestmove d3`, or with `error` and a reason. All its other lines are ignored.
"""

from __future__ import annotations

from .process import EngineError
from .protocol import EngineProtocol, Question


class OwnLines(EngineProtocol):
    """Our own lines."""

    def get_ready(self, is_greeted: bool) -> None:
        self.talk.write(f"game {self.game.spec}")

    def ask(self, question: Question) -> str:
        self.last_question = self._lines(question)
        self.talk.write(self.last_question)
        while True:
            word, _, rest = self.talk.line().partition(" ")
            if word == "bestmove":
                return rest
            if word == "error":
                raise EngineError(f"answered: {rest}")

    def _lines(self, question: Question) -> str:
        """The lines of a question."""
        game, lines = self.game, [f"position {self.game.text(question.state)}"]
        if "new" in self.features:
            lines.insert(0, "new")
        if "moves" in self.features:
            lines += [f"start {game.text(question.start)}", f"moves {', '.join(map(game.move_name, question.moves))}".strip()]
        if "time" in self.features and self.terms.think is not None:
            lines.append(f"time {self.terms.think:g}")
        return "\n".join([*lines, f"go {question.key}"])
