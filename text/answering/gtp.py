"""GTP, answering; ../engines/gtp.py says how games are played in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Final

from ...agents.answers import Forfeits
from ...core.numbers import short_repr
from ..engines.gtp import COLOURS, check_gtp
from .served import ServedGame

COMMANDS: Final = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board", "komi", "play"),
    *("genmove", "undo", "showboard", "set_game", "list_games", "time_settings", "time_left", "final_score", "ludus-setup_board"),
)
WITHOUT_EFFECT = "komi", "time_settings", "time_left"
"""Commands that clients send to every program, and that change nothing here: a policy's own settings say how long it thinks."""
COMMAND = re.compile(r"(\d*)\s*(\S*)\s*(.*)", re.ASCII)


def answer_gtp(served: ServedGame, lines: Iterable[str]) -> Iterator[str]:
    """Answers commands by a policy.

    Raises:
        ValueError: the game cannot be played in GTP.
    """
    check_gtp(served.game)
    for line in lines:
        command = COMMAND.fullmatch(" ".join(line.partition("#")[0].split()))
        assert command is not None  # it matches any line
        number, name, rest = command.groups()
        if not name:
            continue
        try:
            yield f"={number} {_respond(served, name, rest)}".rstrip()
        except (ValueError, OSError, Forfeits) as error:
            yield f"?{number} {' '.join(str(error).split())}"
        yield ""
        if name == "quit":
            return


def _respond(served: ServedGame, name: str, rest: str) -> str:
    """The answer to a command."""
    from ... import __version__

    game = served.game
    match name:
        case "protocol_version":
            return "2"
        case "name":
            return f"ludus {served.policy}"
        case "version":
            return __version__
        case "known_command":
            return "true" if rest in COMMANDS else "false"
        case "list_commands":
            return "\n".join(COMMANDS)
        case "list_games":
            return game.title
        case "set_game" if rest.lower() != game.title.lower():
            raise ValueError(f"unsupported game {short_repr(rest)}; this plays {game.title}")
        case "boardsize":
            _resize(served, rest)
        case "clear_board":
            served.set_up()
        case "ludus-setup_board":
            served.set_up(game.position(rest))
        case "play":
            colour, _, move = rest.partition(" ")
            _give_turn(served, colour)
            served.play(game.action(move, served.state))
        case "genmove":
            return _answer_genmove(served, rest)
        case "undo" if served.actions:
            served.undo()
        case "undo":
            raise ValueError("cannot undo; no move has been played")
        case "showboard":
            return "\n".join(["", *filter(str.strip, game.picture(served.state).splitlines())])
        case "final_score":
            return _final_score(served)
        case "quit" | "set_game":
            pass
        case _ if name not in WITHOUT_EFFECT:
            raise ValueError(f"unknown command {short_repr(name)}")
        case _:
            pass
    return ""


def _resize(served: ServedGame, size: str) -> None:
    """Plays on a board of this size."""
    if size == str(served.game.board[0]):
        served.set_up()
    elif size.isdecimal() and any(field.name == "size" for field in fields(served.game)):
        served.change(size=int(size))
    else:
        raise ValueError(f"unacceptable size {short_repr(size)}; {served.game.spec} has {served.game.board[0]}")


def _answer_genmove(served: ServedGame, colour: str) -> str:
    """The policy's move, which is played; a pass if the game is over and has passes."""
    game = served.game
    if served.is_over and "pass" in game.moves:
        return "pass"
    _give_turn(served, colour)
    action = served.choose()
    served.play(action)
    return game.move_name(action)


def _final_score(served: ServedGame) -> str:
    """Who has won and by how many points, 1 in games without points, as `B+12`; 0 for a draw."""
    outcome, points = served.game.outcome(served.state), served.game.scores(served.state)
    if outcome is None:
        raise ValueError("cannot score; the game is not over")
    return f"{'BW'[outcome[0] < 0]}+{abs(points[0] - points[1]) if points else 1}" if outcome[0] else "0"


def _give_turn(served: ServedGame, colour: str) -> None:
    """Lets the player of a colour move: the other one passes, if that is forced and was left out."""
    game, colours = served.game, [{name, name[0]} for name in COLOURS]
    player = next((number for number, names in enumerate(colours) if colour.lower() in names), None)
    if player is None:
        raise ValueError(f"{short_repr(colour)} is no colour; colours are black and white")
    if not served.is_over and game.player(served.state) != player:
        if [game.move_name(action) for action in game.legal_actions(served.state)] != ["pass"]:
            raise ValueError(f"{COLOURS[1 - player]} is to move")
        served.play(game.action("pass"))
