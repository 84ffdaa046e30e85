"""Reads the move in an answer, written in any usual way. It never guesses between two moves.

Thoughts, and text after the end of the turn, are not a part of the answer (thoughts.py). A marked move (marks.py) has priority over
prose, and `<move>` over all other marks. Prose counts if it says clearly which move it plays (prose.py). Which move is meant never
depends on which moves are legal.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game, StateArray
from .marks import describe_parts, find_marks, find_objects, is_object, move_fields
from .prose import Mention, moves_in
from .thoughts import find_answer

Fault = Literal["nothing", "ambiguous", "unknown", "illegal"]


class Reading(NamedTuple):
    """The result of reading an answer.

    Args:
        action: the legal action; None if there is none.
        fault: why there is no action: `nothing` in the answer is like a move, it names several moves (`ambiguous`), its move does
            not exist in this game (`unknown`), or is not legal in this position (`illegal`). None if there is an action.
        reason: the fault in a sentence that quotes the answer.
    """

    action: int | None
    fault: Fault | None = None
    reason: str = ""


NOTHING = Reading(None, "nothing", "it names no move")
UNCLOSED = Reading(None, "nothing", "its thought is not closed; close it, and name the move after it")
LONGEST = 20_000
"""The maximum number of characters of an answer that are read, counted from its end."""
GAMES = 64
"""The number of games whose regular expressions are cached."""
INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
CONTROLS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b")
"""Control sequences of a terminal, such as colors."""
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": " ", "&rarr;": ">", "&amp;": "&"}
ARROWS = re.compile(r" ?(?:-{1,3}>|={1,3}>|[→⟶➜➔⇒⟹»↦]|\\(?:long)?(?:right|maps)(?:arrow|to)\b|\\to\b|\\implies\b) ?")
DASHES = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), "’": "'", "‘": "'", "“": '"', "”": '"'})
HTML = re.compile(r"</?[a-z][a-z0-9_|:-]{0,30}(?: [^<>]{0,100})?/?>")
LATEX = re.compile(
    r"\\(?:text|math|tt|bf|rm|it|boxed|fbox)[a-z]{0,8}\b|\\(?:left|right|displaystyle|large|big|quad)\b|\\[()\[\],;:! ]"
)
STRUCK = re.compile(r"~~[^~\n]{1,200}~~|\\(?:s?out|cancel)\{[^{}\n]{1,200}\}")
"""Text that is struck out."""
MARKUP = re.compile(r"[*`_$~\"{}]+|^#+|^>\s", re.MULTILINE)
SIGN = re.compile(r"\s?([>-])\s?")
GAPS = re.compile(r"[\s,-]+")
SHORT = 40
"""The maximum length of an answer that may be only a move."""
NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
DIGITS = {word: f"{number}" for number, word in enumerate(NUMBERS, 1)} | {
    word: f"{number}th" for number, word in enumerate(ORDINALS, 1)
}
NUMBER = re.compile(rf"\b(?:{'|'.join(DIGITS)})\b")


def read_move(game: Game, state: StateArray, reply: str) -> Reading:
    """The action that an answer names.

    Args:
        game: the game.
        state: the position (W,), in which the action must be legal.
        reply: the answer, in any form.
    """
    return read_moves(game, state[None], [reply])[0]


def read_moves(game: Game, states: StateArray, replies: Sequence[str]) -> list[Reading]:
    """`read_move` for many answers, each with its position (B, W)."""
    names = [_name_in_reply(game, state, reply) for state, reply in zip(states, replies, strict=True)]
    masks = game.masks(states)
    return [_check_legal(game, *row) for row in zip(states, masks, names, strict=True)]


def _check_legal(game: Game, state: StateArray, mask: NDArray[np.int8], name: str | Reading) -> Reading:
    """The action of a move's name, if it exists and is legal; a fault stays as it is."""
    if not isinstance(name, str):
        return name
    try:
        action = game.action(name)
    except ValueError as error:
        return Reading(None, "unknown", str(error))
    return Reading(action) if mask[action] else Reading(None, "illegal", f"{name} is not legal in {game.text(state)!r}")


