"""What of a reply is the answer: without the thoughts that models mark as such, and without what follows the end of their turn.

Makers mark thoughts in their own ways: `<think>`, `<seed:think>`, `[THINK]`, `◁think▷`, `<|begin_of_thought|>`, a channel
`analysis` (harmony), a fenced block, a comment. What most of them have in common is a name in brackets. Since nobody knows all
names, a tag marks a thought unless its name stands around answers or sets type, and a token with bars that is not known ends the
turn. A thought that is not closed hides all that follows, and a mark that only closes one hides all before it.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from .marks import PARTS

BRACKETS = str.maketrans("◁▷⟨⟩‹›〈〉《》＜＞｜∣【】［］▁", "<><><><><><>||[][]_")
"""Brackets and bars of other shapes, and the usual one for each."""
MARK = re.compile(
    r"<!--|-->|```(?: ?(?P<fence>[a-z]+))?"
    r"|[<\[] ?(?P<close>[/|]{0,2}) ?(?P<name>[^\W\d][\w:.-]{0,40})(?P<more> [^<>\[\]]{0,200})?(?P<end>[/|]{0,2}) ?[>\]]"
)
"""A name in brackets, or what begins or ends a comment or a fenced block."""
WORDS = re.compile(r"[^\W\d_]+")
STEMS = ("think", "thought", "reason", "reflect", "scratch", "monolog", "analy", "rationale", "deliberat", "思考")
"""What is in words that name a thought."""
NAMES = {
    "cot",
    "plan",
    "planning",
    "inner",
    "ponder",
    "pondering",
    "brainstorm",
    "brainstorming",
    "draft",
    "details",
    "del",
    "strike",
}
"""Other words that name a thought, or something that is struck out."""
SHOWN = {
    *PARTS,
    *("move", "answer", "choice", "final", "response", "reply", "output", "result", "solution", "decision", "message", "play"),
    *("assistant", "selection", "box", "constrain", "json", "xml", "text", "data", "item", "root", "game", "user"),
    *(
        "code",
        "pre",
        "kbd",
        "samp",
        "var",
        "strong",
        "em",
        "mark",
        "ins",
        "span",
        "div",
        "font",
        "center",
        "small",
        "big",
        "sub",
        "sup",
    ),
    *("html", "body", "table", "thead", "tbody", "quote", "blockquote", "img", "no", "pass"),
}
"""Words in names that stand around an answer, or set type."""
SHORTEST = 3
"""Letters of the name of such a tag; shorter ones set type, or are cells."""
CLOSES = {"end", "close", "stop", "suffix"}
STARTS = {
    *("start_of_role", "end_of_role", "header_start", "header_end", "role_start", "role_end"),
    *("bos", "begin", "begin_of_text", "begin_of_sentence", "im_start", "start_of_turn", "start_header_id", "end_header_id"),
    *("start", "assistant", "start_of_turn_token", "chatbot_token", "start_response", "begin_of_solution"),
}
"""What begins a turn, or the answer in it."""
ENDS = {
    *(
        "im_end",
        "im_sep",
        "eot",
        "eot_id",
        "eom_id",
        "eos",
        "eos_token",
        "seed:eos",
        "eod",
        "sep",
        "eop",
        "eoa",
        "inst",
        "endoftext",
    ),
    *("endofturn", "end_of_text", "end_of_turn", "end_of_turn_token", "end_of_sentence", "end_of_message", "end_of_solution"),
    *("end_response", "end", "return", "call", "turn", "user", "user_token", "human", "system", "system_token", "observation"),
    "tool",
}
"""What ends a turn, or begins somebody else's."""
ORDINARY = {"begin", "start", "assistant", "end", "return", "call", "turn", "user", "human", "system", "observation", "tool"}
"""Those of them that are marks only with bars, as in `<|end|>`."""
NEXT_MESSAGE = "<|start|>assistant<|channel|>"
"""Another message of the same turn follows, so that the one before it was not the answer."""
ROLE = re.compile(r"\s?(?:assistant|model)\b:?")
"""Who speaks, after what begins a turn."""
NEXT = re.compile(
    r"\n[ #*>]{0,6}(?:(?:user|human|instruction|question|input)[ *]{0,3}:|you are [^\n.]{1,20}\. the position:|that gives no move:)"
)
"""Where a model goes on and writes the next question itself."""
OPENS_IN_WORDS = re.compile(r"\s{0,9}(?:analysis[a-z]|thinking\.\.\.\n)")
CLOSES_IN_WORDS = ("assistantfinal", "...done thinking.", "here is my response:", "here's my response:")
"""How a thought begins and ends where no mark says so: channels without the marks around their names, Ollama, Granite."""

