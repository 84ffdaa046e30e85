"""UGI, answering; ../engines/ugi.py says how positions and moves are written in it.

UGI has no answer for an error: it is a line that begins with `info`, and `go` without a move is answered `bestmove none`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...agents.answers import Forfeits
from ...core.numbers import short_repr
from ..engines.ugi import token
from .served import ServedGame

RESULTS = {1: "p1win", 0: "draw", -1: "p2win"}
WITHOUT_ANSWER = "setoption", "stop", "info", ""
"""Lines that nothing follows from: a policy's own settings say how it plays, and `go` is answered before the next line is read."""


def answer_ugi(served: ServedGame, lines: Iterable[str]) -> Iterator[str]:
    """Answers lines by a policy."""
    tokens, is_set_up = {token(name).lower(): name for name in served.game.moves}, True
    for line in lines:
        word, *rest = line.split() or [""]
        try:
            if word == "ugi":
                yield from (f"id name ludus {served.policy}", "id author ludus", "ugiok")
            elif word == "isready":
                yield "readyok"
            elif word == "uginewgame":
                served.set_up()
            elif word == "position":
                is_set_up = False
                _set_position_up(served, rest, tokens)
                is_set_up = True
            elif word == "query":
                yield f"response {_answer_query(served, ' '.join(rest))}"
            elif word == "go" and is_set_up:
                yield f"bestmove {token(served.game.move_name(served.choose()))}"
            elif word == "quit":
                return
            elif word == "go":
                raise ValueError("the last position was none; send another")
            elif word not in WITHOUT_ANSWER:
                yield f"info string {short_repr(word)} is no line of UGI"
        except (ValueError, OSError, Forfeits) as error:
            yield f"info string {' '.join(str(error).split())}"
            if word == "go":
                yield "bestmove none"


def _set_position_up(served: ServedGame, words: list[str], tokens: dict[str, str]) -> None:
    """Sets a position up: `startpos` or `fen TEXT`, and `moves …`.

    Args:
        served: the game.
        words: the words of the line after the first one.
        tokens: the name of each move, by its word in UGI.
    """
    end = words.index("moves") if "moves" in words else len(words)
    kind, text = words[:1], " ".join(words[1:end])
    if kind not in (["startpos"], ["fen"]) or (kind == ["startpos"] and text):
        raise ValueError(f"{short_repr(' '.join(words))} is no position; one reads startpos or fen TEXT, and then moves …")
    start = served.game.position(text) if kind == ["fen"] else None
    served.set_up(start, [tokens.get(word.lower(), word) for word in words[end + 1 :]])


def _answer_query(served: ServedGame, question: str) -> str:
    """The answer to a question about the position."""
    outcome = served.game.outcome(served.state)
    match question:
        case "gameover":
            return str(outcome is not None).lower()
        case "p1turn":
            return str(served.game.player(served.state) == 0).lower()
        case "result":
            return "none" if outcome is None else RESULTS[outcome[0]]
        case _:
            raise ValueError(f"there is no question {short_repr(question)}; there are gameover, p1turn and result")
