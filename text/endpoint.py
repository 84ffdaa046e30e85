"""`Endpoint`: an address that speaks OpenAI's protocol of chat completions, asked by many at a time.

All requests go through one client of the `openai` library, in one event loop on a thread of its own. Retries are ours, since only
so their number, the budget and the time limit of each request are exact.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import threading
import weakref
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from time import monotonic, perf_counter
from typing import Any, NamedTuple, TypeVar

from ..agents.answers import Unavailable
from ..core.errors import sentence
from .addresses import proxy_variable
from .complaints import LONGEST_ASKED, adapt_fields, is_about_money, is_filter, message_of, retry_after, sender_of
from .completions import Completion, NotACompletionError, completion_of
from .connection import make_client
from .keys import key_in, without_key

T = TypeVar("T")
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds of the first pause before a request is sent again, which doubles each time, and of the longest."""
FIRST_CONTACT = 5.0
"""Seconds after which an address that has never answered counts as wrong."""
NEVER = -1.0
SECONDS_TO_CLOSE = 5.0
BUSY = (408, 409, 425, 429)
"""Statuses, besides those from 500 on, after which a request is sent again."""
LONGEST_LABEL = 200
"""Characters of a model's name, and of an error, that are kept."""
HARDLY_LATER = 0.25
"""Requests that are sent together arrive in any order: a share of `seconds` in which they count as sent together."""

Message = dict[str, str]


@dataclass(eq=False)
class _Turn:
    """A request that is under way.

    Args:
        sent: when it was sent, on the clock of `monotonic`.
    """

    sent: float

    def __post_init__(self) -> None:
        self.begins = self.sent
        """From when its time counts."""


@dataclass(frozen=True)
class Access:
    """How an endpoint is asked. Policies with equal ones share it in a process, with its budget.

    Args:
        url: its address.
        variable: the environment variable that holds the key; None for no key.
        is_own: whether it is the endpoint that the environment's settings of OpenAI are for.
        model: the model's name.
        fields: further fields of each request, as JSON.
        seconds: how long a reply may take.
        patience: how long a request is sent again while the endpoint is busy or fails, in seconds.
        requests, tokens: the budget; None for no limit.
    """

    url: str
    variable: str | None
    is_own: bool
    model: str
    fields: str
    seconds: float
    patience: float
    requests: int | None
    tokens: int | None


class _Failure(NamedTuple):
    """A request that brought no reply.

    Args:
        why: the end of a sentence.
        patience: for how many seconds since the first one it may be sent again; NEVER for none.
        pause: how many seconds the endpoint asks to wait before.
        is_mended: whether it is sent again at once, since it will be another one.
    """

    why: str
    patience: float = NEVER
    pause: float = 0.0
    is_mended: bool = False


