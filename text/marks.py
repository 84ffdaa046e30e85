"""The marked moves of an answer: `<move>c2</move>`, `\\boxed{c2}`, `{"move": "c2"}`.

A mark after "not", "instead of" or "for example" does not count. A text is read in one pass, without regular expressions where
brackets are nested, so that no text takes long.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

TAG = re.compile(
    r"<\s?(?P<tag>move|answer|action|choice|final|final_answer|final_move)\s?>(?P<content>[^<]*)(?:<\s?/\s?[a-z_]{1,20}\s?>)?"
)
BOX = re.compile(r"\\(?:boxed|fbox)\s?\{|<\|begin_of_box\|>")
END_OF_BOX = "<|end_of_box|>"
FENCE = re.compile(r"```(?:json|python)?")
LEAD = 60
"""The number of characters before a mark that show whether it is meant."""
CLAUSE = re.compile(r"[.,:;!?\n]|\b(?:but|so|i)\b")
SENTENCE = re.compile(r"[.!?\n]")
UNMEANT = re.compile(r"\b(?:not|never|\w{1,20}n't|avoid\w*|reject\w*|consider\w*|than|instead of|over)\b")
EXAMPLE = re.compile(r"\b(?:example|instance)\b|e\.g\.|\A\W*(?:\w+ ){0,3}format\b")
OR = re.compile(r"\W{0,9}\bor\b\W{0,9}(?:\w{1,20}\W{1,3})?")
CHOICE = re.compile(
    r"(?:(?:best|final|next|my|your|chosen|selected)[_ -]?)?"
    r"(?:move|answer|action|choice|play|decision|selection|selected|pick|output|response|result|arguments|args|parameters|input)"
)
"""Names of fields that contain a move."""
PARTS = (
    *(
        "action",
        "heap",
        "pile",
        "row",
        "from",
        "source",
        "src",
        "origin",
        "start",
        "take",
        "cube",
        "place",
        "cell",
        "square",
        "position",
    ),
    *(
        "column",
        "col",
        "to",
        "target",
        "destination",
        "dest",
        "end",
        "push",
        "insert",
        "count",
        "objects",
        "amount",
        "number",
        "remove",
    ),
    *("stones", "sticks", "matches", "coins", "items", "give", "piece", "next_piece"),
)
"""Names of fields that contain parts of a move, in the order of these parts in a sentence."""
LONGEST_FIELD = 12
"""The maximum number of characters of such a part."""


class Mark(NamedTuple):
    """A mark in an answer.

    Args:
        kind: the name of its tag, or `boxed`.
        content: the text in it.
    """

    kind: str
    content: str


def find_marks(text: str) -> tuple[list[Mark], str]:
    """The tags and boxes of a text that are meant, and the text without the others."""
    marks, kept, start = list[Mark](), list[str](), 0
    for kind, first, stop, content in sorted((*_tags(text), *_boxes(text)), key=lambda mark: mark[1]):
        if not content.strip():
            continue
        lead = text[max(start, first - LEAD) : first]
        clause, sentence = CLAUSE.split(lead)[-1], SENTENCE.split(lead)[-1]
        if marks and OR.fullmatch(lead):
            marks[-1] = Mark(kind, f"{marks[-1].content} or {content.strip()}")
            kept.append(text[start:stop])
        elif UNMEANT.search(clause) or EXAMPLE.search(sentence):
            kept.append(text[start:first])
        else:
            marks.append(Mark(kind, content.strip()))
            kept.append(text[start:stop])
        start = max(start, stop)
    return marks, " ".join((*kept, text[start:]))


def _tags(text: str) -> Iterator[tuple[str, int, int, str]]:
    for tag in TAG.finditer(text):
        yield tag["tag"], tag.start(), tag.end(), tag["content"]


def _boxes(text: str) -> Iterator[tuple[str, int, int, str]]:
    stop = 0
    for box in BOX.finditer(text):
        if box.start() < stop:
            continue
        start = box.end()
        stop = text.find(END_OF_BOX, start) if box[0].startswith("<") else _find_closing_brace(text, start)
        if stop >= 0:
            yield "boxed", box.start(), stop, text[start:stop]
        else:
            stop = start


def _find_closing_brace(text: str, start: int) -> int:
    """The position of the brace that closes the one before `start`; -1 if it is not within some hundred characters."""
    depth = 1
    for position in range(start, min(len(text), start + 300)):
        depth += (text[position] == "{") - (text[position] == "}")
        if depth == 0:
            return position
    return -1


def find_objects(text: str) -> list[dict[str, Any]]:
    """The outermost objects of a text, in JSON or written as a dict in Python."""
    objects = list[dict[str, Any]]()
    for span in _spans(text):
        for source in (span, span.replace("'", '"')):
            try:
                value = json.loads(source)
            except (ValueError, RecursionError):
                continue
            objects += [value] if isinstance(value, dict) else []
            break
    return objects


def _spans(text: str) -> Iterator[str]:
    """The texts in the outermost braces."""
    depth, start, is_quoted = 0, 0, False
    for match in re.finditer(r'[{}]|\\?"', text):
        if match[0] == '"' and depth:
            is_quoted = not is_quoted
        elif match[0] == "{" and not is_quoted:
            start = match.start() if depth == 0 else start
            depth += 1
        elif match[0] == "}" and not is_quoted and depth:
            depth -= 1
            if depth == 0:
                yield text[start : match.end()]


def is_object(text: str) -> bool:
    """Whether a text is nothing but an object, in a fenced block or not."""
    bare = FENCE.sub("", text).strip()
    return bare.startswith("{") and bare.endswith("}")


def move_fields(value: dict[str, Any]) -> list[Any]:
    """The values of the fields that name a whole move, such as `move` and `choice`."""
    return [field for name, field in value.items() if CHOICE.fullmatch(name) and field not in (None, "")]


def describe_parts(value: dict[str, Any]) -> str:
    """The fields of an object that name parts of a move, such as `heap` and `take`, as a few words."""
    parts = {name: field for name, field in value.items() if isinstance(field, (str, int)) and not isinstance(field, bool)}
    short = {name: str(field) for name, field in parts.items() if len(str(field)) <= LONGEST_FIELD}
    return " ".join(f"{name.replace('_', ' ')} {short[name]}" for name in PARTS if name in short)
