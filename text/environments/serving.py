"""Episodes over a WebSocket, as JSON, in the messages of OpenEnv: its clients (openenv-core) play them as they are.

    /ws       {"type": "reset", "data": {"seed": 1, "split": "test"}}, all of the data optional
              {"type": "step", "data": {"answer": "I play c2"}}
              {"type": "state"}
              {"type": "close"}
    /health   whether the server answers

A connection has one episode at a time. Clients cannot name policies or files.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from itertools import count
from typing import Annotated, Any, Literal
from uuid import uuid4

import msgspec
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ...arena.pages.guarded import GuardedApp
from ...arena.pages.messages import read_message, texts
from ...core.numbers import short_repr
from ..scoring import AnswerScore
from .episodes import Episode
from .tasks import Task, Tasks

LARGEST = 256 << 10
"""The maximum number of bytes of a message."""
MOST_EPISODES = 256
"""The maximum number of connections."""
MOST_THREADS = 8
"""The maximum number of messages that are answered at once: the opponents of more would only wait for the processor."""
log = logging.getLogger("ludus")


class ResetRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to begin an episode.

    Args:
        seed: the number of the task; None for the next task.
        split: the split of the task.
        position: a position as text, instead of a task; the player to move answers.
        episode_id: a name for the episode.
    """

    seed: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    split: Literal["train", "test"] = "train"
    position: Annotated[str, Meta(max_length=1000)] | None = None
    episode_id: Annotated[str, Meta(max_length=255)] | None = None


class Action(Struct, frozen=True):
    """The action of a player: its answer, in any form."""

    answer: str


class Message(Struct, frozen=True):
    """A message of a client; `data` is a `ResetRequest` or an `Action`."""

    type: Literal["reset", "step", "state", "close"]
    data: msgspec.Raw = msgspec.Raw(b"{}")


class Host:
    """Answers all clients with these tasks."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks, self._numbers, self._threads = tasks, count(), asyncio.Semaphore(MOST_THREADS)
        self._connections = 0

    async def serve(self, socket: WebSocket) -> None:
        """Answers a client until it disconnects."""
        await socket.accept()
        if self._connections >= MOST_EPISODES:
            await socket.send_json(_refusal("CAPACITY_REACHED", f"{MOST_EPISODES} clients are connected; try again later"))
            await socket.close(1013)
            return
        self._connections += 1
        session = EpisodeSession(self)
        try:
            with suppress(WebSocketDisconnect, RuntimeError):  # the client is gone
                async for text in texts(socket):
                    if (answer := await session.answer(text)) is None:
                        await socket.close()
                        return
                    await socket.send_json(answer)
        finally:
            self._connections -= 1

    async def run(self, work: Any, *arguments: Any) -> Any:
        """Runs work that takes a while in a thread, and returns its result."""
        async with self._threads:
            return await asyncio.to_thread(work, *arguments)

    def begin(self, request: ResetRequest) -> Episode:
        """The episode of a request; ValueError where the position is not one of the game, or is finished."""
        number = next(self._numbers) if request.seed is None else request.seed
        if request.position is None:
            tasks = self._tasks.train if request.split == "train" else self._tasks.test
            return self._tasks.episode(tasks[number % len(tasks)])
        game = self._tasks.rules
        state = game.position(request.position)
        if game.outcome(state) is not None:
            raise ValueError(f"the game is over in {short_repr(request.position)}; give an unfinished position")
        return self._tasks.episode(Task(request.position, game.player(state), number))


class EpisodeSession:
    """The episodes of one client, one after the other."""

    def __init__(self, host: Host) -> None:
        self._host, self._name = host, ""
        self._episode: Episode | None = None

    async def answer(self, text: str) -> dict[str, Any] | None:
        """The answer to a message; None if the client closes the connection."""
        try:
            message: Message = read_message(text, Message)
            if message.type == "close":
                return None
            if message.type == "state":
                return {"type": "state", "data": self._state()}
            reply = self._reset if message.type == "reset" else self._step
            return {"type": "observation", "data": await reply(message.data)}
        except msgspec.ValidationError as error:
            return _refusal("VALIDATION_ERROR", str(error))
        except msgspec.DecodeError as error:
            return _refusal("INVALID_JSON", str(error))
        except ValueError as error:
            return _refusal("EXECUTION_ERROR", str(error))
        except Exception as error:  # a policy may raise any error
            log.warning("a request failed", exc_info=True)
            return _refusal("EXECUTION_ERROR", f"{type(error).__name__}: {error}")

    async def _reset(self, data: msgspec.Raw) -> dict[str, Any]:
        request: ResetRequest = read_message(data, ResetRequest)
        self._episode = episode = await self._host.run(self._host.begin, request)
        self._name = request.episode_id or uuid4().hex
        return _observation(episode)

    async def _step(self, data: msgspec.Raw) -> dict[str, Any]:
        action: Action = read_message(data, Action)
        episode = self._current_episode()
        return _observation(episode, await self._host.run(episode.take, action.answer))

    def _state(self) -> dict[str, Any]:
        episode = self._current_episode()
        return {"episode_id": self._name, "step_count": len(episode.scores), **episode.document(), "metrics": episode.metrics}

    def _current_episode(self) -> Episode:
        if self._episode is None:
            raise ValueError("there is no episode; reset first")
        return self._episode


def _observation(episode: Episode, score: AnswerScore | None = None) -> dict[str, Any]:
    """What a player gets after a reset, or after an answer with its score."""
    game = episode.game
    return {
        "observation": {
            "question": episode.question,
            "game": game.spec,
            "position": game.text(episode.state),
            "score": score and episode.score_document(score),
        },
        "reward": episode.reward if score and episode.over else None,
        "done": episode.over,
    }


def _refusal(code: str, message: str) -> dict[str, Any]:
    return {"type": "error", "data": {"code": code, "message": message}}


async def _health(_: Request) -> Response:
    return JSONResponse({"status": "healthy"})


def application(tasks: Tasks, token: str | None = None, name: str = "localhost") -> GuardedApp:
    """The application, for any ASGI server.

    Args:
        tasks: the tasks that clients get.
        token: the token that clients must send; None if only this machine can reach the server.
        name: the name of this machine at which it is served.
    """
    routes = [WebSocketRoute("/ws", Host(tasks).serve), Route("/health", _health)]
    return GuardedApp(Starlette(routes=routes), token, programs=True, name=name)
