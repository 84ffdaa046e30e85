"""Reads the move from one of four places in an answer, of which the first that is there counts:

1. the last `<move>…</move>`
2. the field `move`, `answer`, `action` or `choice` of an object in JSON
3. the last `\\boxed{…}`
4. the last line, if it is only a move, after words such as "Move:" and "I play" or in a paragraph of its own, and no other line
   says another move in this way

Nothing else is read: the model is asked again, with the reason. It is also asked again if the move is not legal, or stands after
words such as "not", "or" and "for example", or is a number of which the answer says from where it is counted, or another name, as
in "3, which is d". Before that, thoughts and all text after the end of the turn are removed (thoughts.py).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.numbers import short_repr
from ..games.game import Game, StateArray
from ..records.moves import plain_name
from .thoughts import find_answer

Fault = Literal["nothing", "ambiguous", "unknown", "illegal"]


class Reading(NamedTuple):
    """The result of reading an answer.

    Args:
        action: the legal action; None if there is none.
        fault: why there is no action: the answer has `nothing` that is read, does not say plainly which move is played
            (`ambiguous`), or has a move that does not exist in this game (`unknown`) or is not legal in this position (`illegal`).
            None if there is an action.
        reason: the fault as the end of a sentence.
    """

    action: int | None
    fault: Fault | None = None
    reason: str = ""


NOTHING = Reading(None, "nothing", "it names no move in a tag, and its last line is not only a move")
UNCLOSED = Reading(None, "nothing", "its thought is not closed; close it, and name the move after it")
NOT_JSON = Reading(None, "nothing", "the text between its braces is not an object in JSON")
LONGEST, LONGEST_NAME, NEAR = 20_000, 80, 60
"""The maximum numbers of characters: of an answer, from its end; of a move in a reason; of the checked text before a mark."""

TAG, TAG_END = re.compile(r"<\s?move\s?>"), re.compile(r"<\s?/\s?move\s?>")
OBJECT = re.compile(r"\{\s*[\"']")
FIELD = re.compile(r"(?:(?:best|final|next|my|chosen)[_ ]?)?(?:move|answer|action|choice)")
BOX = re.compile(r"\\boxed\s?\{((?:[^{}]|\{[^{}]{0,80}\}){0,80})\}")
CLAUSE = re.compile(r"[.,:;!?\n]")
UNMEANT = re.compile(r"\b(?:not|never|\w{1,20}n't|avoid\w*|reject\w*|consider\w*|than|instead of|over|or)\b")
"""Words in the clause before a mark that contradict it."""
CONTRARY = re.compile(rf"{UNMEANT.pattern}|\b(?:no|worst|bad|lose[sr]?|threat\w*|if)\b|\?")
"""Words in the line above a move alone that it may go on with, so that it is not the move that is played."""
EXAMPLE = re.compile(r"\b(?:example|instance)\b|\be\.g\.|\A\W*format\b")
"""Words in the line before a mark that make it an example."""
LABEL = r"(?:(?:my|the|best|final|chosen) ){0,3}(?:move|answer|choice)(?: is|:|\n)"
LINE = re.compile(
    rf"(?<![:,]\n)(?<![:,]\n\n)^(?:{LABEL}|i(?:'ll| will)?(?: play| choose| pick| take)? )\s*(?P<move>.*)$", re.MULTILINE
)
"""A line of a move; not one that goes on with the line above, as in "If O is there:"."""
HEADED = re.compile(
    r"(?:^\W{0,6}(?:my |the )?(?:thoughts?|thinking|reasons?|reasoning|analysis|explanation|rationale|reflection|plan)"
    rf"(?: process)?:?\s*$\n*)+(?:(?!{LABEL}).+(?:\n|\Z))*",
    re.MULTILINE,
)
"""Headings of a thought, and the paragraph under them."""

NUMERIC = re.compile(r"(?:[a-z]+ )?\d[\d\W]*")
"""A move that is a number, or a word and a number."""
BASE = re.compile(
    r"\b(?:[01]|zero|one)[- ]?(?:index|base)"
    r"|\b(?:count|start|number)\w* (?:at|from|with) (?:0|zero)\b"
    r"|\b(?:index|column)\w*\W{1,4}(?:(?:at|from|with|is|are|go|run|range|number|label)\w*\W{1,2}){0,3}(?:0|zero)\b"
)
"""Words that say from where numbers are counted."""
LINK = r"[\s,:;=(]{1,3}(?:(?:which|that|is|i\.e\.|or|meaning|the|column|index|move)[\s,:=]+){0,4}"
"""What stands between two names of one move."""

INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": " ", "&rarr;": ">", "&amp;": "&"}
DASHES = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), "’": "'", "‘": "'", "“": '"', "”": '"'})
STRUCK = re.compile(r"~~[^~\n]{1,200}~~|\\(?:s?out|cancel)\{[^{}\n]{1,200}\}")
"""Text that is struck out."""
MARKUP = re.compile(
    r"</?[a-z][a-z0-9_|:-]{0,30}(?: [^<>]{0,100})?/?>|<\|[a-z_]{1,30}\|>"
    r"|\\(?:text|math|tt|bf|rm|it)[a-z]{0,8}\b|\\[()\[\],;:! ]|[`_*$\"{}]+|^#+",
    re.MULTILINE,
)
"""Signs of HTML, LaTeX and Markdown."""


def read_move(game: Game, state: StateArray, reply: Any) -> Reading:
    """The action that an answer names.

    Args:
        game: the game.
        state: the position (W,), in which the action must be legal.
        reply: the answer, as `answer_text` takes it.

    Raises:
        ValueError: it is no answer.
    """
    return read_moves(game, state[None], [reply])[0]


def answer_text(reply: Any) -> str:
    """The text of an answer: a text, None for no text, a message, a list of messages, whose last one by the assistant counts, or
    the response of a client. Messages and responses are dictionaries or objects, and a message may have its text in parts.
    ValueError for anything else."""
    if reply is None or isinstance(reply, str):
        return reply or ""
    if isinstance(reply, (list, tuple)):
        if messages := [message for message in reply if _field(message, "role") == "assistant"]:
            return answer_text(messages[-1])
        parts = [_field(part, "text") for part in reply if _field(part, "type") in ("text", "output_text")]
        if parts and all(isinstance(part, str) for part in parts):
            return "".join(parts)
    elif isinstance(choices := _field(reply, "choices"), list) and choices:
        return answer_text(_field(choices[0], "message", choices[0]))
    elif _field(reply, "role") in (None, "assistant"):
        for name in ("content", "output_text", "text"):
            if (content := _field(reply, name, reply)) is not reply:
                return answer_text(content)
    raise ValueError(
        f"the answer is {short_repr(reply)}; it must be a text, None, a message of the assistant, a list of messages with"
        " one, or a response of chat completions"
    )


def _field(thing: Any, name: str, otherwise: Any = None) -> Any:
    """An entry of a dictionary, or an attribute of an object."""
    return thing.get(name, otherwise) if isinstance(thing, Mapping) else getattr(thing, name, otherwise)


def read_moves(game: Game, states: StateArray, replies: Sequence[Any]) -> list[Reading]:
    """`read_move` for many answers, each with its position (B, W)."""
    names = [_name_in_reply(game, reply) for reply in replies]
    return [_check_legal(game, *row) for row in zip(states, game.masks(states), names, strict=True)]


def _check_legal(game: Game, state: StateArray, mask: NDArray[np.int8], name: str | Reading) -> Reading:
    """The action of a move's name, if it exists and is legal; a fault stays as it is."""
    if not isinstance(name, str):
        return name
    try:
        action = game.action(name)
    except ValueError as error:
        return Reading(None, "unknown", str(error))
    return Reading(action) if mask[action] else Reading(None, "illegal", f"{name} is not legal in {game.text(state)!r}")


