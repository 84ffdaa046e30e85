"""How uvicorn serves an application to clients, of which there may be many and of every kind."""

from __future__ import annotations

from typing import Any, Literal

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from .guarded import GuardedApp

MOST_CONNECTIONS = 800
"""Connections at once; one more is closed. Many systems let a process have 1024 files."""
SECONDS_TO_ASK = 30.0
"""How long a connection may stay without a request."""


class Connection(H11Protocol):
    """A connection of a client, of which there are not too many; one that asks nothing is closed after a while."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        self.loop.call_later(SECONDS_TO_ASK, self._give_up)

    def _give_up(self) -> None:
        protocol = self.transport.get_protocol()  # another one where the client asked for a WebSocket; None where it is gone
        if not (self.cycle if protocol is self else getattr(protocol, "handshake_initiated", True)):
            self.transport.abort()


def uvicorn_config(app: GuardedApp, largest: int, lifespan: Literal["on", "off"] = "off") -> uvicorn.Config:
    """How uvicorn serves an application.

    Args:
        app: the application, which logs its own errors.
        largest: bytes of a message over a WebSocket.
        lifespan: whether the application does something when the server ends.
    """
    # What uvicorn logs below "critical" are tracebacks of what clients send, such as text that is not UTF-8. It configures no
    # handlers, since that would close those of other libraries, and with absl's the stream that they write to.
    return uvicorn.Config(
        app,
        http=Connection,
        ws="websockets-sansio",
        ws_max_size=largest,
        log_config=None,
        log_level="critical",
        access_log=False,
        lifespan=lifespan,
    )