Kind = Literal["open", "close", "start", "stop", "channel", "message", "comment", "comment end", "fence", "fence end", ""]


class AnswerText(NamedTuple):
    """The answer in a reply.

    Args:
        text: what stands outside of thoughts, up to the end of the turn.
        is_closed: whether every thought in it is closed. Where one is not, the answer may be a part of the thought.
    """

    text: str
    is_closed: bool


def find_answer(reply: str) -> AnswerText:
    """The answer in a reply in lower case."""
    text = (reply if reply.isascii() else reply.translate(BRACKETS)).lstrip()
    for phrase in CLOSES_IN_WORDS:
        text = text.rpartition(phrase)[2]
    if OPENS_IN_WORDS.match(text):
        return AnswerText("", False)
    answer = _without_thoughts(text) if "<" in text or "[" in text or "```" in text else AnswerText(text, True)
    following = next((match for match in NEXT.finditer(answer.text) if answer.text[: match.start()].strip()), None)
    return answer._replace(text=answer.text[: following.start()]) if following else answer


def _without_thoughts(text: str) -> AnswerText:
    """A text without what stands between the marks of thoughts, and up to the mark that ends its turn."""
    kept, start, stop, depth = list[str](), 0, len(text), 0
    opened, opening, is_first = None, "", True
    for mark in MARK.finditer(text):
        kind = _kind(mark)
        if opened and depth and kind in ("open", "close") and mark["name"] != opened["name"] and not _is_thought(mark["name"]):
            continue  # any tag may be thought about
        if text.startswith(NEXT_MESSAGE, mark.end() if kind == "stop" else mark.start()):
            kept, depth, is_first, start = [], 0, True, mark.end()
            continue
        if depth and opening in ("comment", "fence"):
            if kind != f"{opening} end":
                continue
            kind = "close"
        elif depth and kind == "stop" and opened and mark["name"] == _end_of(opened):
            kind = "close"
        if kind in ("open", "comment", "fence") or (kind == "channel" and not text.startswith("final", mark.end())):
            if depth == 0:
                kept.append(text[start : mark.start()])
                opened, opening, is_first = mark, kind, is_first and not kept[-1].strip()
            depth += kind != "channel" or depth == 0
        elif kind == "close":
            if depth == 0:  # it began in the prompt
                kept.clear()
                is_first = True
            start, depth = mark.end(), max(0, depth - 1)
        elif kind == "channel":
            kept, depth, is_first, start = [], 0, True, mark.end() + len("final")
        elif kind == "message" and depth == 0:  # what stands before it is the name of a channel
            start = mark.end()
        elif kind == "start" and depth == 0 and is_first and not text[start : mark.start()].strip():
            role = ROLE.match(text, mark.end())
            start = role.end() if role else mark.end()
        elif kind == "stop" or (kind == "start" and opening != "channel"):
            stop = mark.start()
            break
    if depth == 0:
        kept.append(text[start:stop])
    return AnswerText(" ".join(kept), depth == 0)


def _kind(mark: re.Match[str]) -> Kind:
    """What a mark does."""
    if mark[0].startswith("```"):
        return "fence end" if not mark["fence"] else "fence" if _is_thought(mark["fence"]) else ""
    if not (name := mark["name"]):
        return "comment" if mark[0] == "<!--" else "comment end"
    closes, has_bar = "/" in mark["close"], "|" in mark["close"] + mark["end"]
    if has_bar and name == "channel":
        return "channel" if "|" in mark["close"] else "close"
    if has_bar and name in ("message", "content"):
        return "message"
    if name == "s":  # ends a text; without a slash it begins one, or what is struck out
        return "stop" if closes else "open" if mark.start() else "start"
    if name in ENDS | STARTS and (has_bar or name not in ORDINARY):
        return "stop" if name in ENDS else "start"
    is_tag, more, words = mark[0][0] == "<", mark["more"], {*WORDS.findall(name)}
    if "/" in mark["end"] or (more and not is_tag):  # words in brackets
        return ""
    if not _is_thought(name):
        if SHOWN & words or len(name) < SHORTEST or not (is_tag or has_bar or closes) or (more and "=" not in more):
            return ""
        if has_bar:
            return "stop"
    return "close" if closes or CLOSES & words else "open"


def _end_of(opened: re.Match[str]) -> str | None:
    """The name of the mark that ends a turn, and also what a mark has opened."""
    return "s" if opened[0] == "<s>" else "end" if "|" in opened[0] else None


def _is_thought(name: str) -> bool:
    """Whether a name is that of a thought."""
    words = WORDS.findall(name)
    return "no" not in words and (not NAMES.isdisjoint(words) or any(stem in name for stem in STEMS))
