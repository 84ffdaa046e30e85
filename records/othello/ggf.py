"""GGF, the Generic Game Format of the game server GGS, for Othello (Michael Buro, skatgame.net/mburo/ggsa/ggf).

    (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Ada]PW[Bob]RB[2197.01]TI[05:00//02:00]TY[8]RE[+4.000]
    BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
    B[d3//0.01]W[c5/-2.5/0.01]B[e6]W[PA];)

A move may have a value and the seconds that it took after it. Several games may stand in a file, with numbers or anything else
between them. PC and DT are kept as `Place` and `Date`, other properties under their own two letters; the seconds of each player are
added up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import isqrt
from typing import NamedTuple

from ...core.numbers import short_repr
from ...games.game import Game, StateArray
from ...games.othello import Othello
from ..file import RecordFile, wrong
from ..format import RecordFormat
from ..game import NOBODY, RecordedGame, result_of
from ..moves import play_moves
from .boards import asked_game, is_othello, read_board

BEGIN = re.compile(r"\(\s*;\s*GM\s*\[", re.IGNORECASE)
PROPERTY = re.compile(r"\s*([A-Za-z]{1,8})\s*\[([^\[\]]*)\]")
END = re.compile(r"\s*(?:;\s*)?\)")
NAMES = {"PC": "Place", "DT": "Date"}
"""Lines of the header under plainer names."""
OWN = ("GM", "PB", "PW", "RE", "BO", "TY", "KM")
"""What follows from a game, or that it may not have: the type is kept where it says more than the size."""
SECONDS = "Seconds"
PASSES = ("pa", "pas", "pass", "ps", "--")


class GGFMove(NamedTuple):
    """A move as it is written.

    Args:
        line: its line.
        player: who makes it.
        name: its name, in small letters.
        value: what its player thought of it; empty if that is not said.
        seconds: how long the player thought.
    """

    line: int
    player: int
    name: str
    value: str
    seconds: float


@dataclass
class _GGFText:
    """A game's text, taken apart.

    Args:
        line: the number of its first line.
        properties: by their letters, the line and the value of each.
        moves: its moves.
    """

    line: int
    properties: dict[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])
    moves: list[GGFMove] = field(default_factory=list[GGFMove])

    def get(self, name: str) -> str:
        """The value of a property; empty where it is missing."""
        return self.properties.get(name, (0, ""))[1].strip()


def is_ggf(file: RecordFile) -> bool:
    """Whether a game in GGF begins in the first lines of a text."""
    return is_othello(file) and BEGIN.search(file.text, 0, 4096) is not None


def read_ggf(file: RecordFile) -> Iterator[RecordedGame]:
    """The games of a file; ValueError, after the number of the line, where it is wrong."""
    for text in _texts_in(file.text):
        yield _read_game(file, text)


def _texts_in(text: str) -> Iterator[_GGFText]:
    """The games of a text, taken apart."""
    line, counted, at = 1, 0, 0

    def line_at(position: int) -> int:
        nonlocal line, counted
        line, counted = line + text.count("\n", counted, position), position
        return line

    while begin := BEGIN.search(text, at):
        game = _GGFText(line_at(begin.start()))
        at = text.index(";", begin.start()) + 1
        while entry := PROPERTY.match(text, at):
            at, name = entry.end(), entry[1].upper()
            if name in ("B", "W"):
                game.moves.append(_read_move(line_at(entry.start(1)), "BW".index(name), entry[2]))
            else:
                game.properties.setdefault(name, (line_at(entry.start(1)), entry[2]))
        end = END.match(text, at)
        if not end:
            rest = text[at:].lstrip()
            due = "stands where a property such as B[f5], or the end ;) is due"
            wrong(line_at(len(text) - len(rest)), f"{short_repr(rest[:40].strip())} {due}")
        at = end.end()
        yield game


def _read_move(line: int, player: int, text: str) -> GGFMove:
    name, value, seconds, *_ = (*text.split("/"), "", "")
    try:
        taken = float(seconds or 0)
    except ValueError:
        taken = 0.0  # other clocks than seconds
    return GGFMove(line=line, player=player, name=name.strip().lower(), value=value.strip(), seconds=max(0.0, taken))


def _read_game(file: RecordFile, text: _GGFText) -> RecordedGame:
    title, kind = text.get("GM"), text.get("TY").lower()
    if title.lower() not in (Othello.name, "reversi"):
        wrong(text.line, f"this is a game of {short_repr(title)}, and of GGF's games {Othello.title} alone is read")
    if "a" in kind or "k" in kind or "KM" in text.properties:
        of_type = f"games of the type {short_repr(kind or 'komi')}"
        wrong(text.line, f"{of_type} have other rules (anti, or komi) and are not read; leave this one out")
    try:
        game, start = _read_start(file, text.get("BO"))
    except ValueError as error:
        wrong(text.properties.get("BO", (text.line, ""))[0], str(error))
    actions, state, comments = _play(game, start, text.moves)
    declared = re.match(r"([+-]?\d{1,3}(?:\.\d*)?)", text.get("RE"))
    result = result_of(game, state)
    if result is None and declared and abs(float(declared[1])) <= game.num_cells:
        result = (float(declared[1]) > 0) - (float(declared[1]) < 0)
    first, second = (text.get(name) or nobody for name, nobody in zip(("PB", "PW"), NOBODY, strict=True))
    others = {name: text.get(name) for name in text.properties if name not in OWN}
    if kind != text.get("BO").partition(" ")[0]:
        others["TY"] = text.get("TY")
    header = {NAMES.get(name, name): value for name, value in others.items() if value}
    seconds = [round(sum(move.seconds for move in text.moves if move.player == player), 3) for player in (0, 1)]
    return RecordedGame(
        game=game.spec,
        start=None if (start == game.start).all() else game.text(start),
        actions=actions,
        players=(first, second),
        result=result,
        header={**header, **({SECONDS: f"{seconds[0]} {seconds[1]}"} if any(seconds) else {})},
        comments=comments,
    )


def _read_start(file: RecordFile, board: str) -> tuple[Game, StateArray]:
    """The game, and the state that it starts from."""
    if not board:
        game = asked_game(file)
        return game, game.start
    size, *rows, mover = board.split() if len(board.split()) > 2 else ("", "", "")
    if size != str(isqrt(len("".join(rows)))):
        raise ValueError(f"{short_repr(board)} is not a board: its size, the cells, and * or O who moves")
    return read_board(file, "".join(rows), mover)


def _play(game: Game, state: StateArray, moves: Iterable[GGFMove]) -> tuple[tuple[int, ...], StateArray, dict[int, str]]:
    """Plays moves: the actions, the last state, and what players thought of their moves, by the number of actions before."""
    actions, comments = list[int](), dict[int, str]()
    for number, move in enumerate(moves, 1):
        name = "pass" if move.name in PASSES else move.name
        if name == "pass" and game.outcome(state) is not None:
            continue  # some programs pass at the end
        try:
            played, after = play_moves(game, [name], state, number - 1)
            mover = game.player(state) if len(played) == 1 else 1 - game.player(state)  # after a pass that was left out
            if mover != move.player:
                raise ValueError(f"move {number}, {short_repr(move.name)}: {game.player_names[mover]} is to move")
        except ValueError as error:
            wrong(move.line, str(error))
        state = after
        actions += played
        if move.value:
            comments[len(actions)] = f"value {move.value}"
    return tuple(actions), state, comments


GGF = RecordFormat(
    name="ggf",
    title="GGF, the format of the game server GGS, for Othello",
    suffixes=(".ggf",),
    recognise=is_ggf,
    read=read_ggf,
)
