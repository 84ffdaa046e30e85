"""What an endpoint answers: a chat completion, as JSON or as a stream of events, as far as we use it.

All of it is data from a stranger. What nobody needs may be missing or be anything.
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
"""How a stream of events begins, and JSON never does."""
LINE = re.compile(r"\r\n|\n|\r")
THOUGHTS = ("reasoning_content", "reasoning", "thinking", "thought", "thoughts", "reasoning_details", "thinking_blocks")
"""Fields of a message that hold reasoning, the first of which counts that has any."""
WORDS = ("text", "content", "value", "thinking", "reasoning", "summary", "refusal")
"""Fields of a part of a message that hold its words, the first of which counts that has any."""

End = Literal["whole", "cut off", "refused", "odd", "late"]
"""How a reply ended: it is whole; it was cut off at a length; it was refused; it ended for an odd reason; or it came too late."""
ENDS: tuple[tuple[str, End | None], ...] = (
    (r"filter|safety|refus|recitation|blocked|blocklist|prohibit|spii|guardrail|toxic|moderat|sensitive|policy", "refused"),
    (r"length|toolong|max|(?<!rate)(?<!time)limit|window|truncat|incomplete|budget|tokens", "cut off"),
    (
        r"error|fail|abort|cancel|timeout|timedout|limit|resource|quota|exhaust|capacity|overload|unavailable|interrupt|exception|busy",
        None,
    ),
    (r"^(?:stop\w*|end\w*|eos\w*|complet\w*|finish\w*|done|normal|success|ok|none|null|)$", "whole"),
)
"""What the reasons to finish mean that endpoints give, in small letters without signs; None for a failure of the endpoint."""


class Completion(NamedTuple):
    """A reply.

    Args:
        text: what it says, or what a refusal says.
        end: how it ended.
        finish: why it ended, in the endpoint's words.
        reasoning: what was thought before; empty if the endpoint does not say.
        model: which model it says that it is.
        tokens_in, tokens_out: of the prompt and the reply; None where they are not known.
        milliseconds: how long it took.
        requests: how many requests it took.
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
    """An answer is something else; the message says what, as the end of a sentence, and may hold words of the endpoint."""


def completion_of(content: bytes) -> Completion:
    """The first choice of an answer.

    Args:
        content: the answer's body.

    Raises:
        NotACompletionError: it has no choice, broke off, or is something else.
    """
    try:
        body = _joined(_events(content)) if STREAMED.match(content) else _object(_parsed(content))
    except NotACompletionError:
        raise
    except (ValueError, RecursionError):
        said = message_of(content)
        raise NotACompletionError("something that is no chat completion" + (f" ({said})" if said else "")) from None
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
    if not (text and finish) and end != "refused" and (said := message_of([choice.get("error"), body.get("error")])):
        raise NotACompletionError(f"an error ({said})")
    usage = _fields(body.get("usage"))
    tokens = (_count(usage, "prompt_tokens", "input_tokens"), _count(usage, "completion_tokens", "output_tokens"))
    return Completion(refusal or text, end, finish, reasoning, _words(body.get("model")), *tokens)


def end_of(finish: str) -> End | None:
    """How a reply ended, by the reason that an endpoint gives; None if the endpoint failed."""
    letters = re.sub(r"[^a-z]", "", finish.lower())
    for pattern, end in ENDS:
        if re.search(pattern, letters):
            return end
    return "odd"


def _problem(body: dict[str, Any], choice: dict[str, Any] | None, finish: str) -> str:
    """What is wrong with an answer that is no completion, as the end of a sentence."""
    if said := message_of((choice or {}).get("error")) or _error_in(body):
        return f"an error ({said})"
    return "a chat completion without a choice" if choice is None else f"a reply that ended by {finish!r}"


def _error_in(fields: dict[str, Any]) -> str:
    """The error that an object reports in its own fields; empty if it reports none."""
    return message_of({name: fields[name] for name in MESSAGES if name in fields})


def _parsed(content: bytes | str) -> Any:
    return json.loads(content, parse_int=float)  # which takes integers of any length


def _object(value: Any) -> dict[str, Any]:
    """An object.

    Raises:
        ValueError: it is something else.
    """
    if not isinstance(value, dict):
        raise ValueError(type(value).__name__)
    return cast("dict[str, Any]", value)


def _events(content: bytes) -> Iterator[str]:
    """The data of the events of a stream, joined where it has several lines."""
    data = list[str]()
    for line in (*LINE.split(content.decode("utf-8-sig", errors="replace")), ""):
        name, _, value = line.partition(":")
        if name.strip() == "data":
            data.append(value.removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data.clear()


def _joined(events: Iterator[str]) -> dict[str, Any]:
    """The body that a stream stands for.

    Raises:
        ValueError: an event is not JSON.
        NotACompletionError: the stream reports an error, or broke off.
    """
    body, message, finish, is_done = dict[str, Any](), dict[str, list[Any]](), "", False
    for event in events:
        if event.strip() == "[DONE]":
            is_done = True
            continue
        part = _object(_parsed(event))
        said = message_of([part.get("error"), *(choice.get("error") for choice in _choices(part))])
        if said or ("choices" not in part and (said := _error_in(part))):
            raise NotACompletionError(f"an error ({said})")
        body |= {name: part[name] for name in ("model", "usage") if part.get(name)}
        for choice in _choices(part):
            if _count(choice, "index"):
                continue
            if "message" in choice:  # the whole of it, as some say at the end
                message.clear()
            for name, value in _message(choice).items():
                if value:
                    message.setdefault(name, []).append(value)
            finish = _reason(choice) or finish
    if not is_done and not finish:
        raise NotACompletionError("a stream that broke off")
    return body | {"choices": [{"message": message, "finish_reason": finish}] if message or finish else []}


def _fields(value: Any) -> dict[str, Any]:
    """An object; an empty one in place of anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _items(value: Any) -> Sequence[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else () if value is None else (value,)


def _choices(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (fields for one in _items(body.get("choices")) if (fields := _fields(one)))


def _message(choice: dict[str, Any]) -> dict[str, Any]:
    """The message of a choice, or a part of it; older endpoints have a text there."""
    message = choice.get("message") or choice.get("delta")
    return _fields(message) or {"content": message or choice.get("text")}


def _reason(choice: dict[str, Any]) -> str:
    """Why a choice ended, in the endpoint's words; empty if it does not say."""
    reason = choice.get("finish_reason") or choice.get("stop_reason")
    reason = _fields(reason).get("type", reason)
    return "" if reason is None else str(reason)


def _parts(content: Any) -> tuple[str, str, str]:
    """The text of a message, which some endpoints give in parts, the reasoning and the refusal among them."""
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
    """The words in a value: a text, or what lists and objects say."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and depth:
        return "".join(_words(one, depth - 1) for one in cast("list[Any]", value))
    fields = _fields(value) if depth else {}
    return next(filter(None, (_words(fields[name], depth - 1) for name in WORDS if name in fields)), "")


def _count(fields: dict[str, Any], *names: str) -> int | None:
    """A number of tokens under the first of some names; None where there is none."""
    for name in names:
        try:
            return min(MOST_TOKENS, max(0, int(float(fields[name]))))
        except OverflowError:
            return MOST_TOKENS
        except (KeyError, TypeError, ValueError):
            continue
    return None
