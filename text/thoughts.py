"""Finds the answer in a reply: the text without marked thoughts, and without anything after the end of the model's turn.

Models mark thoughts in many ways: `<think>`, `<seed:think>`, `[THINK]`, `◁think▷`, `<|begin_of_thought|>`, a channel
`analysis` (harmony), a fenced block, a comment. Most of these are names in brackets. Because no list of names is complete, every
tag marks a thought unless its name is used for answers or formatting, and an unknown token with bars ends the turn. A thought that
is not closed hides all text after it, and a mark that only closes a thought hides all text before it.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple


def _set_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


BRACKETS = str.maketrans("◁▷⟨⟩‹›〈〉《》＜＞｜∣【】［］▁", "<><><><><><>||[][]_")
"""Brackets and bars of other shapes, and the ASCII character for each."""
MARK = re.compile(
    r"<!--|-->|```(?: ?(?P<fence>[a-z]+))?"
    r"|[<\[] ?(?P<close>[/|]{0,2}) ?(?P<name>[^\W\d][\w:.-]{0,40})(?P<more> [^<>\[\]]{0,200})?(?P<end>[/|]{0,2}) ?[>\]]"
)
"""A name in brackets, or the begin or end of a comment or a fenced block."""
WORDS = re.compile(r"[^\W\d_]+")
STEMS = ("think", "thought", "reason", "reflect", "scratch", "monolog", "analy", "rationale", "deliberat", "思考")
"""Parts of words that name a thought."""
NAMES = _set_of("cot plan planning inner ponder pondering brainstorm brainstorming draft details del strike")
"""Other words that name a thought, or text that is struck out."""
SHOWN = _set_of(
    """move answer choice final response reply output result solution decision message play assistant selection box constrain
    json xml text data item root game user code pre kbd samp var strong em mark ins span div font center small big sub sup
    html body table thead tbody quote blockquote img no pass"""
)
"""Words in the names of tags for answers or formatting."""
SHORTEST = 3
"""The minimum length of the name of a thought's tag; shorter names are formatting or cells."""
CLOSES = _set_of("end close stop suffix")
STARTS = _set_of(
    """start_of_role end_of_role header_start header_end role_start role_end bos begin begin_of_text begin_of_sentence im_start
    start_of_turn start_header_id end_header_id start assistant start_of_turn_token chatbot_token start_response
    begin_of_solution"""
)
"""Names that begin a turn, or the answer in it."""
ENDS = _set_of(
    """im_end im_sep eot eot_id eom_id eos eos_token seed:eos eod sep eop eoa inst endoftext endofturn end_of_text end_of_turn
    end_of_turn_token end_of_sentence end_of_message end_of_solution end_response end return call turn user user_token human
    system system_token observation tool"""
)
"""Names that end a turn, or begin the turn of somebody else."""
ORDINARY = _set_of("begin start assistant end return call turn user human system observation tool")
"""Names of these that are marks only with bars, as in `<|end|>`."""
NEXT_MESSAGE = "<|start|>assistant<|channel|>"
"""Begins another message of the same turn, so that the message before it was not the answer."""
ROLE = re.compile(r"\s?(?:assistant|model)\b:?")
"""The speaker, after the mark that begins a turn."""
NEXT = re.compile(
    r"\n[ #*>]{0,6}(?:(?:user|human|instruction|question|input)[ *]{0,3}:|you are [^\n.]{1,20}\. the position:|that gives no move:)"
)
"""The place where a model continues with the next question itself."""
OPENS_IN_WORDS = re.compile(r"\s{0,9}(?:analysis[a-z]|thinking\.\.\.\n)")
CLOSES_IN_WORDS = ("assistantfinal", "...done thinking.", "here is my response:", "here's my response:")
"""Words that begin and end a thought without marks: names of channels alone, Ollama, Granite."""

Kind = Literal["open", "close", "start", "stop", "channel", "message", "comment", "comment end", "fence", "fence end", ""]


class AnswerText(NamedTuple):
    """The answer in a reply: the text outside of thoughts, up to the end of the turn; and whether every thought is closed: if not,
    the answer may be a part of one."""

    text: str
    is_closed: bool


