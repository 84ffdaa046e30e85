"""Finds the moves that prose in lower case clearly plays. A model whose answer is not clear is asked again.

A sentence decides on a move if it says "I play c2", "my move is c2" or "move: c2" with no other words around, or if it is only a
move. If no sentence decides, the only move in the text counts, if all words around it praise it. Questions, conditions and
retracted moves do not count.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple


class Mention(NamedTuple):
    """A move in a text: its name in the game's notation, and its position."""

    name: str
    start: int
    stop: int


VERBS = "play|choose|pick|select|go|take|place|move|give|put|mark|remove|block|occupy|win|prefer|recommend|do|(?:answer|open) with"
DECIDES = re.compile(
    r"\b(?:i|we)(?:'ll|'d| will| must| shall| should| would| have to| want to|(?: am|'m)(?: going to)?|'ve decided to|)"
    rf"(?: (?:now|therefore|then|simply|just|rather|still|like to))? (?:(?:{VERBS})s?|going|giving|taking|placing|playing)\b"
    r"|\bi(?:'ll| will| must| have to|)(?= (?:pass|give)\b)|\blet's (?:play|go|give|take)\b|\b(?:decide|decided|settle) on\b"
    r"|\b(?:(?:my|the|final|best|chosen|selected|revised|correct|only|winning) ){1,3}(?:move|answer|choice|action|decision)\b"
    r"|\b(?:move|answer|choice|action|decision|final|play|output|mine|response|result)(?= ?[:=])"
)
"""Words that are followed by the move that is played."""


def _words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


OPENERS = _words_of(
    """so therefore thus hence and now ok okay well here is finally but i think believe that in conclusion yes sure this turn end
    the decision answer action move"""
)
"""Words that may stand before `DECIDES` in its clause."""
LINKS = _words_of(
    """is will would be the a my on at in to here cell square column space corner center centre middle edge piece cube disc with by
    for it play playing place mark take put"""
)
"""Words that may stand between `DECIDES` and the move."""
SUPPOSES = _words_of(
    """if unless when whenever once until before after suppose supposing imagine assuming assume whether not never later next
    eventually afterwards otherwise previously earlier"""
)
"""Words before `DECIDES`, or after the move in its clause, that make a decision conditional."""
GOES_ON = _words_of("because since to which and so now here instead rather over not myself this that where than")
"""The next word of the clause after a move that is decided; words that end in -ing may follow, too."""
ELSE = SUPPOSES | _words_of("but by via with they them you opponent up off back away")
"""Words after a move with which it may be another move, or the opponent's."""
PREFERS = _words_of("better best stronger strongest instead rather prefer alternatively alternative")
"""Words of a later sentence that may prefer another move."""
FILLERS = (OPENERS | LINKS) - _words_of("at in with by would but") | _words_of(
    "choose block pick go give remove for me input position best column row choice count putting placing drop"
)
"""Words that may stand beside a move in a sentence that is only a move."""
PRAISE = _words_of(
    """strong stronger strongest best good great better solid optimal winning perfect fine natural ideal key right correct looks
    seems feel really very most more lines gives controls sets fork wins win flips makes forced must only safe in flexible taking
    giving opposite diagonal keeps start way an as are because since opening board chances plays takes option try"""
)
"""Further words that may stand beside the only move in a text."""
BESIDE = _words_of("or and maybe perhaps possibly alternatively also then but either")
"""Words between moves of which none is preferred."""
RETRACTS = re.compile(
    r"\b(?:wait|scratch that|never ?mind|on second thought|actually|correction|oops|sorry|hmm|cancel that)\b|\bno[,.!]"
    r"|\b(?:that|this|it)(?:'s| is| would)(?: already)? (?:not|taken|occupied|illegal|impossible|bad|lose)\b"
)
"""Words that retract all text before them."""
CONTRASTS = re.compile(r"\W*(?:but|however|although|though|yet)\b")
"""Words that cancel the decisions before them."""
REASONS = re.compile(
    r"\W{0,6}(?:thoughts?|thinking|reasons?|reasoning|analysis|explanation|rationale|reflection|notes?|plan|idea)\W{0,4}:"
)
"""Labels that mark the rest of a line, up to an answer in it, as a thought."""
REASONING = re.compile(
    r"[#\s]{0,6}(?:my |the |step by step )?(?:thoughts?|thinking|reasons?|reasoning|analysis|explanation|rationale|reflection|plan)"
    r"(?: process)?\W{0,6}"
)
"""Headings that mark the next paragraph as a thought."""
ITEM = re.compile(r"\s*(?:[-•+]\s|\(?\d{1,2}[.):]\s?|\(?[a-z]\)\s)")
"""The begin of an item of a list."""
SENTENCE = re.compile(r"(?<=[.!?;])(?<!e\.g\.)(?<!i\.e\.)\s+|, (?=(?:but|so|therefore|hence|thus|however)\b)|(?<=\w) (?=but\b)")
THINKING = re.compile(r"\bafter (?:(?:analy|look|consider|evaluat|weigh|think|check|examin|review)\w{1,6}|careful|some|much)\b")
"""Words before a decision that look like a condition and are not one."""
CLAUSE = re.compile(r"[,.:(–-]")
WORD = re.compile(r"\w+(?:'[a-z]+)?|[❌✗✘🚫👎≠¬✖⛔]")
NEAR = 200
"""The number of characters around a decision that are read."""


