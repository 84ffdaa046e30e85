"""Reads the answers of endpoints: a chat completion, as JSON or as a stream of events.

The answers are untrusted. Fields that are not needed may be missing or have any type.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, cast

from .complaints import MESSAGES, message_of

MOST_TOKENS = 2**53
"""A larger number of tokens counts as this one."""
STREAMED = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:data|event|id|retry)?:")
"""The beginning of a stream of events; JSON never begins so."""
LINE = re.compile(r"\r\n|\n|\r")
THOUGHTS = ("reasoning_content", "reasoning", "thinking", "thought", "thoughts", "reasoning_details", "thinking_blocks")
"""Fields of a message that may contain reasoning; the first one with text counts."""
WORDS = ("text", "content", "value", "thinking", "reasoning", "summary", "refusal")
"""Fields of a part of a message that may contain its text; the first one with text counts."""

End = Literal["whole", "cut off", "refused", "odd", "late"]
"""How a reply ended: complete, cut off at its maximum length, refused, for an unusual reason, or too late."""
ENDS: tuple[tuple[str, End | None], ...] = (
    (r"filter|safety|refus|recitation|blocked|blocklist|prohibit|spii|guardrail|toxic|moderat|sensitive|policy", "refused"),
    (r"length|toolong|max|(?<!rate)(?<!time)limit|window|truncat|incomplete|budget|tokens", "cut off"),
    (
        r"error|fail|abort|cancel|timeout|timedout|limit|resource|quota|exhaust|capacity|overload|unavailable|interrupt|exception|busy",
        None,
    ),
    (r"^(?:stop\w*|end\w*|eos\w*|complet\w*|finish\w*|done|normal|success|ok|none|null|)$", "whole"),
)
"""The meaning of the finish reasons of endpoints, in lower-case letters only; None for a failure of the endpoint."""


class Completion(NamedTuple):
    """A reply.

    Args:
        text: the text of the answer, or of a refusal.
        end: how it ended.
        finish: the endpoint's finish reason.
        reasoning: the reasoning before the answer; empty if the endpoint does not return it.
        model: the model that the endpoint names.
        tokens_in, tokens_out: the numbers of tokens of the prompt and the reply; None if they are not known.
        milliseconds: the time that it took.
        requests: the number of requests that it took.
    """

    text: str
    end: End
    finish: str = ""
    reasoning: str = ""
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    milliseconds: float = 0.0
    requests: int = 1


class NotACompletionError(ValueError):
    """An answer is not a completion; the message says what it is, as the end of a sentence, and may quote the endpoint."""


def completion_of(content: bytes) -> Completion:
    """The first choice of an answer.

    Args:
        content: the answer's body.

    Raises:
        NotACompletionError: it has no choice, broke off, or is something else.
    """
    try:
        body = _merge_events(_events(content)) if STREAMED.match(content) else _object(_parse_json(content))
    except NotACompletionError:
        raise
    except (ValueError, RecursionError):
        message = message_of(content)
        raise NotACompletionError("something that is not a chat completion" + (f" ({message})" if message else "")) from None
    choice = next(_choices(body), None)
    message = _message(choice or {})
    text, reasoning, refusal = _parts(message.get("content"))
    refusal = refusal or _words(message.get("refusal"))
    reasoning = next(filter(None, (_words(message.get(name)) for name in THOUGHTS)), reasoning)
    finish = _reason(choice or {})
    end = "refused" if refusal else end_of(finish)
    if end == "whole" and not text and message.get("tool_calls"):
        end, finish = "odd", "tool_calls"
    if choice is None or end is None or (end == "odd" and not text and "tool" not in finish and "function" not in finish):
        raise NotACompletionError(_problem(body, choice, finish))
    if not (text and finish) and end != "refused" and (problem := message_of([choice.get("error"), body.get("error")])):
        raise NotACompletionError(f"an error ({problem})")
    usage = _fields(body.get("usage"))
    tokens = (_count(usage, "prompt_tokens", "input_tokens"), _count(usage, "completion_tokens", "output_tokens"))
    return Completion(
        text=refusal or text,
        end=end,
        finish=finish,
        reasoning=reasoning,
        model=_words(body.get("model")),
        tokens_in=tokens[0],
        tokens_out=tokens[1],
    )


def end_of(finish: str) -> End | None:
    """How a reply ended, from the endpoint's finish reason; None if the endpoint failed."""
    letters = re.sub(r"[^a-z]", "", finish.lower())
    for pattern, end in ENDS:
        if re.search(pattern, letters):
            return end
    return "odd"


