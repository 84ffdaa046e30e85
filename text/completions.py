"""Reads the answers of endpoints: chat completions, of which only the fields that we use are declared.

The answers are untrusted. A field that is used must have its type, and all others may be anything.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal, NamedTuple

import msgspec

Tokens = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
CompletionFault = Literal["cut off", "refused", "late"]
"""What is wrong with a reply, whatever its text says: cut off at its maximum length, refused, or too late."""
FAULTS: dict[str | None, tuple[CompletionFault | None, str]] = {
    "stop": (None, ""),
    None: (None, ""),
    "length": ("cut off", "the answer was cut off at its longest length"),
    "content_filter": ("refused", "a filter of the endpoint stopped the answer"),
    "tool_calls": ("refused", "the model called a tool instead of answering"),
    "function_call": ("refused", "the model called a function instead of answering"),
}
"""The fault of a reply and its reason, by the finish reasons of OpenAI's protocol. Any other finish reason counts as `stop`."""


class Completion(NamedTuple):
    """A reply.

    Args:
        text: the text of the answer, or of a refusal.
        fault: what is wrong with it; None if its text counts.
        reason: the fault in a sentence; empty if there is none.
        reasoning: the reasoning before the answer; empty if the endpoint does not return it.
        model: the model that the endpoint names.
        tokens_in, tokens_out: the numbers of tokens of the prompt and the reply; None if they are not known.
        milliseconds: the time that it took.
        requests: the number of requests that it took.
    """

    text: str
    fault: CompletionFault | None = None
    reason: str = ""
    reasoning: str = ""
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    milliseconds: float = 0.0
    requests: int = 1


class NotACompletionError(ValueError):
    """An answer is not a completion; the message says what it is, as the end of a sentence, and may quote the endpoint."""


class _Message(msgspec.Struct):
    """The message of a choice; reasoning has one of two names."""

    content: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: Tokens | None = None
    completion_tokens: Tokens | None = None


class _Body(msgspec.Struct):
    """The body of an answer."""

    choices: Annotated[list[_Choice], msgspec.Meta(min_length=1)]
    model: str | None = None
    usage: _Usage | None = None


def completion_of(content: bytes) -> Completion:
    """The first choice of an answer's body; NotACompletionError where it is something else, or ended by an error of the
    endpoint."""
    try:
        # Unlike msgspec, json reads half characters, which some models write.
        body = msgspec.convert(json.loads(content), _Body)
    except (ValueError, RecursionError) as error:
        raise NotACompletionError(f"something that is not a chat completion ({error}): {_text_of(content)}") from None
    choice, usage = body.choices[0], body.usage or _Usage()
    if choice.finish_reason == "error":
        raise NotACompletionError(f"a reply that ended by an error: {_text_of(content)}")
    message = choice.message
    if usage.completion_tokens == 0 and choice.finish_reason in ("stop", None) and not any(msgspec.structs.astuple(message)):
        raise NotACompletionError(f"a reply without text, for which it counts no tokens: {_text_of(content)}")
    fault, reason = FAULTS.get(choice.finish_reason, FAULTS["stop"])
    if message.refusal:
        fault, reason = "refused", "the model refused to answer"
    return Completion(
        text=message.refusal or message.content or "",
        fault=fault,
        reason=reason,
        reasoning=message.reasoning_content or message.reasoning or "",
        model=body.model or "",
        tokens_in=usage.prompt_tokens,
        tokens_out=usage.completion_tokens,
    )


def _text_of(content: bytes) -> str:
    return content.decode(errors="replace").strip() or "nothing"
