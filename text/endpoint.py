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
from .completions import Completion, NotACompletionError, completion_of, scrubbed

T = TypeVar("T")
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds of the first pause before a request is sent again, which doubles each time, and of the longest."""
FIRST_CONTACT = 5.0
"""Seconds after which an address that has never answered counts as wrong."""
SECONDS_TO_CONNECT = 10.0
SECONDS_TO_CLOSE = 5.0
BUSY = (408, 409, 425, 429)
"""Statuses, besides those from 500 on, after which a request is sent again."""
NO_MONEY = ("insufficient_quota", "billing_hard_limit_reached")
FILTERED = ("content_filter", "content_policy_violation", "invalid_prompt")
"""Codes of errors that stand for a refusal of one prompt."""
USUAL = ("host", "accept", "accept-encoding", "connection", "user-agent", "content-type", "content-length")
SENT = frozenset((*USUAL, "x-stainless-raw-response"))
"""The headers that are sent anywhere; the last one tells the client library itself to hand the answer on as it is."""
OWN = frozenset(("openai-organization", "openai-project"))
"""Those that are sent only where the environment's own settings of OpenAI apply."""

Message = dict[str, str]


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
    """

    def __init__(self, access: Access) -> None:
        openai = import_module("openai")  # here, since it takes a while to load
        self.access, self._openai = access, openai
        self._key = os.environ.get(access.variable, "") if access.variable else ""
        self._allowed = SENT | OWN if access.is_own else SENT
        self._has_answered = False
        self._requests, self._tokens = 0, 0
        # A redirection could lead anywhere, with the key: none is followed.
        http = openai.DefaultAsyncHttpxClient(follow_redirects=False, event_hooks={"request": [_signing(self._key, self._allowed)]})
        timeout = openai.Timeout(None, connect=SECONDS_TO_CONNECT)
        self._client = openai.AsyncOpenAI(
            api_key="none", base_url=access.url, max_retries=0, timeout=timeout, http_client=http
        )  # the key comes when a request leaves (`_signing`): so no error, log or copy of the client has it
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
            self._spend()
            number, began = number + 1, perf_counter()
            try:
                raw = await asyncio.wait_for(self._sent(messages, seed), self.access.seconds)
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
                problem, least = f"cannot be reached ({self._said(error.__cause__ or error)})", 0.0
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

    def _spend(self) -> None:
        """Takes a request from the budget.

        Raises:
            Unavailable: it is used up.
        """
        used = {"requests": (self._requests, self.access.requests), "tokens": (self._tokens, self.access.tokens)}
        for what, (spent, budget) in used.items():
            if budget is not None and spent >= budget:
                raise Unavailable(
                    f"the model {self.access.model} has used up its budget of {budget:,} {what}; what was finished is kept, and"
                    " resuming begins with a new budget"
                )
        self._requests += 1

    def _count(self, found: Completion) -> None:
        """Counts the tokens of a reply."""
        if found.tokens_in is not None and found.tokens_out is not None:
            self._tokens += found.tokens_in + found.tokens_out
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
            place = scrubbed(error.response.headers.get("location", "elsewhere"), self._key)[:200]
            self._stop(f"redirects to {place!r}, which is not followed; if that is right, give it as url=")
        if status == 404:
            self._stop(
                f"has no model {self.access.model!r}, or is not its full address, which often ends with /v1 (status 404: {said})"
            )
        if error.code in NO_MONEY or not (status >= 500 or status in BUSY):
            self._stop(f"refuses the request (status {status}: {said})")

    def _stop(self, why: str) -> NoReturn:
        """Stops the match.

        Raises:
            Unavailable: always.
        """
        raise Unavailable(f"{self.access.url} {why}") from None

    def _said(self, error: BaseException) -> str:
        """What an error says, in a short line without the key."""
        body = getattr(error, "body", None)
        message = body.get("message") if isinstance(body, dict) else None  # pyright: ignore[reportUnknownMemberType]
        text = message if isinstance(message, str) else f"{type(error).__name__}: {error}"
        return " ".join(scrubbed(text, self._key).split())[:200]


def endpoint_of(access: Access) -> Endpoint:
    """The endpoint that is asked so in this process; a fork has its own, since neither threads nor connections outlive one."""
    place = os.getpid(), access
    found = _endpoints.get(place)
    if found is None:
        found = _endpoints[place] = Endpoint(access)
    return found


_endpoints = weakref.WeakValueDictionary[tuple[int, Access], Endpoint]()


async def together(work: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Runs coroutines until all are done, or one fails, which cancels the others."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _signing(key: str, allowed: frozenset[str]) -> Any:
    """What gives the key to a request that leaves, and takes away whatever else the environment has added."""

    async def sign(request: Any) -> None:
        for name in [*request.headers]:
            if name.lower() not in allowed:
                del request.headers[name]
        if key:
            request.headers["Authorization"] = f"Bearer {key}"

    return sign


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
