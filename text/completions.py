"""What an endpoint answers: a chat completion read from JSON, as far as we use it. All of it is data from a stranger."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from msgspec import Struct, ValidationError, convert

from ..arena.matches.errors import sentence

LONGEST_REPLY = 100_000
"""Characters of a reply that are kept: the last ones."""
LONGEST_LABEL = 200
"""Characters of a model's name, and of an error, that are kept."""


class Completion(NamedTuple):
    """A reply.

    Args:
        text: what it says; what a refusal says.
        end: why it ended: `stop`, `length`, `content_filter`, `refusal`, or what else the endpoint says; `late` if there is none.
        model: which model it says that it is.
        tokens_in, tokens_out: of the prompt and the reply; None where they are not known.
        milliseconds: how long it took.
        requests: how many requests it took.
    """

    text: str
    end: str
    model: str
    tokens_in: int | None
    tokens_out: int | None
    milliseconds: float = 0.0
    requests: int = 1


class NotACompletionError(ValueError):
    """An answer is something else; the message says what, as the end of a sentence."""


class _Message(Struct):
    content: Any = None
    refusal: str | None = None


class _Choice(Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Body(Struct):
    choices: list[_Choice] = []
    model: str | None = None
    usage: _Usage | None = None
    error: Any = None


def completion_of(content: bytes, key: str) -> Completion:
    """The first choice of an answer.

    Args:
        content: the answer's body.
        key: the endpoint's key, which is left out wherever it is repeated; empty if there is none.

    Raises:
        NotACompletionError: it has no choice, or is something else.
    """
    try:
        body = convert(json.loads(content), _Body)
    except (ValidationError, ValueError, RecursionError) as error:
        raise NotACompletionError(f"something that is no chat completion ({error})") from None
    if not body.choices:
        said = sentence(scrubbed(message_of(body.error), key), LONGEST_LABEL)
        raise NotACompletionError(f"an error ({said})" if said else "a chat completion without a choice")
    choice, usage = body.choices[0], body.usage or _Usage()
    message = choice.message
    end = "refusal" if message.refusal else choice.finish_reason or "stop"
    text = message.refusal or _text(message.content)
    model = sentence(scrubbed(body.model or "", key), LONGEST_LABEL)
    return Completion(scrubbed(text, key), end, model, _count(usage.prompt_tokens), _count(usage.completion_tokens))


def scrubbed(text: str, key: str) -> str:
    """A text without the key, in characters that every file can hold; of a very long one the end."""
    if key:
        text = text.replace(key, "[key]")
    return text[-LONGEST_REPLY:].encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


def message_of(error: Any) -> str:
    """What an error in an answer says; empty if it says nothing."""
    message = error.get("message") if isinstance(error, dict) else error  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return message if isinstance(message, str) else ""


def _text(content: Any) -> str:
    """The text of a message, which some endpoints give in parts."""
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") if isinstance(part, dict) else part for part in parts)
    return "".join(text for text in texts if isinstance(text, str))


def _count(tokens: int | None) -> int | None:
    return None if tokens is None else max(0, tokens)
