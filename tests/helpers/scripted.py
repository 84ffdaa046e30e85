"""Endpoints for tests of language models, the example's and one that says what a test wants; and the policies that ask them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np

import ludus
from ludus.agents.answers import Answer

Endpoint: Any = import_module("examples.endpoint").Endpoint


class Scripted(Endpoint):
    """Answers whatever a function says of the number of a request, counted from 0: status, body and headers. Keeps what was sent,
    the headers with names in lower case, and when it came, in seconds."""

    def __init__(self, script: Callable[[int], Any]) -> None:
        super().__init__("tictactoe", "random")
        self.script = script
        self.sent, self.headers, self.times = list[dict[str, Any]](), list[dict[str, str]](), list[float]()

    def answer(self, asked: dict[str, Any], headers: dict[str, str]) -> Any:
        with self.turn:
            number = len(self.sent)
            self.sent.append(asked)
            self.headers.append({name.lower(): value for name, value in headers.items()})
            self.times.append(time.monotonic())
        return self.script(number)


def saying(text: Any, end: str = "stop", model: str = "m", **message: Any) -> tuple[int, dict[str, Any], dict[str, str]]:
    """An answer that says this."""
    choice = {"message": {"content": text, **message}, "finish_reason": end}
    return 200, {"model": model, "choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 11}}, {}


def failing(status: int, message: str = "", code: str = "", **headers: str) -> tuple[int, dict[str, Any], dict[str, str]]:
    """An answer that is an error."""
    return status, {"error": {"message": message, "code": code}}, {name.replace("_", "-"): value for name, value in headers.items()}


@contextmanager
def serving(endpoint: Any) -> Generator[Any]:
    """An endpoint that answers meanwhile."""
    thread = threading.Thread(target=endpoint.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.shutdown()
        endpoint.server_close()
        thread.join()


def model(endpoint: Any, game: Any = "tictactoe", **settings: Any) -> Any:
    """The policy that asks an endpoint."""
    given = {"model": "m", "url": endpoint.url, **settings}
    return ludus.make_policy("llm:" + ",".join(f"{name}={value}" for name, value in given.items()), game)


def asked(endpoint: Any, position: str = "--------- X", **settings: Any) -> Answer:
    """What the model answers in a position."""
    policy = model(endpoint, **settings)
    return policy.answer(policy.game.position(position)[None], np.zeros(1, np.uint64))