def _problem(body: dict[str, Any], choice: dict[str, Any] | None, finish: str) -> str:
    """What is wrong with an answer that is no completion, as the end of a sentence."""
    if message := message_of((choice or {}).get("error")) or _error_in(body):
        return f"an error ({message})"
    return "a chat completion without a choice" if choice is None else f"a reply that ended by {finish!r}"


def _error_in(fields: dict[str, Any]) -> str:
    """The error that an object reports in its own fields; empty if it reports none."""
    return message_of({name: fields[name] for name in MESSAGES if name in fields})


def _parse_json(content: bytes | str) -> Any:
    return json.loads(content, parse_int=float)  # Python refuses integers of thousands of digits; float reads any


def _object(value: Any) -> dict[str, Any]:
    """Checks that a value is an object, and returns it.

    Raises:
        ValueError: it is something else.
    """
    if not isinstance(value, dict):
        raise ValueError(type(value).__name__)
    return cast("dict[str, Any]", value)


def _events(content: bytes) -> Iterator[str]:
    """The data of each event of a stream; several lines of data are joined."""
    data = list[str]()
    for line in (*LINE.split(content.decode("utf-8-sig", errors="replace")), ""):
        name, _, value = line.partition(":")
        if name.strip() == "data":
            data.append(value.removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data.clear()


def _merge_events(events: Iterator[str]) -> dict[str, Any]:
    """Merges the events of a stream into the body of one answer.

    Raises:
        ValueError: an event is not JSON.
        NotACompletionError: the stream reports an error, or broke off.
    """
    body, message, finish, is_done = dict[str, Any](), dict[str, list[Any]](), "", False
    for event in events:
        if event.strip() == "[DONE]":
            is_done = True
            continue
        part = _object(_parse_json(event))
        error = message_of([part.get("error"), *(choice.get("error") for choice in _choices(part))])
        if error or ("choices" not in part and (error := _error_in(part))):
            raise NotACompletionError(f"an error ({error})")
        body |= {name: part[name] for name in ("model", "usage") if part.get(name)}
        for choice in _choices(part):
            if _count(choice, "index"):
                continue  # only the first choice, of index 0, is read
            if "message" in choice:  # some endpoints repeat the whole message at the end
                message.clear()
            for name, value in _message(choice).items():
                if value:
                    message.setdefault(name, []).append(value)
            finish = _reason(choice) or finish
    if not is_done and not finish:
        raise NotACompletionError("a stream that broke off")
    return body | {"choices": [{"message": message, "finish_reason": finish}] if message or finish else []}


def _fields(value: Any) -> dict[str, Any]:
    """The value if it is an object; else an empty object."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _items(value: Any) -> Sequence[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else () if value is None else (value,)


def _choices(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (fields for choice in _items(body.get("choices")) if (fields := _fields(choice)))


def _message(choice: dict[str, Any]) -> dict[str, Any]:
    """The message of a choice, or a part of it in a stream; older endpoints have only a text."""
    message = choice.get("message") or choice.get("delta")
    return _fields(message) or {"content": message or choice.get("text")}


def _reason(choice: dict[str, Any]) -> str:
    """The finish reason of a choice; empty if there is none."""
    reason = choice.get("finish_reason") or choice.get("stop_reason")
    reason = _fields(reason).get("type", reason)
    return "" if reason is None else str(reason)


def _parts(content: Any) -> tuple[str, str, str]:
    """The text, the reasoning and the refusal of a message; some endpoints send them as parts of one content."""
    text, reasoning, refusal = list[str](), list[str](), list[str]()
    for part in _items(content):
        if isinstance(part, list):
            nested = _parts(cast("list[Any]", part))
            for words, more in zip((text, reasoning, refusal), nested, strict=True):
                words.append(more)
            continue
        kind = str(_fields(part).get("type", ""))
        is_thought = "think" in kind or "reason" in kind or _fields(part).get("thought") is True
        (reasoning if is_thought else refusal if "refus" in kind else text).append(_words(part))
    return "".join(text), "".join(reasoning), "".join(refusal)


def _words(value: Any, depth: int = 8) -> str:
    """The text in a value: a string, or the text of its items or fields."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and depth:
        return "".join(_words(item, depth - 1) for item in cast("list[Any]", value))
    fields = _fields(value) if depth else {}
    return next(filter(None, (_words(fields[name], depth - 1) for name in WORDS if name in fields)), "")


def _count(fields: dict[str, Any], *names: str) -> int | None:
    """The number in the first of the named fields that has one; None if none has."""
    for name in names:
        try:
            return min(MOST_TOKENS, max(0, int(float(fields[name]))))
        except OverflowError:
            return MOST_TOKENS
        except (KeyError, TypeError, ValueError):
            continue
    return None
