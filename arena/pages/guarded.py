"""Servers that other pages in the browser cannot use: they answer to their own name alone."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from starlette.applications import Starlette
from starlette.responses import Response

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
Scope = MutableMapping[str, Any]


class Guarded:
    """An application that answers only requests that name one of its hosts, and browsers only on its own pages.

    Args:
        inner: the application.
        hosts: what the `Host` of a request, and of the page that it comes from, may be.
        programs: whether a WebSocket may be opened by a program, which unlike a browser names no page.
    """

    def __init__(self, inner: Starlette, hosts: frozenset[str], *, programs: bool = False) -> None:
        self._inner, self._hosts, self._programs = inner, hosts, programs

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        origin = headers.get("origin")
        mine = headers.get("host") in self._hosts and (origin is None or origin.partition("://")[2] in self._hosts)
        if scope["type"] == "websocket":
            if mine and (origin is not None or self._programs):
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

        answering = self._inner if mine else Response("This address is not the server's own.\n", 421)
        await answering(scope, receive, with_headers)
