"""`Endpoint`: an address that speaks OpenAI's protocol of chat completions, asked by many at a time.

All requests go through one client of the `openai` library, in one event loop on a thread of its own. Retries are ours, since only
so their number, the budget and the time limit of each request are exact.
"""

from __future__ import annotations

import asyncio
import os
import random
import threading
import weakref
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib import import_module
from time import monotonic, perf_counter, time
from typing import Any, NoReturn, TypeVar

from ..agents.policies.answers import Unavailable
from ..arena.matches.errors import sentence
from .addresses import key_in
from .completions import LONGEST_LABEL, Completion, NotACompletionError, completion_of, message_of, scrubbed
from .connection import connection

T = TypeVar("T")
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds of the first pause before a request is sent again, which doubles each time, and of the longest."""
FIRST_CONTACT = 5.0
"""Seconds after which an address that has never answered counts as wrong."""
SECONDS_TO_CLOSE = 5.0
BUSY = (408, 409, 425, 429)
"""Statuses, besides those from 500 on, after which a request is sent again."""
NO_MONEY = ("insufficient_quota", "billing_hard_limit_reached")
FILTERED = ("content_filter", "content_policy_violation", "invalid_prompt")
"""Codes of errors that stand for a refusal of one prompt."""

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
        options: further fields of each request.
        seconds: how long a reply may take.
        patience: how long a request is sent again while the endpoint is busy or fails, in seconds.
        requests, tokens: the budget; None for no limit.
    """

    url: str
    variable: str | None
    is_own: bool
    model: str
    options: tuple[tuple[str, Any], ...]
    seconds: float
    patience: float
    requests: int | None
    tokens: int | None


class Endpoint:
    """What answers at an address. Use `endpoint_of`.

    Args:
        access: how it is asked.
        key: its key; empty for none.
    """

    def __init__(self, access: Access, key: str) -> None:
        self.access, self._key = access, key
        self._client, self._openai = connection(access.url, key, access.is_own), import_module("openai")
        self._has_answered = False
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
            try:
                raw = await self._in_time(self._sent(messages, seed))
                found = completion_of(raw.content, self._key)
                self._has_answered = True
                self._count(found)
                return found._replace(milliseconds=1000 * (perf_counter() - began), requests=number)
            except asyncio.TimeoutError:
                if not self._has_answered:
                    self._stop(f"has not answered within {self.access.seconds:g} seconds, nor ever before")
                return Completion("", "late", "", None, None, 1000 * (perf_counter() - began), number)
            except NotACompletionError as error:
                problem, patience, least = f"answered with {error}", self.access.patience, 0.0
            except self._openai.APIStatusError as error:
                self._has_answered = True
                if error.status_code == 400 and error.code in FILTERED:
                    return Completion(self._said(error), "content_filter", "", None, None, 1000 * (perf_counter() - began), number)
                self._check_status(error)
                problem = f"answered with status {error.status_code} ({self._said(error)})"
                patience, least = self.access.patience, _asked_to_wait(error.response.headers)
            except self._openai.APIConnectionError as error:
                problem, least = self._broken(error.__cause__ or error), 0.0
                patience = self.access.patience if self._has_answered else min(FIRST_CONTACT, self.access.patience)
            pause = max(least, random.uniform(0.5, 1) * min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (number - 1)))
            if monotonic() + pause - first > patience:
                waiting = f", and asks for a pause of {least:,.0f} seconds" if least > patience else ""
                self._stop(f"{problem}{waiting}")
            await asyncio.sleep(pause)

    def _sent(self, messages: Sequence[Message], seed: int | None) -> Coroutine[Any, Any, Any]:
        """One request."""
        options = dict(self.access.options) if seed is None else {**dict(self.access.options), "seed": seed}
        create: Any = self._client.chat.completions.with_raw_response.create
        return create(model=self.access.model, messages=messages, **options)

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

    def _count(self, found: Completion) -> None:
        """Counts the tokens of a reply."""
        if found.tokens_in is not None and found.tokens_out is not None:
            tokens = found.tokens_in + found.tokens_out
            self._tokens, self._largest = self._tokens + tokens, max(self._largest, tokens)
        elif self.access.tokens is not None:
            self._stop("does not say how many tokens it used, so they cannot have a budget; give one of requests, as requests=1000")

    def _check_status(self, error: Any) -> None:
        """Checks that an error may pass if the request is sent again.

        Raises:
            Unavailable: it may not.
        """
        status, said = error.status_code, self._said(error)
        if status in (401, 403):
            held = f"the key in {self.access.variable}" if self._key else "a request without a key; name the variable with key=NAME"
            self._stop(f"refuses {held} (status {status}: {said})")
        if 300 <= status < 400:
            place = sentence(scrubbed(error.response.headers.get("location", "elsewhere"), self._key), LONGEST_LABEL)
            self._stop(f"redirects to {place!r}, which is not followed; if that is right, give it as url=")
        if status == 404:
            self._stop(
                f"has no model {self.access.model!r}, or is not its full address, which often ends with /v1 (status 404: {said})"
            )
        if error.code in NO_MONEY or not (status >= 500 or status in BUSY):
            self._stop(f"refuses the request (status {status}: {said})")

    def _broken(self, error: BaseException) -> str:
        """Why a request brought no answer, as the end of a sentence."""
        if isinstance(error, NotACompletionError):
            return f"answered with {error}"
        # What breaks the rules of HTTP may be what was sent, and is repeated in the error.
        said = "a request that breaks the rules of HTTP" if type(error).__name__ == "LocalProtocolError" else self._said(error)
        return f"cannot be reached ({said})"

    def _stop(self, why: str) -> NoReturn:
        """Stops the match.

        Raises:
            Unavailable: always.
        """
        raise Unavailable(f"{self.access.url} {why}") from None

    def _said(self, error: BaseException) -> str:
        """What an error says, in a short line without the key."""
        text = message_of(getattr(error, "body", None)) or f"{type(error).__name__}: {error}"
        return sentence(scrubbed(text, self._key), LONGEST_LABEL)


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


async def together(work: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Runs coroutines until all are done, or one fails, which cancels the others."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _asked_to_wait(headers: Any) -> float:
    """The seconds of a `Retry-After`, which may be a date; 0 without one."""
    given = headers.get("retry-after", "")
    with suppress(ValueError, TypeError):
        return max(0.0, float(given))
    with suppress(ValueError, TypeError, OverflowError):
        return max(0.0, parsedate_to_datetime(given).timestamp() - time())
    return 0.0


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
