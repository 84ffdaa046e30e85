"""The move in an answer: written in any usual way, and never a guess between two.

Thoughts, and what follows the end of the turn, are no part of the answer (thoughts.py). What is marked as the move (marks.py)
counts before all prose, and `<move>` before all other marks. Prose is read where it says plainly which move it plays (prose.py).
Whether a move is legal here never decides which one was meant.
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
from .marks import chosen_in, find_marks, find_objects, is_object, parts_in
from .prose import Mention, moves_in
from .thoughts import find_answer

Fault = Literal["nothing", "ambiguous", "unknown", "illegal"]


class Reading(NamedTuple):
    """What was read from an answer.

    Args:
        action: the legal action; None where there is none.
        fault: why there is none: `nothing` like a move, more than one (`ambiguous`), no move of this game (`unknown`), or one
            that is not `illegal` in every position, but here. None where there is an action.
        reason: the fault in a sentence, which names what was found.
    """

    action: int | None
    fault: Fault | None = None
    reason: str = ""


NOTHING = Reading(None, "nothing", "it names no move")
UNCLOSED = Reading(None, "nothing", "its thought is not closed; close it, and name the move after it")
LONGEST = 20_000
"""Characters of an answer's end that are read."""
GAMES = 64
"""Games whose expressions are remembered."""
INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
CONTROLS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b")
"""Colors and the like of a terminal."""
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": " ", "&rarr;": ">", "&amp;": "&"}
ARROWS = re.compile(r" ?(?:-{1,3}>|={1,3}>|[→⟶➜➔⇒⟹»↦]|\\(?:long)?(?:right|maps)(?:arrow|to)\b|\\to\b|\\implies\b) ?")
DASHES = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), "’": "'", "‘": "'", "“": '"', "”": '"'})
HTML = re.compile(r"</?[a-z][a-z0-9_|:-]{0,30}(?: [^<>]{0,100})?/?>")
LATEX = re.compile(
    r"\\(?:text|math|tt|bf|rm|it|boxed|fbox)[a-z]{0,8}\b|\\(?:left|right|displaystyle|large|big|quad)\b|\\[()\[\],;:! ]"
)
STRUCK = re.compile(r"~~[^~\n]{1,200}~~|\\(?:s?out|cancel)\{[^{}\n]{1,200}\}")
"""What is struck out."""
MARKUP = re.compile(r"[*`_$~\"{}]+|^#+|^>\s", re.MULTILINE)
SIGN = re.compile(r"\s?([>-])\s?")
GAPS = re.compile(r"[\s,-]+")
SHORT = 40
"""Characters of an answer that may be a move alone."""
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
    read = [_of_reply(game, state, reply) for state, reply in zip(states, replies, strict=True)]
    masks = game.masks(states)
    return [_checked(game, *one) for one in zip(states, masks, read, strict=True)]


def _checked(game: Game, state: StateArray, mask: NDArray[np.int8], found: str | Reading) -> Reading:
    """The action of a name, where it is one and is legal."""
    if not isinstance(found, str):
        return found
    try:
        action = game.action(found)
    except ValueError as error:
        return Reading(None, "unknown", str(error))
    return Reading(action) if mask[action] else Reading(None, "illegal", f"{found} is not legal in {game.text(state)!r}")


def _of_reply(game: Game, state: StateArray, reply: str) -> str | Reading:
    """The name of the move that a reply plays, which may be none of this game's."""
    answer = find_answer(plain(reply))
    if not answer.is_closed:
        return UNCLOSED
    text = STRUCK.sub(" ", answer.text[-LONGEST:])
    text = ARROWS.sub(">", text) if not text.isascii() or any(sign in text for sign in ("->", "=>", "\\")) else text
    if is_object(text):
        return _of_objects(game, state, text) or NOTHING
    marks, text = find_marks(text)
    if moves := [mark.content for mark in marks if mark.kind == "move"]:
        found = _named(game, state, moves[-1])
        return moves[-1][:80] if found is NOTHING else found
    marked = {mark.kind: _named(game, state, mark.content) for mark in marks}  # the last one of each kind
    objects = _of_objects(game, state, text)
    readings = [found for found in (*marked.values(), objects) if found not in (None, NOTHING)]
    names = dict.fromkeys(found for found in readings if isinstance(found, str))
    if len(names) > 1:
        return _several([*names])
    if readings:
        return next(iter(names), readings[-1])
    return marks[-1].content[:80] if marks else _named(game, state, text)


def plain(reply: str) -> str:
    """A reply in lower case, without colors and invisible signs, with plain dashes, quotes and entities of HTML."""
    text = reply.lower()
    if "\x1b" in text:
        text = CONTROLS.sub("", text)
    if not text.isascii():
        text = INVISIBLE.sub("", unicodedata.normalize("NFKC", text).translate(DASHES))
    if "&" in text:
        for entity, sign in ENTITIES.items():
            text = text.replace(entity, sign)
    return text


