"""`connection`: the HTTP client that asks an endpoint. It signs requests, limits answers, and keeps the key out of logs."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any

from .completions import NotACompletionError, scrubbed

SECONDS_TO_CONNECT = 10.0
LARGEST_ANSWER = 1 << 24
"""Bytes of an answer that are read."""
USUAL = ("host", "accept", "connection", "user-agent", "content-type", "content-length")
SENT = frozenset((*USUAL, "x-stainless-raw-response"))
"""The headers that are sent anywhere; the last one tells the client library itself to hand the answer on as it is."""
OWN = frozenset(("openai-organization", "openai-project"))
"""Those that are sent only where the environment's own settings of OpenAI apply."""
HTTP = ("httpx", "httpcore.connection", "httpcore.http11", "httpx2", "httpcore2.connection", "httpcore2.http11")
LOGGERS = ("openai._base_client", "openai._legacy_response", "openai._response", *HTTP)
"""Those of the client library that see what an endpoint answers, headers included. `openai` uses httpx2 since 3.0, httpx before."""


def connection(url: str, key: str, is_own: bool) -> Any:
    """A client of the `openai` library.

    Args:
        url: the endpoint's address.
        key: its key; empty for none. It joins a request as it leaves, so that no error, log or copy of the client has it.
        is_own: whether it is the endpoint that the environment's settings of OpenAI are for.
    """
    openai = import_module("openai")  # here, since it takes a while to load
    if key:
        _silent.keys.add(key)
    # A redirection could lead anywhere, with the key: none is followed.
    hooks = {"request": [_signing(key, SENT | OWN if is_own else SENT)], "response": [_limiting(openai)]}
    http = openai.DefaultAsyncHttpxClient(follow_redirects=False, event_hooks=hooks)
    timeout = openai.Timeout(None, connect=SECONDS_TO_CONNECT)
    return openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0, timeout=timeout, http_client=http)


def _signing(key: str, allowed: frozenset[str]) -> Any:
    """What gives the key to a request that leaves, and takes away whatever else the environment has added."""

    async def sign(request: Any) -> None:
        for name in [*request.headers]:
            if name.lower() not in allowed:
                del request.headers[name]
        request.headers["Accept-Encoding"] = "identity"
        if key:
            request.headers["Authorization"] = f"Bearer {key}"

    return sign


def _limiting(openai: Any) -> Any:
    """What limits how much of an answer is read.

    Its call raises NotACompletionError where the answer is compressed, so that a small one could fill the memory.
    """
    http = import_module(openai.DefaultAsyncHttpxClient.__base__.__module__)  # httpx, or httpx2

    class Limited(http.AsyncByteStream):
        """A stream of bytes that fails where it is too long."""

        def __init__(self, stream: Any) -> None:
            self.stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            read = 0
            async for part in self.stream:
                read += len(part)
                if read > LARGEST_ANSWER:
                    raise NotACompletionError(f"more than {LARGEST_ANSWER >> 20} MiB")
                yield part

        async def aclose(self) -> None:
            await self.stream.aclose()

    async def limit(response: Any) -> None:
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            raise NotACompletionError("a compressed text, which was not asked for")
        response.stream = Limited(response.stream)

    return limit


class _Silent(logging.Filter):
    """Takes keys out of what is logged.

    Attributes:
        keys: those of this process.
    """

    def __init__(self) -> None:
        super().__init__()
        self.keys = set[str]()

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if any(key in text for key in self.keys):
            for key in self.keys:
                text = scrubbed(text, key)
            record.msg, record.args = text, ()
        return True


_silent = _Silent()
for _name in LOGGERS:
    logging.getLogger(_name).addFilter(_silent)
