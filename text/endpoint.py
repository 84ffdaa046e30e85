"""`Endpoint`: an address with OpenAI's protocol of chat completions, for many requests at the same time.

All requests go through one client of the `openai` library, in an event loop on its own thread. Only `ask` repeats requests, and the
client does not, so that their number, the budget and the time limit of each request are exact. The client adds the key to
requests, and limits the size of answers.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import threading
import weakref
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from time import monotonic, perf_counter
from typing import Any, NamedTuple, TypeVar

from ..agents.answers import Unavailable
from ..core.errors import describe_error, sentence
from ..core.numbers import several_seconds, short_repr
from .addresses import is_this_machine, key_in, without_key
from .completions import Completion, NotACompletionError, completion_of

T = TypeVar("T")
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds of the first pause before a request is sent again, and of the longest; the pause doubles each time."""
FIRST_CONTACT = 5.0
"""Seconds after which an address that has never answered counts as wrong."""
NEVER = -1.0
"""The patience of a failure after which a request is not sent again."""
SECONDS_TO_CLOSE = 5.0
BUSY = (408, 409, 429)
"""Statuses, besides those from 500 on, after which a request is sent again: those of the `openai` library."""
LONGEST_REPLY = 100_000
"""The maximum number of characters of a reply; only its end is kept."""
LONGEST_LABEL = 200
"""The maximum number of characters of a model's name, and of a message of the endpoint."""
Message = dict[str, str]


@dataclass(frozen=True)
class Access:
    """The settings of an endpoint. In a process, policies with equal settings share the endpoint and its budget.

    Args:
        url: its address.
        variable: the environment variable that contains the key; None for no key.
        model: the model's name.
        fields: further fields of each request, as JSON.
        seconds: the time limit of a reply.
        patience: for how many seconds a request is sent again while the endpoint is busy or fails.
        requests: the budget; None for no limit.
    """

    url: str
    variable: str | None
    model: str
    fields: str
    seconds: float
    patience: float
    requests: int | None


class _Failure(NamedTuple):
    """A request that failed.

    Args:
        why: the reason, as the end of a sentence.
        patience: the seconds since the first attempt in which it may be sent again; NEVER for none.
        pause: the seconds to wait that the endpoint asks for.
    """

    why: str
    patience: float = NEVER
    pause: float = 0.0