def _name_in_reply(game: Game, reply: Any) -> str | Reading:
    """The name of the move that a reply plays, which may not exist in this game; or a fault."""
    answer = find_answer(plain(answer_text(reply)))
    if not answer.is_closed:
        return UNCLOSED
    text = STRUCK.sub(" ", answer.text[-LONGEST:])
    braces = OBJECT.search(text)
    start, stop = (braces.start(), text.rfind("}") + 1) if braces else (0, 0)
    words = _words_in_text(game, text, start, stop)
    if isinstance(words, Reading):
        return words
    return (NUMERIC.fullmatch(words) and _check_number(game, words, text)) or plain_name(game, words)


def _words_in_text(game: Game, text: str, start: int, stop: int) -> str | Reading:
    """The words for the move that a text plays, or a fault; an object in JSON stands from `start` to `stop`, if there is one."""
    outside = text[:start] + " " + text[stop:] if start < stop else text  # a field of an object may be a thought with tags
    if tags := [*TAG.finditer(outside)]:
        return _marked_words(TAG_END.split(outside[tags[-1].end() :])[0], outside[: tags[-1].start()])
    if start < stop:
        moves = _moves_in_object(text[start:stop])
        if not moves:
            return NOT_JSON if moves is None else NOTHING
        return _marked_words(moves[0], text[:start]) if len({*moves}) == 1 else _ambiguous(moves)
    if boxes := [*BOX.finditer(text)]:
        return _marked_words(boxes[-1][1], text[: boxes[-1].start()])
    return _words_in_lines(game, text)


