"""The move in an answer: written in any usual way, and never a guess between two.

An answer in a form of its own (`<move>c2</move>`, `\\boxed{c2}`, `"move": "c2"`) counts before all prose, the last one before
others. In prose a move counts that the writer decides on ("I'll play c2"), else the only one that the prose speaks for. Moves that
it speaks against ("not c2", "c2 is taken") or only considers ("if I play c2") do not count. Whether a move is legal here never
decides which one was meant.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..envs.games.game import Game, StateArray

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


class Mention(NamedTuple):
    """A move in a text: its name as the game writes it, and where it stands."""

    name: str
    start: int
    stop: int


THOUGHTS = re.compile(r"<(think|thinking|reasoning|scratchpad)>.*?(?:</\1>|\Z)", re.DOTALL)
MARKED = re.compile(
    r"<(?P<tag>move|answer|action)>\s*(?P<tagged>.*?)\s*(?:</(?P=tag)>|\Z)"
    r"|\\boxed\s*\{(?P<boxed>(?:[^{}]|\{[^{}]*\})*)\}"
    r"|[\"'](?:move|action|answer)[\"']\s*:\s*[\"'](?P<json>[^\"']*)[\"']",
    re.DOTALL,
)
ARROWS = re.compile(r"\s*(?:-+>|=+>|[→⟶➜➔⇒⟹»]|\\(?:right|Right|long)\w*arrow|\\to)\s*")
DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
MARKUP = re.compile(r"[*`_$~]+|\\(?:text|mathbf|mathrm|textbf)\b|[{}]|^#+|^>\s", re.MULTILINE)
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")

DECIDES = re.compile(
    r"""\b(?:
        i(?:'ll|'d|'m\ going\ to|\ will|\ shall|\ would|\ must|\ am\ going\ to|\ (?:choose|decide|want|have)\ to)?
            (?:\ now|\ therefore|\ then)?
            \ (?:play|choose|pick|select|go|take|place|move|give|put|push|pass|mark|remove|drop|settle|decide)\w*
        | (?:my|the|final|best|correct|optimal|chosen|winning|next)\ (?:(?:final|best|next|chosen|winning|only)\ )?
            (?:move|answer|choice|action|play|reply|decision)(?:\ here)?(?:\ is|\ would\ be|\ will\ be|[:=]|$)
        | (?:move|answer|choice|action|play|decision|final)\s*[:=]
        | let's\ (?:play|go|choose) | going\ with | (?:therefore|thus|hence|so|conclusion)[,:]?(?=\ )
    )""",
    re.VERBOSE,
)
"""What the writer of an answer decides on follows."""
AGAINST = re.compile(
    r"\b(?:not|n't|never|no|cannot|can't|don't|won't|instead of|rather than|avoid\w*|except|illegal|than|without|nor|neither"
    r"|reject\w*)\b[^,;:]*$"
)
"""Before a move: speaks against it."""
AGAINST_AFTER = re.compile(
    r"""^[^,;.]{0,12}?\b(?:
        (?:is|was|would\ be|looks|seems|are|were)(?:\ already|\ also|\ clearly|\ just|\ simply)?
            \ (?:not|illegal|taken|occupied|bad|worse|weak|a\ mistake|a\ blunder|losing|impossible|invalid|unavailable|forbidden
                |wrong|full)
        | isn't | wasn't | wouldn't | can't | cannot | does\ not | doesn't | loses | fails | would\ lose | allows
    )\b""",
    re.VERBOSE,
)
"""After a move: speaks against it."""
CONSIDERS = re.compile(
    r"""\b(?:
        if | suppose | consider\w* | could | might | maybe | perhaps | candidates? | options? | legal\ moves | available | possible
        | threat\w* | opponent\w* | they | he | she | you | your | after | because | since | block\w* | prevent\w* | stop\w*
        | unless | when | whether | either | already | has | have | previous\w* | last\ move | played
    )\b[^;:]*$""",
    re.VERBOSE,
)
"""Before a move: speaks of it without choosing it."""
ALSO = re.compile(r"^\s*(?:,|/|or|and|,? or|,? and)\s*(?:maybe |perhaps |possibly |alternatively )?$")
SENTENCE = re.compile(r"(?:(?<=[.!?;])(?=\s)|\n|(?<=\w), (?:but|so|then|therefore)\b|\bbut\b)")


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
    """An answer without thoughts that it marks as such and without mark-up, in lower case, with plain dashes and arrows."""
    if not reply.isascii():
        reply = unicodedata.normalize("NFKC", reply).translate(DASHES).replace("’", "'")
        reply = "".join(sign for sign in reply if sign in "\n\t" or unicodedata.category(sign)[0] != "C")
    return THOUGHTS.sub(" ", ARROWS.sub(">", reply.lower()))


def _chosen(game: Game, state: StateArray, text: str) -> str | Reading:
    """The name of the move that a text chooses, which may be none of this game's."""
    marked = [match for match in MARKED.finditer(text) if _content(match)]
    if not marked:
        return _of_prose(game, state, MARKUP.sub("", text))
    answer = MARKUP.sub("", _content(marked[-1])).strip(" .!,;:\"'()[]")
    for form in (answer, answer.replace(" ", "")):
        if _is_move(game, form):
            return form
    found = _of_prose(game, state, answer)
    return answer[:80] if not isinstance(found, str) and found.fault == "nothing" else found


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
    text = _worded(game, text)
    decided, favored, considered = list[list[str]](), list[str](), set[str]()
    for sentence in filter(str.strip, SENTENCE.split(text)):
        mentions = [*_mentions(game, sentence)]
        kept = [one for one in mentions if not _is_against(sentence, one)]
        start = next((match.end() for match in DECIDES.finditer(sentence)), None)
        if kept and (choice := _decision(sentence, kept, start)):
            decided.append(choice)
        favored += [one.name for one in kept if not CONSIDERS.search(sentence[: one.start])]
        considered |= {one.name for one in kept}
    lines = [line for line in text.splitlines() if line.strip()]
    alone = [*_mentions(game, lines[-1])] if lines else []
    if len(alone) == 1 and not re.search(r"\w", lines[-1][: alone[0].start] + lines[-1][alone[0].stop :]):
        decided.append([alone[0].name])
    names = [*dict.fromkeys(decided[-1] if decided else favored)] or (sorted(considered) if len(considered) > 1 else [])
    if len(names) > 1 and not _is_one_turn(game, state, names):
        return Reading(None, "ambiguous", f"it names several moves, {', '.join(names[:5])}, and does not say which one is played")
    return names[0] if names else Reading(None, "nothing", "it names no move")


def _worded(game: Game, text: str) -> str:
    """A text in which numbers are digits and moves that are written in other words have their names."""
    for words, suffix in ((NUMBERS, ""), (ORDINALS, "th")):
        for number, word in enumerate(words, 1):
            text = re.sub(rf"\b{word}\b", f"{number}{suffix}", text)
    for pattern, name in game.wordings:
        text = re.sub(pattern, name, text)
    return text


def _mentions(game: Game, text: str) -> Iterator[Mention]:
    """All that looks like a move of this game."""
    for match in re.finditer(_shape(game), text):
        name = re.sub(r"\s*([>-])\s*", r"\1", " ".join(match[0].split()))
        yield Mention(name, match.start(), match.end())


@cache
def _shape(game: Game) -> str:
    """What the moves of a game look like, as a regular expression: for `c2>c5`, any letters and numbers around a `>`."""
    shapes = {"".join(map(_piece_shape, re.findall(r"[a-z]+|\d+|.", move))) for move in game.moves}
    return rf"(?<![\w>-])(?:{'|'.join(sorted(shapes, key=len, reverse=True))})(?![\w>]|-\w)"


def _piece_shape(piece: str) -> str:
    if piece.isdigit():
        return r"\d{1,3}"
    if piece.isalpha():
        return piece if len(piece) > 1 else "[a-z]"
    return r"\s+" if piece == " " else rf"\s*{re.escape(piece)}\s*"


def _is_against(sentence: str, one: Mention) -> bool:
    """Whether a sentence speaks against a move."""
    return bool(AGAINST.search(sentence[: one.start]) or AGAINST_AFTER.search(sentence[one.stop :]))


def _decision(sentence: str, kept: list[Mention], start: int | None) -> list[str]:
    """The moves that a sentence decides on: the first one after the words that decide, and those that stand beside it as equals."""
    after = [one for one in kept if start is not None and one.start >= start]
    if not after or CONSIDERS.search(sentence[start : after[0].start]) or CONSIDERS.search(sentence[:start]):
        return []
    chosen = after[:1]
    for one in after[1:]:
        if ALSO.match(sentence[chosen[-1].stop : one.start]):
            chosen.append(one)
    return [one.name for one in chosen]


def _is_one_turn(game: Game, state: StateArray, names: list[str]) -> bool:
    """Whether the moves are the actions of one turn, such as placing a piece and then giving one; the first is asked for now."""
    mover = game.player(state)
    for name in names:
        if name not in game.moves or game.player(state) != mover or game.action(name) not in game.legal_actions(state):
            return False
        state = game.play(state, game.action(name))
    return True
