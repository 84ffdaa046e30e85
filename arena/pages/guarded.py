"""Protects servers: from other pages in the browser, and from other machines that have no token.

A server that only this machine reaches answers requests that call it by a name of this machine. So a page whose own name resolves
to this machine (DNS rebinding) is refused. A server that others reach may have any name and asks for a token, which is in the
address that it prints: as `?token=…`, as a cookie that it sets for a browser, or as `Authorization: Bearer …`.

Connections and requests are limited, so that no client keeps others out.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import secrets
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import quote

import uvicorn
from h11 import LocalProtocolError
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
NO_TOKEN = "This server asks for a token: open the address that it printed, or send the header Authorization: Bearer TOKEN.\n"
MOST_REQUESTS = 100
"""How many HTTP requests are answered at once, including those whose bodies are still arriving."""
MOST_CONNECTIONS = 800
"""Connections at once; one more is closed. Many systems let a process have 1024 files."""
SECONDS_TO_ASK = 30.0
"""How many seconds a connection may stay open without a request."""
HOST = re.compile(r"(?:\[(?P<six>[0-9a-f:.]+)\]|(?P<name>[^:\[\]@/]+))(?::\d+)?", re.IGNORECASE)
Scope = MutableMapping[str, Any]
log = logging.getLogger("ludus")


class GuardedApp:
    """An application that answers only clients that may use it.

    Args:
        inner: the application.
        token: the token that every request must bring; None if only this machine reaches the server.
        programs: whether clients are programs, which open WebSockets without an `Origin` and need no cookies.
        name: the name of this machine at which it is served, if that is another than `localhost`.
    """

    def __init__(self, inner: Starlette, token: str | None = None, *, programs: bool = False, name: str = "localhost") -> None:
        self._inner, self._token, self._programs, self._name = inner, token, programs, name
        self._requests = 0

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        asking = HTTPConnection(scope)
        if scope["type"] == "websocket":
            if self._refusal(asking) is None and (self._programs or "origin" in asking.headers):
                await self._inner(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 1008})
            return

        async def with_headers(message: Scope) -> None:
            if message["type"] == "http.response.start":
                given = [(name, value) for name, value in message["headers"] if name.lower() != b"cache-control"]
                message["headers"] = given + [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            await send(message)

        self._requests += 1
        try:
            await (self._refusal(asking) or self._busy() or self._entrance(asking) or self._inner)(scope, receive, with_headers)
        except LocalProtocolError:  # the client broke the rules of HTTP, which uvicorn has answered
            pass
        except Exception:  # a fault of ours, to which Starlette has given an answer
            log.warning("a request failed", exc_info=True)
        finally:
            self._requests -= 1

    def _refusal(self, asking: HTTPConnection) -> Response | None:
        """The answer to a request that is refused; None if it is allowed."""
        host, origin = asking.headers.get("host", ""), asking.headers.get("origin")
        mine = origin is None or origin.partition("://")[2] == host
        if not mine or (self._token is None and not is_local(host, self._name)):
            return Response("This address is not the server's own.\n", 421)
        if self._token is None or any(secrets.compare_digest(self._token.encode(), given.encode()) for given in _tokens(asking)):
            return None
        return Response(NO_TOKEN, 401, {"WWW-Authenticate": "Bearer"})

    def _busy(self) -> Response | None:
        if self._requests <= MOST_REQUESTS:
            return None
        return Response(f"{MOST_REQUESTS} requests are being answered; try again later.\n", 503, {"Retry-After": "1"})

    def _entrance(self, asking: HTTPConnection) -> Response | None:
        """For a browser that brings the token in the address: a redirection to the address without it, and a cookie."""
        if self._token is None or self._programs or "token" not in asking.query_params:
            return None
        answer = RedirectResponse(f"/{quote(asking.scope['path'].lstrip('/'))}", 303)
        answer.set_cookie(_cookie(asking), self._token, httponly=True, samesite="lax")
        return answer


def is_local(host: str, called: str = "localhost") -> bool:
    """Whether the `Host` of a request is a name of this machine, with any port: `localhost`, `127.0.0.1`, or as it is called."""
    if (parts := HOST.fullmatch(host)) is None:
        return False
    name = parts["six"] or parts["name"]
    try:
        return name.lower() in ("localhost", called.lower()) or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _tokens(asking: HTTPConnection) -> list[str]:
    """The tokens of a request: in the address, as a cookie, or in the header."""
    scheme, _, sent = asking.headers.get("authorization", "").partition(" ")
    given = (asking.query_params.get("token"), asking.cookies.get(_cookie(asking)), sent if scheme.lower() == "bearer" else None)
    return [token for token in given if token]


def _cookie(asking: HTTPConnection) -> str:
    """The name of the cookie, with the port: browsers send cookies to all ports of a host, and each may have a server of ours."""
    return f"ludus-{asking.scope['server'][1]}"


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
    """The server of an application, which logs its own errors; `largest` is bytes of a message over a WebSocket. `run(sockets=[…])`
    serves it."""
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
