"""GTP, answering; ../engines/gtp.py says how games are played in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from ...agents.answers import Forfeits
from ...core.numbers import short_repr
from ..engines.gtp import COLOURS, check_gtp
from .served import ServedGame

COMMAND = re.compile(r"(\d*)\s*(\S*)\s*(.*)", re.ASCII)


def answer_gtp(served: ServedGame, lines: Iterable[str]) -> Iterator[str]:
    """Answers commands by a policy; ValueError where the game cannot be played in GTP."""
    check_gtp(served.game)
    for line in lines:
        command = COMMAND.fullmatch(" ".join(line.partition("#")[0].split()))
        assert command is not None  # it matches any line
        number, name, rest = command.groups()
        if not name:
            continue
        try:
            if name not in RESPONSES:
                raise ValueError(f"unknown command {short_repr(name)}")
            yield f"={number} {RESPONSES[name](served, rest) or ''}".rstrip()
        except (ValueError, OSError, Forfeits) as error:
            yield f"?{number} {' '.join(str(error).split())}"
        yield ""
        if name == "quit":
            return


def _version(served: ServedGame, rest: str) -> str:
    from ... import __version__

    return __version__


def _set_game(served: ServedGame, title: str) -> None:
    if title.lower() != served.game.title.lower():
        raise ValueError(f"unsupported game {short_repr(title)}; this plays {served.game.title}")


def _play(served: ServedGame, rest: str) -> None:
    colour, _, move = rest.partition(" ")
    _give_turn(served, colour)
    served.play(served.game.action(move, served.state))


def _undo(served: ServedGame, rest: str) -> None:
    if not served.actions:
        raise ValueError("cannot undo; no move has been played")
    served.undo()


def _resize(served: ServedGame, size: str) -> None:
    """Begins anew, if the board has this size."""
    if size != str(served.game.board[0]):
        raise ValueError(f"unacceptable size {short_repr(size)}; {served.game.spec} has {served.game.board[0]}")
    served.set_up()


def _genmove(served: ServedGame, colour: str) -> str:
    """The policy's move, which is played; a pass if the game is over and has passes."""
    game = served.game
    if served.is_over and "pass" in game.moves:
        return "pass"
    _give_turn(served, colour)
    action = served.choose()
    served.play(action)
    return game.move_name(action)


def _final_score(served: ServedGame, rest: str) -> str:
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


def _nothing(served: ServedGame, rest: str) -> None:
    """What clients send to every program, and that changes nothing here: a policy's own settings say how long it thinks."""


RESPONSES: dict[str, Callable[[ServedGame, str], str | None]] = {
    "protocol_version": lambda served, rest: "2",
    "name": lambda served, rest: f"ludus {served.policy}",
    "version": _version,
    "known_command": lambda served, rest: str(rest in RESPONSES).lower(),
    "list_commands": lambda served, rest: "\n".join(RESPONSES),
    "quit": _nothing,
    "boardsize": _resize,
    "clear_board": lambda served, rest: served.set_up(),
    "komi": _nothing,
    "play": _play,
    "genmove": _genmove,
    "undo": _undo,
    "showboard": lambda served, rest: "\n".join(["", *filter(str.strip, served.game.picture(served.state).splitlines())]),
    "set_game": _set_game,
    "list_games": lambda served, rest: served.game.title,
    "time_settings": _nothing,
    "time_left": _nothing,
    "final_score": _final_score,
    "ludus-setup_board": lambda served, rest: served.set_up(served.game.position(rest)),
}
"""What answers each command."""