def find_answer(reply: str) -> AnswerText:
    """The answer in a reply, which must be in lower case."""
    text = (reply if reply.isascii() else reply.translate(BRACKETS)).lstrip()
    for phrase in CLOSES_IN_WORDS:
        text = text.rpartition(phrase)[2]
    if OPENS_IN_WORDS.match(text):
        return AnswerText("", False)
    answer = _without_thoughts(text) if "<" in text or "[" in text or "```" in text else AnswerText(text, True)
    following = next((match for match in NEXT.finditer(answer.text) if answer.text[: match.start()].strip()), None)
    return answer._replace(text=answer.text[: following.start()]) if following else answer


def _without_thoughts(text: str) -> AnswerText:
    """The text outside of marked thoughts, up to the mark that ends the turn."""
    parts, start, stop, depth = list[str](), 0, len(text), 0
    opened, opening, is_first = None, "", True
    for mark in MARK.finditer(text):
        kind = _kind(mark)
        if opened and depth and kind in ("open", "close") and mark["name"] != opened["name"] and not _is_thought(mark["name"]):
            continue  # a thought may contain any other tag
        if text.startswith(NEXT_MESSAGE, mark.end() if kind == "stop" else mark.start()):
            parts, depth, is_first, start = [], 0, True, mark.end()
            continue
        if depth and opening in ("comment", "fence"):
            if kind != f"{opening} end":
                continue
            kind = "close"
        elif depth and kind == "stop" and opened and mark["name"] == _end_of(opened):
            kind = "close"
        if kind in ("open", "comment", "fence") or (kind == "channel" and not text.startswith("final", mark.end())):
            if depth == 0:
                parts.append(text[start : mark.start()])
                opened, opening, is_first = mark, kind, is_first and not parts[-1].strip()
            depth += kind != "channel" or depth == 0
        elif kind == "close":
            if depth == 0:  # the thought began in the prompt
                parts.clear()
                is_first = True
            start, depth = mark.end(), max(0, depth - 1)
        elif kind == "channel":
            parts, depth, is_first, start = [], 0, True, mark.end() + len("final")
        elif kind == "message" and depth == 0:  # the text before it is the name of a channel
            start = mark.end()
        elif kind == "start" and depth == 0 and is_first and not text[start : mark.start()].strip():
            role = ROLE.match(text, mark.end())
            start = role.end() if role else mark.end()
        elif kind == "stop" or (kind == "start" and opening != "channel"):
            stop = mark.start()
            break
    if depth == 0:
        parts.append(text[start:stop])
    return AnswerText(" ".join(parts), depth == 0)


def _kind(mark: re.Match[str]) -> Kind:
    """The effect of a mark; empty for none."""
    if mark[0].startswith("```"):
        return "fence end" if not mark["fence"] else "fence" if _is_thought(mark["fence"]) else ""
    if not (name := mark["name"]):
        return "comment" if mark[0] == "<!--" else "comment end"
    closes, has_bar = "/" in mark["close"], "|" in mark["close"] + mark["end"]
    if has_bar and name == "channel":
        return "channel" if "|" in mark["close"] else "close"
    if has_bar and name in ("message", "content"):
        return "message"
    if name == "s":  # </s> ends a text; <s> begins a text, or elsewhere struck-out text
        return "stop" if closes else "open" if mark.start() else "start"
    if name in ENDS | STARTS and (has_bar or name not in ORDINARY):
        return "stop" if name in ENDS else "start"
    is_tag, more, words = mark[0][0] == "<", mark["more"], {*WORDS.findall(name)}
    if "/" in mark["end"] or (more and not is_tag):  # a tag without content, or several words in square brackets
        return ""
    if not _is_thought(name):
        if SHOWN & words or len(name) < SHORTEST or not (is_tag or has_bar or closes) or (more and "=" not in more):
            return ""
        if has_bar:
            return "stop"
    return "close" if closes or CLOSES & words else "open"


def _end_of(opened: re.Match[str]) -> str | None:
    """The name of a mark that ends a turn and would also close the opened mark; None if there is none."""
    return "s" if opened[0] == "<s>" else "end" if "|" in opened[0] else None


def _is_thought(name: str) -> bool:
    """Whether a name marks a thought."""
    words = WORDS.findall(name)
    return "no" not in words and (not NAMES.isdisjoint(words) or any(stem in name for stem in STEMS))