def _check_number(game: Game, words: str, text: str) -> Reading | None:
    """A fault if a text plays a move by a number and says from where it counts, or gives the name of another move beside it."""
    if BASE.search(text):
        return Reading(None, "ambiguous", f"it says from where it counts, so that {words} may mean another; name the move itself")
    pairs = _two_names(game, words.rpartition(" ")[2]).finditer(MARKUP.sub("", text))
    others = [name for pair in pairs if (name := pair[1] or pair[2]) != plain_name(game, words)]
    return _ambiguous([words, *others]) if others else None


def _two_names(game: Game, number: str) -> re.Pattern[str]:
    """A number and the name of a move beside it, in either order."""
    names, number = "|".join(map(re.escape, game.moves)), re.escape(number)
    return re.compile(rf"\b{number}{LINK}({names})(?=\W*(?:$|[\n).,;]))|\b({names}){LINK}{number}\b")


def plain(reply: str) -> str:
    """A reply in lower case, without invisible characters, with plain dashes and quotes, and without HTML entities."""
    text = reply.lower()
    if not text.isascii():
        text = INVISIBLE.sub("", unicodedata.normalize("NFKC", text).translate(DASHES))
    if "&" in text:
        for entity, sign in ENTITIES.items():
            text = text.replace(entity, sign)
    return text


def _moves_in_object(source: str) -> list[str] | None:
    """The moves in the fields of an object; None if it is not JSON."""
    try:
        fields = json.loads(source, strict=False)
    except (ValueError, RecursionError):
        return None
    return [str(field) for name, field in fields.items() if FIELD.fullmatch(name) and isinstance(field, str | int) and field != ""]


def _marked_words(content: str, before: str) -> str | Reading:
    """The words for a marked move; a fault if it is empty, or the text before it contradicts it."""
    name = _words_of(content)[:LONGEST_NAME]
    near = before[-NEAR:]
    if name and (UNMEANT.search(CLAUSE.split(near)[-1]) or EXAMPLE.search(near.rpartition("\n")[2])):
        return Reading(None, "ambiguous", f"the words before {name} do not say plainly that it is played")
    return name or NOTHING


def _words_in_lines(game: Game, text: str) -> str | Reading:
    """The words for the move in the last line."""
    lines = [" ".join(line.split()) for line in MARKUP.sub("", text).split("\n")]
    text = HEADED.sub("", "\n".join(lines)).strip()
    by_end = {match.end(): _words_of(match["move"]) for match in LINE.finditer(text)}
    before, _, last = text.rpartition("\n\n")
    if not before or (before[-1] in ".!)" and not CONTRARY.search(before.rpartition("\n")[2])):
        by_end.setdefault(len(text), _words_of(last))
    names = {words: name for words in by_end.values() if (name := plain_name(game, words)) in game.actions_by_name}
    if (played := by_end.get(len(text))) not in names:
        return NOTHING
    return played if len({*names.values()}) == 1 else _ambiguous([*names.values()])


def _words_of(text: str) -> str:
    """The words that a text consists of."""
    return " ".join(MARKUP.sub("", text).strip(" \n.!'()[]").split())


def _ambiguous(names: Sequence[str]) -> Reading:
    names = [name[:LONGEST_NAME] for name in dict.fromkeys(names)]
    return Reading(None, "ambiguous", f"it names several moves, {', '.join(names[:5])}, and does not say which one is played")
