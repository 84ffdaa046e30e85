"""The move in an answer: written in any usual way, and never a guess between two.

An answer in a form of its own (`<move>c2</move>`, `\\boxed{c2}`, `"move": "c2"`) counts before all prose, the last one before
others. In prose a move counts that the writer decides on ("I'll play c2"), else the only one that the prose speaks for. Moves that
it speaks against ("not c2", "c2 is taken") or only considers ("if I play c2") do not count. Whether a move is legal here never
decides which one was meant.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..envs.games.game import Game, StateArray
from .phrases import DOUBTS, SENTENCE, SEQUEL, WITHDRAWS
from .sentences import Mention, Spoken

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


LONGEST = 20_000
"""Characters of an answer's end that are read."""
THOUGHTS = re.compile(r"<(think|thinking|reasoning|scratchpad)>.*?(?:</\1>|\Z)|\A[^<]*(?:<(?!think)[^<]*)*</think>", re.DOTALL)
MARKED = re.compile(
    r"<\s?(?P<tag>move|answer|action)\s?>(?P<tagged>[^<]*)"
    r"|\\boxed\s?\{(?P<boxed>(?:[^{}]|\{[^{}]*\})*)\}"
    r"|[\"'](?:(?:best|final|next|my|chosen)[_ ])?(?P<key>move|action|answer)[\"']\s?:\s?[\"'](?P<json>[^\"']*)[\"']"
)
UNMEANT = re.compile(
    r"\b(?:not|never|\w+n't)\b(?:(?!\b(?:but|so|i)\b)[^.,:;!?\n])*\Z"
    r"|\b(?:avoid\w*|reject\w*|consider\w*|(?:other|rather) than|instead of|over)(?: \w+)?[^\w,.:;!?\n]*\Z"
    r"|(?:\A|[\n.(])\W*(?:(?:the|required|expected|answer|output|reply) )*format\b[^.!?\n]*\Z"
    r"|\b(?:example|for instance|e\.g\.)[^.!?\n]*\Z"
)
"""Before a marked move: it is not played, or shows how a move is marked."""
HINTS = re.compile(r"not|never|n't|avoid|reject|consider|than|instead|over|format|exampl|instance|e\.g")
"""What all that has in common, which is quicker to look for."""
LEAD = 60
"""Characters before a mark that say so."""
CONTROLS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
"""Colors and the like of a terminal."""
ARROWS = re.compile(r" ?(?:-{1,3}>|={1,3}>|[→⟶➜➔⇒⟹»]|\\(?:right|Right|long)\w*arrow|\\to) ?")
DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
HTML = re.compile(r"</?(?:b|i|strong|em|code|br|p|span)\s?/?>")
MARKS = str.maketrans(dict.fromkeys('*`_$~"{}'))
MARKUP = re.compile(r"[*`_$~\"]+|\\(?:text|mathbf|mathrm|textbf)\b|[{}]|^#+|^>\s", re.MULTILINE)
SIGN = re.compile(r"\s?([>-])\s?")
GAPS = re.compile(r"[\s,-]+")
REMEMBERED = 8192
"""Sentences of a game whose meaning is remembered."""
SHORT = 24
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
    read = [_chosen(game, state, plain(reply)) for state, reply in zip(states, replies, strict=True)]
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


def plain(reply: str) -> str:
    """An answer without thoughts that it marks as such, HTML and colors, in lower case, with plain dashes and arrows."""
    text = reply.lower()
    if "\x1b" in text:
        text = CONTROLS.sub("", text)
    if "<" in text:
        text = HTML.sub("", THOUGHTS.sub(" ", text))
    text = text[-LONGEST:]
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(DASHES).replace("’", "'")
        text = "".join(sign for sign in text if sign in "\n\t" or unicodedata.category(sign)[0] != "C")
    if "&" in text:
        text = html.unescape(text)
    has_arrows = not text.isascii() or any(sign in text for sign in ("->", "=>", "\\"))
    return ARROWS.sub(">", text) if has_arrows else text


def _chosen(game: Game, state: StateArray, text: str) -> str | Reading:
    """The name of the move that a text chooses, which may be none of this game's."""
    if not ("<" in text or "\\" in text or (":" in text and ('"' in text or "'" in text))):
        return _named(game, state, text)
    marks, unmeant, stop = list[re.Match[str]](), list[re.Match[str]](), 0
    for mark in MARKED.finditer(text):
        if _content(mark):
            lead = text[max(stop, mark.start() - LEAD) : mark.start()]
            (unmeant if HINTS.search(lead) and UNMEANT.search(lead) else marks).append(mark)
        stop = mark.end()
    if not marks:
        for mark in reversed(unmeant):
            text = f"{text[: mark.start()]} {text[mark.end() :]}"
        return _named(game, state, text)
    for mark in reversed(marks):
        found = _named(game, state, _content(mark))
        if isinstance(found, str) or found.fault != "nothing":
            return found
        if (mark["tag"] or mark["key"]) not in ("action", "answer"):  # which may hold more than moves
            return _content(mark)[:80]
    return _content(marks[-1])[:80]