def _name_in_reply(game: Game, state: StateArray, reply: str) -> str | Reading:
    """The name of the move that a reply plays, or a fault. The move may not exist in this game."""
    answer = find_answer(plain(reply))
    if not answer.is_closed:
        return UNCLOSED
    text = STRUCK.sub(" ", answer.text[-LONGEST:])
    text = ARROWS.sub(">", text) if not text.isascii() or any(sign in text for sign in ("->", "=>", "\\")) else text
    if is_object(text):
        return _name_in_objects(game, state, text) or NOTHING
    marks, text = find_marks(text)
    if moves := [mark.content for mark in marks if mark.kind == "move"]:
        name = _name_in_text(game, state, moves[-1])
        return moves[-1][:80] if name is NOTHING else name
    by_kind = {mark.kind: _name_in_text(game, state, mark.content) for mark in marks}  # the last mark of each kind
    objects = _name_in_objects(game, state, text)
    readings = [reading for reading in (*by_kind.values(), objects) if reading not in (None, NOTHING)]
    names = dict.fromkeys(reading for reading in readings if isinstance(reading, str))
    if len(names) > 1:
        return _ambiguous([*names])
    if readings:
        return next(iter(names), readings[-1])
    return marks[-1].content[:80] if marks else _name_in_text(game, state, text)


def plain(reply: str) -> str:
    """A reply in lower case, without colors and invisible characters, with plain dashes and quotes, and without HTML entities."""
    text = reply.lower()
    if "\x1b" in text:
        text = CONTROLS.sub("", text)
    if not text.isascii():
        text = INVISIBLE.sub("", unicodedata.normalize("NFKC", text).translate(DASHES))
    if "&" in text:
        for entity, sign in ENTITIES.items():
            text = text.replace(entity, sign)
    return text


def _name_in_objects(game: Game, state: StateArray, text: str) -> str | Reading | None:
    """The move that the objects of a text name; None if there are no objects, or none names a move."""
    readings = [_name_in_object(game, state, value) for value in find_objects(text)] if "{" in text and ":" in text else []
    names = dict.fromkeys(reading for reading in readings if isinstance(reading, str))
    if len(names) > 1:
        return _ambiguous([*names])
    return next(iter(names), None) or next((reading for reading in reversed(readings) if reading is not NOTHING), None)


def _name_in_object(game: Game, state: StateArray, value: dict[str, Any], is_outer: bool = True) -> str | Reading:
    """The move that an object names by its fields."""
    fields = move_fields(value)
    readings = [_name_in_field(game, state, field, is_outer) for field in fields]
    names = [*dict.fromkeys(reading for reading in readings if isinstance(reading, str) and _is_move(game, reading))]
    if names:
        return names[0] if len(names) == 1 else _ambiguous(names)
    parts = describe_parts(value)
    if names := [*dict.fromkeys(mention.name for mention in _mentions(game, _normalize_words(game, state, parts)))]:
        return names[0] if len(names) == 1 or _is_one_turn(game, state, names) else _ambiguous(names)
    return readings[-1] if readings and readings[-1] is not NOTHING else str(fields[-1])[:80] if fields else NOTHING


def _name_in_field(game: Game, state: StateArray, value: Any, is_outer: bool) -> str | Reading:
    """The move in a field of an object: a text, a list, or an object, which is not searched any deeper."""
    if isinstance(value, dict):
        return _name_in_object(game, state, value, False) if is_outer else NOTHING
    words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return _name_in_text(game, state, words[:LONGEST])


def _name_in_text(game: Game, state: StateArray, text: str) -> str | Reading:
    """The name of the move that a text without marks plays."""
    if (reading := _name_in_objects(game, state, text)) is not None:
        return reading
    bare = MARKUP.sub("", HTML.sub(" ", LATEX.sub(" ", text)))
    answer = bare.strip(" \n.!,;:'()[]")
    if len(answer) < SHORT and (name := _whole_move(game, state, " ".join(answer.split()))):
        return name
    return _name_in_prose(game, state, bare)