def _of_objects(game: Game, state: StateArray, text: str) -> str | Reading | None:
    """The move that the objects of a text name; None where there are none, or none names one."""
    found = [_of_object(game, state, value) for value in find_objects(text)] if "{" in text and ":" in text else []
    names = dict.fromkeys(one for one in found if isinstance(one, str))
    if len(names) > 1:
        return _several([*names])
    return next(iter(names), None) or next((one for one in reversed(found) if one is not NOTHING), None)


def _of_object(game: Game, state: StateArray, value: dict[str, Any], is_outer: bool = True) -> str | Reading:
    """The move that an object names by its fields."""
    chosen = chosen_in(value)
    found = [_of_field(game, state, one, is_outer) for one in chosen]
    names = [*dict.fromkeys(one for one in found if isinstance(one, str) and _is_move(game, one))]
    if names:
        return names[0] if len(names) == 1 else _several(names)
    parts = parts_in(value)
    if names := [*dict.fromkeys(mention.name for mention in _mentions(game, _worded(game, state, parts)))]:
        return names[0] if len(names) == 1 or _is_one_turn(game, state, names) else _several(names)
    return found[-1] if found and found[-1] is not NOTHING else str(chosen[-1])[:80] if chosen else NOTHING


def _of_field(game: Game, state: StateArray, value: Any, is_outer: bool) -> str | Reading:
    """The move that a field of an object holds: in words, in the parts of a list, or in fields of its own, but no deeper."""
    if isinstance(value, dict):
        return _of_object(game, state, value, False) if is_outer else NOTHING
    words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return _named(game, state, words[:LONGEST])


def _named(game: Game, state: StateArray, text: str) -> str | Reading:
    """The name of the move that a text without marks plays."""
    if (found := _of_objects(game, state, text)) is not None:
        return found
    bare = MARKUP.sub("", HTML.sub(" ", LATEX.sub(" ", text)))
    answer = bare.strip(" \n.!,;:'()[]")
    if len(answer) < SHORT and (name := _whole(game, state, " ".join(answer.split()))):
        return name
    return _of_prose(game, state, bare)


def _whole(game: Game, state: StateArray, answer: str) -> str | None:
    """The move that an answer is, which may have spaces and signs between its letters and digits, or be in other words."""
    forms = answer, GAPS.sub("", answer), _worded(game, state, answer)
    return next((form for form in forms if _is_move(game, form)), None)


def _is_move(game: Game, name: str) -> bool:
    try:
        game.action(name)
    except ValueError:
        return False
    return True


def _of_prose(game: Game, state: StateArray, text: str) -> str | Reading:
    """The name of the move that prose plays."""
    names, is_played = moves_in(_worded(game, state, text), partial(_mentions, game))
    if not names:
        return NOTHING
    if len(names) > 1:
        return names[0] if _is_one_turn(game, state, names) else _several(names)
    return names[0] if is_played else Reading(None, "nothing", f"it does not say plainly that {names[0]} is played")


def _mentions(game: Game, text: str) -> list[Mention]:
    """All that looks like a move of this game."""
    matches = _shape(game).finditer(text)
    return [Mention(" ".join(SIGN.sub(r"\1", match[0]).split()), match.start(), match.end()) for match in matches]


def _several(names: list[str]) -> Reading:
    return Reading(None, "ambiguous", f"it names several moves, {', '.join(names[:5])}, and does not say which one is played")


def _worded(game: Game, state: StateArray, text: str) -> str:
    """A text in which numbers are digits, the players are I and they, and moves in other words have their names."""
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
    """The names of the players where they are words."""
    names = [name.lower() for name in game.player_names]
    return re.compile(rf"\b({'|'.join(names)})\b('s\b)?") if all(map(str.isalpha, names)) else None


@lru_cache(maxsize=GAMES)
def _shape(game: Game) -> re.Pattern[str]:
    """What the moves of a game look like, as a regular expression: for `c2>c5`, any letters and numbers around a `>`."""
    shapes = {"".join(map(_piece_shape, re.findall(r"[a-z]+|\d+|.", move))) for move in game.moves}
    return re.compile(rf"(?<![\w-])(?<!\d>)(?:{'|'.join(sorted(shapes, key=len, reverse=True))})(?![\w>]|-\w)", re.ASCII)


def _piece_shape(piece: str) -> str:
    if piece.isdigit():
        return r"\d{1,3}"
    if piece.isalpha():
        return piece if len(piece) > 1 else "[a-z]"
    return r"\s" if piece == " " else rf"\s?{re.escape(piece)}\s?"


def _is_one_turn(game: Game, state: StateArray, names: list[str]) -> bool:
    """Whether the moves are the actions of one turn, such as placing a piece and then giving one; the first is asked for now."""
    mover = game.player(state)
    for name in names:
        if name not in game.moves or game.player(state) != mover or game.action(name) not in game.legal_actions(state):
            return False
        state = game.play(state, game.action(name))
    return True
