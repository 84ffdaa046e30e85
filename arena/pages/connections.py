"""uvicorn with limits of connections, so that no client keeps others out."""

from __future__ import annotations

from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from .guarded import GuardedApp

MOST_CONNECTIONS = 800
"""Connections at once; one more is closed. Many systems let a process have 1024 files."""
SECONDS_TO_ASK = 30.0
"""How many seconds a connection may stay open without a request."""


class Connection(H11Protocol):
    """A connection of a client: closed at once above MOST_CONNECTIONS, or later if no request comes."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        self.loop.call_later(SECONDS_TO_ASK, self._close_if_idle)

    def _close_if_idle(self) -> None:
        protocol = self.transport.get_protocol()  # another one after a request for a WebSocket; None after the end
        if not (self.cycle if protocol is self else getattr(protocol, "handshake_initiated", True)):
            self.transport.abort()


def server_of(app: GuardedApp, largest: int) -> uvicorn.Server:
    """The server of an application; `run(sockets=[…])` serves it.

    Args:
        app: the application, which logs its own errors.
        largest: bytes of a message over a WebSocket.
    """
    # What uvicorn logs below "critical" are tracebacks of what clients send, such as text that is not UTF-8. It configures no
    # handlers, since that would close those of other libraries, and with absl's the stream that they write to.
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="websockets-sansio",
        ws_max_size=largest,
        log_config=None,
        log_level="critical",
        access_log=False,
        lifespan="on",
    )
    return uvicorn.Server(config)