class Endpoint:
    """An endpoint by its settings and key, empty for none. Use `endpoint_of`."""

    def __init__(self, access: Access, key: str) -> None:
        self.access, self._key = access, key
        self._client, self._openai = make_client(access.url, key), import_module("openai")
        self._fields: dict[str, Any] = json.loads(access.fields)
        self._has_answered, self._requests = False, 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="ludus-llm", daemon=True)
        self._thread.start()
        weakref.finalize(self, _close, self._loop, self._thread, self._client)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine that asks, and returns its result. If the wait is interrupted, the coroutine is cancelled. After
        Unavailable, the next call begins with a new budget."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except Unavailable:
            self._requests = 0
            raise
        except BaseException:
            future.cancel()
            raise

    async def ask(self, messages: Sequence[Message], seed: int | None) -> Completion:
        """Asks the model, and returns its reply.

        Args:
            messages: the conversation so far, the question last.
            seed: the seed of the model's randomness, 64 bits with sign; None leaves it to the endpoint.

        Raises:
            Unavailable: the endpoint cannot be reached, refuses the key or the request, or is busy or broken for too long; or the
                budget is used up.
        """
        number, first = 0, monotonic()
        while True:
            if self._requests == self.access.requests:
                raise Unavailable(
                    f"the model {self.access.model} has used up its budget of {self._requests:,} requests; finished games are kept,"
                    " and resuming begins with a new budget"
                )
            self._requests += 1
            number, began = number + 1, perf_counter()
            reply = await self._reply(messages, seed)
            if isinstance(reply, Completion):
                return reply._replace(milliseconds=1000 * (perf_counter() - began), requests=number)
            # The pauses of many requests differ, so that they do not come back all at once.
            pause = max(reply.pause, random.uniform(0.5, 1) * min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(number - 1, 60)))
            if monotonic() + pause - first > reply.patience:
                raise Unavailable(f"{self.access.url} {reply.why}")
            await asyncio.sleep(pause)

    async def _reply(self, messages: Sequence[Message], seed: int | None) -> Completion | _Failure:
        """Sends a request, and returns its reply or failure."""
        fields = self._fields if seed is None else {**self._fields, "seed": seed}
        create: Any = self._client.chat.completions.with_raw_response.create
        try:
            request = create(model=self.access.model, messages=messages, extra_body=fields)
            reply = completion_of((await asyncio.wait_for(request, self.access.seconds)).content)
        except asyncio.TimeoutError:
            seconds = several_seconds(self.access.seconds)
            if self._has_answered:
                return Completion("", "late", f"no answer came within {seconds}")
            return _Failure(f"has not answered within {seconds}, and never before")
        except self._openai.APIStatusError as error:
            self._has_answered = True
            return self._refusal(error)
        except Exception as error:  # from any library, about any answer
            return self._broken_answer(error.__cause__ or error)
        self._has_answered = True
        return reply._replace(model=self.words(reply.model))

    def _refusal(self, error: Any) -> Completion | _Failure:
        """The reply or failure of an answer with the status of an error, an `APIStatusError` of the `openai` library."""
        status, headers = error.status_code, error.response.headers
        text = error.body.get("message") if isinstance(error.body, dict) else None
        text = text if isinstance(text, str) else error.response.text
        message = f"status {status}: {self.words(text) or 'no message'}"
        if error.code == "content_filter":
            return Completion("", "refused", f"a filter of the endpoint refused the request ({message})")
        if status in (401, 403):
            key = f"the key in {self.access.variable}" if self._key else "a request without a key; name the variable with key=NAME"
            return _Failure(f"refuses {key} ({message})")
        if 300 <= status < 400:
            target = self.words(headers.get("location", "elsewhere"))
            return _Failure(f"redirects to {short_repr(target)}, which is not followed; if that is right, give it as url=")
        if status == 404:
            return _Failure(
                f"has no model {short_repr(self.access.model)}, or is not its full address, which often ends with /v1 ({message})"
            )
        if not (status >= 500 or status in BUSY):
            return _Failure(f"refuses the request ({message})")
        pause = 0.0
        with suppress(ValueError):  # of a date
            pause = max(pause, float(headers.get("retry-after", "")))
        demand = f", and asks for a pause of {several_seconds(pause)}" if pause > self.access.patience else ""
        return _Failure(f"cannot answer now ({message}){demand}", self.access.patience, pause)

    def _broken_answer(self, error: BaseException) -> _Failure:
        """The failure of a request without an answer, or whose answer is no completion."""
        if isinstance(error, NotACompletionError):
            return _Failure(f"answered with {self.words(str(error))}", self.access.patience)
        why = self.words(describe_error(error))
        patience = self.access.patience if self._has_answered else min(FIRST_CONTACT, self.access.patience)
        return _Failure(f"cannot be reached, or broke off its answer ({why})", patience)

    def words(self, text: str) -> str:
        """The beginning of a text of the endpoint, as a short line without the key."""
        return sentence(without_key(text, self._key)[:LONGEST_REPLY], LONGEST_LABEL)

    def without_key(self, text: str) -> str:
        """A text without the key, and of a very long one the end."""
        return without_key(text, self._key)[-LONGEST_REPLY:]


def endpoint_of(access: Access) -> Endpoint:
    """The endpoint with these settings in this process, with the current key in the environment; ValueError where that cannot be
    sent. A forked process makes its own, because threads and connections do not survive a fork."""
    key = key_in(access.variable) if access.variable else ""
    identity = os.getpid(), access, key
    endpoint = _endpoints.get(identity)
    if endpoint is None:
        endpoint = _endpoints[identity] = Endpoint(access, key)
    return endpoint


_endpoints = weakref.WeakValueDictionary[tuple[int, Access, str], Endpoint]()


def _close(loop: asyncio.AbstractEventLoop, thread: threading.Thread, client: Any) -> None:
    """Ends the connections, the loop and its thread."""
    if thread is threading.current_thread():
        threading.Thread(target=_close, args=(loop, thread, client)).start()
    elif thread.is_alive():  # in a forked process the thread is gone
        with suppress(Exception):
            asyncio.run_coroutine_threadsafe(client.close(), loop).result(SECONDS_TO_CLOSE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


# ---- the client

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
