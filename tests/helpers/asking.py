"""Requests to an application without a server, so that a test says when each part of them comes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple

GONE = {"type": "http.disconnect"}


class Answer(NamedTuple):
    """What an application answered."""

    status: int
    headers: dict[str, str]
    text: str


def part(body: bytes, more: bool = False) -> dict[str, Any]:
    """A part of a body."""
    return {"type": "http.request", "body": body, "more_body": more}


async def ask(app: Any, path: str = "/", *parts: Any, method: str = "GET", **headers: str) -> Answer:
    """What an application answers to a request: a path with its query; parts of a body, or GONE, after which nothing more comes;
    headers with `_` for `-`, by default with this machine as the host."""
    sent, waiting = list[Mapping[str, Any]](), list(parts or [part(b"")])
    place, _, query = path.partition("?")
    fields = {"host": "127.0.0.1:8000", **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": place,
        "raw_path": place.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in fields.items()],
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 9),
    }

    async def receive() -> Any:
        if not waiting:
            await asyncio.Event().wait()
        return waiting.pop(0)

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    text = b"".join(message.get("body", b"") for message in sent).decode()
    return Answer(sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}, text)
