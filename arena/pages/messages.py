"""The messages of clients, over a socket or in a body: JSON texts, read as declared types. Each error is a sentence."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, TypeVar

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from ...core.errors import escape_unprintable
from ...core.plugins import RefusedSpecError
from ...games.registry import GAMES

T = TypeVar("T")
UNSUPPORTED = 1003
"""The code with which a WebSocket is closed whose client sends bytes instead of text."""


def read_message(text: str | bytes, kind: Any) -> Any:
    """A message in JSON as a value of a type, whose fields may be a `CheckedSpec`, which names a game that there is.

    msgspec.DecodeError where it is not JSON, or nested too deeply, and a `ValidationError` if it does not fit the type;
    RefusedSpecError where it names what it may not name.
    """
    try:
        return msgspec.json.decode(text, type=kind, dec_hook=_read_game)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, RefusedSpecError):
            raise error.__cause__ from None
        raise msgspec.ValidationError(escape_unprintable(str(error))) from None  # it may quote the message
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None
    except UnicodeError:
        raise msgspec.DecodeError("it is not UTF-8") from None


def _read_game(_: type, text: Any) -> Any:
    """The spec of a game that a client names; anything but a text is returned as it is."""
    return GAMES.check_plain(text) if isinstance(text, str) else text


async def texts(socket: WebSocket) -> AsyncIterator[str]:
    """The messages of a client until it disconnects. A client that sends bytes is disconnected."""
    try:
        while True:
            message: dict[str, Any] = dict(await socket.receive())
            if message["type"] == "websocket.disconnect":
                return
            if (text := message.get("text")) is None:
                await socket.close(UNSUPPORTED, "messages are texts, not bytes")
                return
            yield text
    except (WebSocketDisconnect, RuntimeError):  # the client has disconnected
        return
