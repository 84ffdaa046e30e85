"""`connection`: the HTTP client that asks an endpoint. It signs requests and limits answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any

from .addresses import proxy_variable
from .completions import NotACompletionError
from .keys import hush

SECONDS_TO_CONNECT = 10.0
LARGEST_ANSWER = 1 << 24
"""Bytes of an answer that are read."""
UNPACKED = frozenset(("gzip", "x-gzip", "deflate", "br", "zstd"))
"""The encodings of an answer that the client library could unpack."""
USUAL = ("host", "accept", "connection", "user-agent", "content-type", "content-length")
SENT = frozenset((*USUAL, "x-stainless-raw-response"))
"""The headers that are sent anywhere; the last one tells the client library itself to hand the answer on as it is."""
OWN = frozenset(("openai-organization", "openai-project"))
"""Those that are sent only where the environment's own settings of OpenAI apply."""


def connection(url: str, key: str, is_own: bool) -> Any:
    """A client of the `openai` library.

    Args:
        url: the endpoint's address.
        key: its key; empty for none. It joins a request as it leaves, so that no error, log or copy of the client has it.
        is_own: whether it is the endpoint that the environment's settings of OpenAI are for.

    Raises:
        ValueError: the environment's settings, of a proxy or of certificates, allow no client.
    """
    hush(key)
    proxy = proxy_variable(url)
    try:
        openai = import_module("openai")  # here, since it takes a while to load
        http = import_module(openai.DefaultAsyncHttpxClient.__base__.__module__.partition(".")[0])  # httpx, or httpx2
        # A redirection could lead anywhere, with the key: none is followed.
        hooks = {"request": [_signing(key, SENT | OWN if is_own else SENT)], "response": [_limiting(http)]}
        timeout = openai.Timeout(None, connect=SECONDS_TO_CONNECT)
        # With a transport of its own the client asks no proxy.
        transport = None if proxy else http.AsyncHTTPTransport(limits=openai.DEFAULT_CONNECTION_LIMITS)
        client = openai.DefaultAsyncHttpxClient(follow_redirects=False, event_hooks=hooks, transport=transport)
        return openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0, timeout=timeout, http_client=client)
    except Exception as error:  # of many libraries; what they say may hold the proxy's password
        why = str(error) if isinstance(error, ImportError) else type(error).__name__
        where = f"the proxy in {proxy}, and at " if proxy else ""
    raise ValueError(
        f"{url} cannot be asked, since no client for it can be made ({why}); look at {where}SSL_CERT_FILE and OPENAI_*"
    )


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


def _limiting(http: Any) -> Any:
    """What limits how much of an answer is read.

    Its call raises NotACompletionError where the answer is compressed, so that a small one could fill the memory.
    """

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
        if UNPACKED & {*map(str.strip, response.headers.get("content-encoding", "").lower().split(","))}:
            raise NotACompletionError("a compressed text, which was not asked for")
        response.stream = Limited(response.stream)

    return limit