class Endpoint:
    """What answers at an address. Use `endpoint_of`.

    Args:
        access: how it is asked.
        key: its key; empty for none.
    """

    def __init__(self, access: Access, key: str) -> None:
        self.access, self._key = access, key
        self._client, self._openai = make_client(access.url, key, access.is_own), import_module("openai")
        self._proxy, self._has_answered = proxy_variable(access.url), False
        self._fields: dict[str, Any] = json.loads(access.fields)
        self._refused = list[dict[str, Any]]()
        self._requests, self._tokens, self._largest = 0, 0, 0
        self._under_way, self._returned = list[_Turn](), asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="ludus-llm", daemon=True)
        self._thread.start()
        weakref.finalize(self, _close, self._loop, self._thread, self._client)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What a coroutine returns that asks. Where the wait for it is interrupted, it is cancelled.

        Raises:
            Unavailable: as `ask`. The next work begins with a new budget.
        """
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except Unavailable:
            self._requests = self._tokens = 0
            raise
        except BaseException:
            future.cancel()
            raise

    async def ask(self, messages: Sequence[Message], seed: int | None) -> Completion:
        """What the model says next.

        Args:
            messages: what was said so far, the question last.
            seed: for the model's randomness, 64 bits with sign; None leaves it to the endpoint.

        Raises:
            Unavailable: the endpoint cannot be reached, refuses the key or the request, or is busy or broken for too long; or the
                budget is used up.
        """
        number, first = 0, monotonic()
        while True:
            await self._spend()
            number, began = number + 1, perf_counter()
            reply = await self._reply(messages, seed)
            if isinstance(reply, Completion):
                return reply._replace(milliseconds=1000 * (perf_counter() - began), requests=number)
            if reply.is_mended:
                continue
            pause = max(reply.pause, random.uniform(0.5, 1) * min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(number - 1, 60)))
            if monotonic() + pause - first > reply.patience:
                raise Unavailable(f"{self.access.url} {reply.why}")
            await asyncio.sleep(pause)

    async def _reply(self, messages: Sequence[Message], seed: int | None) -> Completion | _Failure:
        """What a request brings."""
        fields = self._fields
        try:
            raw = await self._in_time(self._send(messages, fields if seed is None else {**fields, "seed": seed}))
        except asyncio.TimeoutError:
            if self._has_answered:
                return Completion("", "late")
            return _Failure(f"has not answered within {self.access.seconds:g} seconds, nor ever before")
        except self._openai.APIStatusError as error:
            self._has_answered = True
            return self._refusal(fields, error.response)
        except Exception as error:  # of whatever library, about whatever came
            patience = self.access.patience if self._has_answered else min(FIRST_CONTACT, self.access.patience)
            return _Failure(self._describe_break(error.__cause__ or error), patience)
        try:
            reply = self._count_tokens(completion_of(raw.content))
        except NotACompletionError as error:
            if is_filter(raw.status_code, raw.content):
                return Completion("", "refused", self._describe_error(raw))
            why = f"answered with {self.words(str(error))}{self._sender(raw)}"
            return self._failure(fields, why, raw.content, self.access.patience)
        self._has_answered = True
        return reply

    def _send(self, messages: Sequence[Message], fields: dict[str, Any]) -> Coroutine[Any, Any, Any]:
        """One request."""
        create: Any = self._client.chat.completions.with_raw_response.create
        return create(model=self.access.model, messages=messages, extra_body=fields)

    async def _in_time(self, request: Coroutine[Any, Any, Any]) -> Any:
        """What a request gives.

        An endpoint that works on one request at a time answers those first that came before. So the time counts from the last
        answer to a request that was sent before this one, or hardly later.

        Raises:
            asyncio.TimeoutError: it took longer than `seconds`.
        """
        turn, sending = _Turn(monotonic()), asyncio.ensure_future(request)
        self._under_way.append(turn)
        try:
            while (left := turn.begins + self.access.seconds - monotonic()) > 0:
                await asyncio.wait([sending], timeout=left)
                if sending.done():
                    found, now = sending.result(), monotonic()
                    for other in self._under_way:
                        if turn.sent <= other.sent + HARDLY_LATER * self.access.seconds:
                            other.begins = now
                    return found
            raise asyncio.TimeoutError
        finally:
            sending.cancel()
            self._under_way.remove(turn)
            self._returned.set()

    async def _spend(self) -> None:
        """Takes a request from the budget, once those under way leave something for it, if each takes as many tokens as the largest
        did. Those that were paid for are not broken off when it is used up.

        Raises:
            Unavailable: it is used up.
        """
        while self._under_way and not self._leaves_enough():
            self._returned.clear()
            await self._returned.wait()
        used = {"requests": (self._requests, self.access.requests), "tokens": (self._tokens, self.access.tokens)}
        for what, (spent, budget) in used.items():
            if budget is not None and spent >= budget:
                raise Unavailable(
                    f"the model {self.access.model} has used up its budget of {budget:,} {what}; what was finished is kept, and"
                    " resuming begins with a new budget"
                )
        self._requests += 1

    def _leaves_enough(self) -> bool:
        """Whether a request and tokens will be left after the requests under way; of tokens nobody knows before the first reply."""
        if self.access.requests is not None and self._requests >= self.access.requests:
            return False
        tokens = self.access.tokens
        return tokens is None or (self._largest > 0 and self._tokens + len(self._under_way) * self._largest < tokens)

    def _count_tokens(self, reply: Completion) -> Completion | _Failure:
        """A reply whose tokens are counted, if they have a budget."""
        if reply.tokens_in is not None and reply.tokens_out is not None:
            tokens = reply.tokens_in + reply.tokens_out
            self._tokens, self._largest = self._tokens + tokens, max(self._largest, tokens)
        elif self.access.tokens is not None:
            return _Failure(
                "does not say how many tokens it used, so they cannot have a budget; give one of requests, as requests=1000"
            )
        return reply._replace(model=self.words(reply.model), finish=self.words(reply.finish))

    def _refusal(self, fields: dict[str, Any], response: Any) -> Completion | _Failure:
        """What an answer stands for whose status is an error's."""
        status, headers, content, said = response.status_code, response.headers, response.content, self._describe_error(response)
        if is_filter(status, content):
            return Completion("", "refused", said)
        if status in (401, 403):
            held = f"the key in {self.access.variable}" if self._key else "a request without a key; name the variable with key=NAME"
            return _Failure(f"refuses {held} (status {status}: {said})")
        if status == 407:
            return _Failure(f"cannot be reached: the proxy in {self._proxy or 'between'} refuses (status 407: {said})")
        if 300 <= status < 400:
            target = self.words(headers.get("location", "elsewhere"))
            return _Failure(f"redirects to {target!r}, which is not followed; if that is right, give it as url=")
        if status == 404:
            return _Failure(
                f"has no model {self.access.model!r}, or is not its full address, which often ends with /v1 (status 404: {said})"
            )
        if is_about_money(content) or not (status >= 500 or status in BUSY):
            return self._failure(fields, f"refuses the request (status {status}: {said})", content, NEVER)
        pause = retry_after(headers)
        long = f", and asks for a pause of {'over ' * (pause >= LONGEST_ASKED)}{pause:,.0f} seconds"
        why = f"answered with status {status} ({said}){long if pause > self.access.patience else ''}"
        return _Failure(why, self.access.patience, pause)

    def _failure(self, fields: dict[str, Any], why: str, content: bytes, patience: float) -> _Failure:
        """A failure after which other fields are sent than these, if that is what the endpoint asks for in its answer."""
        if fields is self._fields and (others := adapt_fields(fields, content)) and others not in self._refused:
            self._refused.append(fields)
            self._fields = others
        return _Failure(why, patience, is_mended=fields is not self._fields)

    def _describe_break(self, error: BaseException) -> str:
        """Why a request brought no answer, as the end of a sentence."""
        if isinstance(error, NotACompletionError):
            return f"answered with {error}"
        # What breaks the rules of HTTP may be what was sent, and is repeated in the error.
        name = type(error).__name__
        said = "a request that breaks the rules of HTTP" if name == "LocalProtocolError" else self.words(f"{name}: {error}")
        through = f" through the proxy in {self._proxy}" if self._proxy else ""
        is_cut = name in ("ReadError", "RemoteProtocolError", "WriteError", "CloseError")
        return f"{f'broke off its answer{through}' if is_cut else f'cannot be reached{through}'} ({said})"

    def _describe_error(self, response: Any) -> str:
        """What an answer that is an error says, and who sent it."""
        return self.words(message_of(response.content) or "without a word") + self._sender(response)

    def _sender(self, response: Any) -> str:
        """Who has sent an answer, if it may be a proxy, as the end of what is said of it."""
        sender = sender_of(response.headers, response.content)
        return f", from {self.words(sender)}" if sender else ""

    def words(self, text: str) -> str:
        """What the endpoint says, in a short line without the key."""
        return sentence(without_key(text, self._key), LONGEST_LABEL)

    def without_key(self, text: str) -> str:
        """A text as it may be kept: as in `keys.without_key`."""
        return without_key(text, self._key)


def endpoint_of(access: Access) -> Endpoint:
    """The endpoint that is asked so in this process, with the key that the environment has now; a fork has its own, since neither
    threads nor connections outlive one.

    Raises:
        ValueError: the key cannot be sent.
    """
    key = key_in(access.variable) if access.variable else ""
    place = os.getpid(), access, key
    found = _endpoints.get(place)
    if found is None:
        found = _endpoints[place] = Endpoint(access, key)
    return found


_endpoints = weakref.WeakValueDictionary[tuple[int, Access, str], Endpoint]()


def _close(loop: asyncio.AbstractEventLoop, thread: threading.Thread, client: Any) -> None:
    """Ends the connections, the loop and its thread."""
    if thread is threading.current_thread():
        threading.Thread(target=_close, args=(loop, thread, client)).start()
    elif thread.is_alive():  # it is not in a fork
        with suppress(Exception):
            asyncio.run_coroutine_threadsafe(client.close(), loop).result(SECONDS_TO_CLOSE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
