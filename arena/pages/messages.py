"""What clients send over a socket or in a body: texts of JSON, read as declared types. Whatever is wrong with one is a sentence."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, TypeVar

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from ...core.errors import escape_unprintable
from ...core.plugins import RefusedSpecError, Sender

T = TypeVar("T")
UNSUPPORTED = 1003
"""The code of a WebSocket that is closed because its client sends what is no text."""


def read_message(text: str | bytes, kind: Any, sender: Sender) -> Any:
    """A message as a value of a type.

    Args:
        text: JSON.
        kind: the type; its fields may have types of `in_file`, as `GameSpec`.
        sender: who sent it.

    Raises:
        msgspec.DecodeError: it is not JSON, or is nested too deeply; of those a `ValidationError` where it does not fit the type.
        RefusedSpecError: it names what it may not name.
    """
    try:
        return msgspec.json.decode(text, type=kind, dec_hook=sender.read)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, RefusedSpecError):
            raise error.__cause__ from None
        raise msgspec.ValidationError(escape_unprintable(str(error))) from None  # it may quote the message
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None
    except UnicodeError:
        raise msgspec.DecodeError("it is not UTF-8") from None


async def texts(socket: WebSocket) -> AsyncIterator[str]:
    """The messages of a client until it goes; one that sends what is no text is disconnected."""
    try:
        while True:
            message: dict[str, Any] = dict(await socket.receive())
            if message["type"] == "websocket.disconnect":
                return
            if (text := message.get("text")) is None:
                await socket.close(UNSUPPORTED, "messages are texts, not bytes")
                return
            yield text
    except (WebSocketDisconnect, RuntimeError):  # it is gone
        return