def _named(game: Game, state: StateArray, text: str) -> str | Reading:
    """The name of the move that a text without marks chooses."""
    bare = _bare(text)
    answer = bare.strip(" \n.!,;:'()[]")
    if len(answer) < SHORT and (name := _whole(game, answer)):
        return name
    return _of_prose(game, state, bare)


def _bare(text: str) -> str:
    """A text without Markdown and LaTeX."""
    has_more = text[:1] in ("#", ">") or any(sign in text for sign in ("\\", "\n#", "\n>"))
    return MARKUP.sub("", text) if has_more else text.translate(MARKS)


def _whole(game: Game, answer: str) -> str | None:
    """The move that an answer is, which may have spaces and signs between its letters and digits."""
    return next((form for form in (answer, " ".join(answer.split()), GAPS.sub("", answer)) if _is_move(game, form)), None)


def _is_move(game: Game, name: str) -> bool:
    try:
        game.action(name)
    except ValueError:
        return False
    return True


def _content(match: re.Match[str]) -> str:
    return (match["tagged"] or match["boxed"] or match["json"] or "").strip()


def _of_prose(game: Game, state: StateArray, text: str) -> str | Reading:
    """The name of the move that prose decides on, or the only one that it speaks for."""
    decided, alone = list[list[str]](), list[list[str]]()
    favored, options = list[str](), list[str]()
    listened = _listener(game)
    for sentence in SENTENCE.split(_worded(game, state, text)):
        said = listened(sentence)
        if said.withdraws:
            decided, favored, alone = [], [], []
        elif decided and said.doubts:
            decided, favored, alone = [], decided[-1], []
        for name in said.refuted:
            decided, alone = ([names for names in some if name not in names] for some in (decided, alone))
            favored = [one for one in favored if one != name]
        if said.decided:
            decided += [] if decided and said.sequel else [[*said.decided]]
        elif said.alone:
            alone.append([*said.favored])
            decided.append(alone[-1])
        favored = [*favored, *said.favored]
        options += said.options
    if len({*map(tuple, alone)}) > 1:  # a list
        decided = [names for names in decided if not any(names is one for one in alone)]
    return _settled(game, state, decided, favored, options)


class Said(NamedTuple):
    """What a sentence says of the moves in it.

    Args:
        withdraws: whether nothing counts that was said before.
        doubts: whether what was decided before has to be decided again.
        sequel: whether what it decides comes after what was decided before.
        alone: whether it is a move that it speaks for, and nothing else.
        decided, favored, options, refuted: the names of moves, as `Spoken` has them.
    """

    withdraws: bool
    doubts: bool
    sequel: bool = False
    alone: bool = False
    decided: tuple[str, ...] = ()
    favored: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    refuted: tuple[str, ...] = ()


@cache
def _listener(game: Game) -> Callable[[str], Said]:
    """What sentences about a game say. The last ones are remembered, since many answers use the same."""

    @lru_cache(maxsize=REMEMBERED)
    def listen(sentence: str) -> Said:
        said = Said(WITHDRAWS.search(sentence) is not None, DOUBTS.search(sentence) is not None)
        if not (mentions := [*_mentions(game, sentence)]):
            return said
        spoken = Spoken(sentence, mentions)
        named = map(tuple, (spoken.decided(), spoken.favored, spoken.options, spoken.refuted))
        alone = bool(spoken.favored) and spoken.is_alone()
        return Said(said.withdraws, said.doubts, SEQUEL.search(sentence) is not None, alone, *named)

    return listen


def _settled(game: Game, state: StateArray, decided: list[list[str]], favored: list[str], options: list[str]) -> str | Reading:
    """The name among those that an answer decides on, speaks for, or leaves open."""
    names = [*dict.fromkeys(decided[-1] if decided else favored)]
    if not names and len({*options}) > 1:
        names = [*dict.fromkeys(options)]
    if not names:
        return Reading(None, "nothing", "it names no move")
    others = [name for name in dict.fromkeys(favored) if name not in names]
    for turn in [names] if len(names) > 1 else [[other, *names] for other in others[-4:]]:
        if _is_one_turn(game, state, turn):
            return turn[0]
    if len(names) > 1:
        return Reading(None, "ambiguous", f"it names several moves, {', '.join(names[:5])}, and does not say which one is played")
    return names[0]


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


@cache
def _wordings(game: Game) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern), name) for pattern, name in game.wordings]


@cache
def _players(game: Game) -> re.Pattern[str] | None:
    """The names of the players where they are words; `o` between two moves is Spanish for or."""
    names = [name.lower() for name in game.player_names]
    return re.compile(rf"(?<!\d )\b({'|'.join(names)})\b('s\b)?") if all(map(str.isalpha, names)) else None


def _mentions(game: Game, text: str) -> Iterator[Mention]:
    """All that looks like a move of this game."""
    for match in _shape(game).finditer(text):
        yield Mention(" ".join(SIGN.sub(r"\1", match[0]).split()), match.start(), match.end())


@cache
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