def _whole_move(game: Game, state: StateArray, answer: str) -> str | None:
    """The move that an answer consists of; it may have spaces and signs between its characters, or be in other words."""
    forms = answer, GAPS.sub("", answer), _normalize_words(game, state, answer)
    return next((form for form in forms if _is_move(game, form)), None)


def _is_move(game: Game, name: str) -> bool:
    try:
        game.action(name)
    except ValueError:
        return False
    return True


def _name_in_prose(game: Game, state: StateArray, text: str) -> str | Reading:
    """The name of the move that prose plays."""
    names, is_played = moves_in(_normalize_words(game, state, text), partial(_mentions, game))
    if not names:
        return NOTHING
    if len(names) > 1:
        return names[0] if _is_one_turn(game, state, names) else _ambiguous(names)
    return names[0] if is_played else Reading(None, "nothing", f"it does not say plainly that {names[0]} is played")


def _mentions(game: Game, text: str) -> list[Mention]:
    """All parts of a text that look like a move of this game."""
    matches = _shape(game).finditer(text)
    return [Mention(" ".join(SIGN.sub(r"\1", match[0]).split()), match.start(), match.end()) for match in matches]


def _ambiguous(names: list[str]) -> Reading:
    return Reading(None, "ambiguous", f"it names several moves, {', '.join(names[:5])}, and does not say which one is played")


def _normalize_words(game: Game, state: StateArray, text: str) -> str:
    """A text with numbers as digits, the players as I and they, and moves in other words replaced by their names."""
    text = NUMBER.sub(lambda match: DIGITS[match[0]], text)
    for pattern, name in _wordings(game):
        text = pattern.sub(name, text)
    if (players := _players(game)) is None or not players.search(text):
        return text
    mover = game.player_names[game.player(state)].lower()
    text = players.sub(lambda match: "they" if match[1] != mover else "my" if match[2] else "i", text)
    return text.replace("i, i,", "i")


@lru_cache(maxsize=GAMES)
def _wordings(game: Game) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern), name) for pattern, name in game.wordings]


@lru_cache(maxsize=GAMES)
def _players(game: Game) -> re.Pattern[str] | None:
    """The names of the players, if they are words."""
    names = [name.lower() for name in game.player_names]
    return re.compile(rf"\b({'|'.join(names)})\b('s\b)?") if all(map(str.isalpha, names)) else None


@lru_cache(maxsize=GAMES)
def _shape(game: Game) -> re.Pattern[str]:
    """A regular expression for the moves of a game: for `c2>c5`, any letters and numbers around a `>`."""
    if all(len(move) == 1 and move.isalpha() for move in game.moves):
        return _letter_shape("".join(game.moves))
    shapes = {"".join(map(_piece_shape, re.findall(r"[a-z]+|\d+|.", move))) for move in game.moves}
    return re.compile(rf"(?<![\w-])(?<!\d>)(?:{'|'.join(sorted(shapes, key=len, reverse=True))})(?![\w>]|-\w)", re.ASCII)


def _letter_shape(letters: str) -> re.Pattern[str]:
    """A regular expression for moves of one letter; not for the article `a`, nor for letters of `e.g.` and `i'd`."""
    return re.compile(rf"(?<![\w'-])(?<!e\.)(?:(?<=column )|(?!a[\s\"'(]+\w))[{letters}](?!\.\w)(?![\w'>]|-\w)", re.ASCII)


def _piece_shape(piece: str) -> str:
    if piece.isdigit():
        return r"\d{1,3}"
    if piece.isalpha():
        return piece if len(piece) > 1 else "[a-z]"
    return r"\s" if piece == " " else rf"\s?{re.escape(piece)}\s?"


def _is_one_turn(game: Game, state: StateArray, names: list[str]) -> bool:
    """Whether the moves are the actions of one turn, such as placing a piece and then giving one; the first is the answer."""
    mover = game.player(state)
    for name in names:
        if name not in game.moves or game.player(state) != mover or game.action(name) not in game.legal_actions(state):
            return False
        state = game.play(state, game.action(name))
    return True