class Sentence:
    """A sentence with the moves in it.

    Attributes:
        names: the moves.
        decided: the moves that it decides on: the first one after `DECIDES`, and those beside it of which none is preferred.
        is_alone: whether it is only one move.
        is_final: whether it calls its decision final.
    """

    def __init__(self, text: str, mentions: list[Mention]) -> None:
        self.names = [mention.name for mention in mentions]
        self.decided, self.is_final = list[str](), False
        asks = text.rstrip(" \"')").endswith("?")
        self.is_alone = not asks and len({*self.names}) == 1 and {*_around(text, mentions)} <= FILLERS
        stops = [mention.stop for mention in mentions]
        for match in DECIDES.finditer(text) if mentions and not asks else ():
            first = bisect_left(stops, match.end())
            if first < len(mentions) and _decides(text, match, mentions[first]):
                self.decided += _equals(text, mentions[first:])
                self.is_final |= "final" in match[0]


def moves_in(text: str, find: Callable[[str], list[Mention]]) -> tuple[list[str], bool]:
    """The moves that a text plays, and True; or if it plays none, the moves that it names, and False.

    Args:
        text: the text, in lower case.
        find: finds the moves in a sentence.
    """
    start = max((match.end() for match in RETRACTS.finditer(text)), default=0)
    decided, listed, is_list = list[str](), list[str](), False
    for part, is_listed in _sentences(text[start:]):
        sentence = Sentence(part, find(part))
        if CONTRASTS.match(part) or sentence.is_final:
            decided, listed = [], []
        elif decided and not sentence.decided and PREFERS & {*_words(part)} and not ELSE & {*_words(part)}:
            decided += sentence.names
        decided += sentence.decided
        if sentence.is_alone and not sentence.decided:
            listed += sentence.names
            is_list |= is_listed
    if not is_list and len({*listed}) == 1:
        decided += listed
    if decided:
        return [*dict.fromkeys(decided)], True
    prose = "\n".join(part for part, _ in _sentences(text))
    mentions = find(prose)
    names = [*dict.fromkeys(mention.name for mention in mentions)]
    return names, len(names) == 1 and start == 0 and "?" not in prose and {*_around(prose, mentions)} <= FILLERS | PRAISE


def _sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a text without marked thoughts, each with whether it is an item of a list."""
    is_listed = is_reasoning = has_reasons = False
    for line in text.split("\n"):
        if REASONING.fullmatch(line):
            is_reasoning, has_reasons = True, False
            continue
        if is_reasoning and (_is_label(line.lstrip(" #")) or (has_reasons and not line.strip())):
            is_reasoning = False
        has_reasons |= is_reasoning and bool(line.strip())
        item, is_reason = ITEM.match(line), is_reasoning
        for sentence in SENTENCE.split(line[item.end() :] if item else line):
            if REASONS.match(sentence):
                is_reason = True
            elif is_reason and not is_reasoning and _is_label(sentence):
                is_reason = False
            if not is_reason:
                yield sentence, is_listed or item is not None
        if line.strip():
            is_listed = line.rstrip().endswith(":") and not {*_words(line)} <= FILLERS


def _is_label(text: str) -> bool:
    """Whether a text begins with a label for the move, or is only such a label."""
    match = DECIDES.match(text)
    words = [*_words(text[: match.end()] if match else text)]
    return (match is not None and words[0] not in ("i", "we", "let")) or (bool(words) and {*words} <= OPENERS)


def _decides(text: str, match: re.Match[str], mention: Mention) -> bool:
    """Whether a match of `DECIDES` decides on the next move."""
    before, between = THINKING.sub("", text[max(0, match.start() - NEAR) : match.start()]), text[match.end() : mention.start]
    if len(between) > NEAR or not {*_words(between)} <= LINKS or SUPPOSES & {*_words(before)}:
        return False
    after = [*_words(CLAUSE.split(text[mention.stop : mention.stop + NEAR])[0])]
    is_given = mention.name[:2].isalpha()  # a move such as `give 7`, which "to you" may follow
    goes_on = is_given or not after or after[0] in GOES_ON or after[0].endswith("ing")
    against = SUPPOSES if is_given else ELSE
    return {*_words(before.rpartition(",")[2])} <= OPENERS and goes_on and not against & {*after}


def _equals(text: str, mentions: list[Mention]) -> Iterator[str]:
    """The first of some moves, and the next ones as long as no word prefers one of them."""
    yield mentions[0].name
    for mention, other in pairwise(mentions):
        gap = text[mention.stop : other.start]
        words = {*_words(gap)}
        if len(gap) > NEAR or not words <= BESIDE or ("or" not in words and ("(" in gap or ")" in gap)):
            return
        yield other.name


def _around(text: str, mentions: list[Mention]) -> Iterator[str]:
    """The words around the moves in a text."""
    start = 0
    for mention in mentions:
        yield from _words(text[start : mention.start])
        start = mention.stop
    yield from _words(text[start:])


def _words(text: str) -> Iterator[str]:
    """The words of a text: `it` for `it's`, and `not` for all words that end in `n't`."""
    for match in WORD.finditer(text):
        if not match[0].isdigit():
            yield "not" if match[0].endswith("n't") else match[0].partition("'")[0]
