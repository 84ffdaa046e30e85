"""`make_client`: the HTTP client of an endpoint. It adds the key to requests, and limits the size of answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any

from .addresses import is_this_machine
from .completions import NotACompletionError

SECONDS_TO_CONNECT = 10.0
LARGEST_ANSWER = 1 << 24
"""The maximum number of bytes of an answer."""
UNPACKED = frozenset(("gzip", "x-gzip", "deflate", "br", "zstd"))
"""The encodings of an answer that the client library could unpack."""
SENT = frozenset(("host", "accept", "connection", "user-agent", "content-type", "content-length", "x-stainless-raw-response"))
"""The headers that are sent, so that no endpoint learns what else the client library knows of the user and the system. The last
one makes the library return the answer unchanged."""


def make_client(url: str, key: str) -> Any:
    """A client of the `openai` library. The key, empty for none, is added when a request is sent, so that no error, log or copy of
    the client has it. ValueError where no client can be made with the environment's settings of a proxy or of certificates."""
    try:
        openai = import_module("openai")  # imported here, because it takes a while
        http = import_module(openai.DefaultAsyncHttpxClient.__base__.__module__.partition(".")[0])  # httpx, or httpx2
        # A redirection could lead anywhere, with the key: none is followed.
        hooks = {"request": [_make_signer(key)], "response": [_make_limiter(http)]}
        timeout = openai.Timeout(None, connect=SECONDS_TO_CONNECT)
        # With a transport of its own the client asks no proxy, which would see the key of an endpoint on this machine.
        transport = http.AsyncHTTPTransport(limits=openai.DEFAULT_CONNECTION_LIMITS) if is_this_machine(url) else None
        client = openai.DefaultAsyncHttpxClient(follow_redirects=False, event_hooks=hooks, transport=transport)
        return openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0, timeout=timeout, http_client=client)
    except Exception as error:  # from many libraries; their messages may contain the proxy's password
        why = str(error) if isinstance(error, ImportError) else type(error).__name__
    raise ValueError(
        f"{url} cannot be used, because no client for it can be made ({why}); check the environment: HTTP_PROXY, HTTPS_PROXY,"
        " ALL_PROXY, NO_PROXY, SSL_CERT_FILE and OPENAI_*"
    )


def _make_signer(key: str) -> Any:
    """Makes the hook that removes all headers of a request but those that are sent, and adds the key."""

    async def sign(request: Any) -> None:
        for name in [*request.headers]:
            if name.lower() not in SENT:
                del request.headers[name]
        request.headers["Accept-Encoding"] = "identity"
        if key:
            request.headers["Authorization"] = f"Bearer {key}"

    return sign


def _make_limiter(http: Any) -> Any:
    """Makes the hook that limits the size of an answer, and refuses a compressed one, because a small one could fill the memory."""

    class Limited(http.AsyncByteStream):
        """A stream of bytes that raises an error when it is too long."""

        def __init__(self, stream: Any) -> None:
            self.stream, self.aclose = stream, stream.aclose

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for part in self.stream:
                size += len(part)
                if size > LARGEST_ANSWER:
                    raise NotACompletionError(f"more than {LARGEST_ANSWER >> 20} MiB")
                yield part

    async def limit(response: Any) -> None:
        if UNPACKED & {*map(str.strip, response.headers.get("content-encoding", "").lower().split(","))}:
            raise NotACompletionError("a compressed text, which was not asked for")
        response.stream = Limited(response.stream)

    return limit
