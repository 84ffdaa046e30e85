"""Single moves and whole games for the library verifiers, whose own commands then train and evaluate on them.

The reward of a single move is exact: 1 where it keeps the value of the position, less where it loses some, 0 where it is no legal
move. Of a whole game the reward is the result, or the mean reward of its answers (`Tasks.reward`). The metrics have both, and the
trace has the score of each answer.
"""

# Types are checked where verifiers is not installed, too; where it is, its pydantic models are read wrongly.
# pyright: basic
# pyright: reportMissingImports=false, reportCallIssue=false, reportIncompatibleMethodOverride=false, reportAttributeAccessIssue=false

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Literal

import verifiers.v1 as vf
from openai import AsyncOpenAI

from .episodes import Episode, EpisodeReward
from .tasks import Task, Tasks


class TasksetConfig(vf.TasksetConfig):
    """Which tasks there are: the settings of `Tasks`, and the split."""

    game: str = "tictactoe"
    opponent: str | None = None
    count: int = 1000
    seed: int = 0
    opening_plies: int | None = None
    retries: int = 2
    legal: bool = False
    variant: str = "plain"
    reward: EpisodeReward | None = None
    split: Literal["train", "test"] = "train"

    def tasks(self) -> Tasks:
        """The tasks of both splits."""
        return Tasks.from_settings(self)


class TaskData(vf.TaskData):
    """A task and its settings, as they are written beside each trace."""

    task: Task
    settings: dict[str, Any]


class VerifiersTask(vf.Task[TaskData]):
    """One task; its environment scores it."""


class VerifiersTaskset(vf.Taskset[VerifiersTask, TasksetConfig]):
    """The tasks of a game and of one split."""

    def load(self) -> Iterator[VerifiersTask]:
        tasks = self.config.tasks()
        for number, task in enumerate(tasks.train if self.config.split == "train" else tasks.test):
            name = f"{tasks.game} {self.config.split} {number}"
            prompt = tasks.episode(task).question
            yield VerifiersTask(TaskData(name=name, prompt=prompt, task=task, settings=asdict(tasks)), self.config.task)


@lru_cache(maxsize=8)
def first_of(tasks: Tasks) -> Tasks:
    """The first of equal ones, which has made its policy already."""
    return tasks


class EnvConfig(vf.EnvConfig):
    """One seat: the player that speaks. It runs no programs, so the machine of its harness is this one."""

    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class VerifiersEnv(vf.Env[EnvConfig]):
    """Plays an episode with the player, and scores each answer."""

    async def run(self, task: VerifiersTask, agents: vf.Agents) -> None:
        tasks = first_of(Tasks(**task.data.settings))
        episode = await asyncio.to_thread(tasks.episode, task.data.task)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                await asyncio.to_thread(episode.take, segment.last_reply)
                if episode.over:
                    break
                segment = await interaction.turn(episode.question)
            self._record(episode, interaction.trace)

    def _record(self, episode: Episode, trace: vf.Trace) -> None:
        """Puts the reward, the metrics and each answer's score on the trace."""
        metrics = episode.metrics
        trace.record_reward("reward", episode.reward)
        trace.record_metrics(metrics if episode.result is None else {**metrics, "result": episode.result})
        trace.info.update(episode.document())


class VerifiersHarness(vf.Harness[vf.HarnessConfig]):
    """Asks the model for one answer to the conversation so far, in this process."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        system, prompt = self.resolve_prompt(data)
        spoken = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else [*map(message_for_endpoint, prompt or [])]
        messages: Any = [*([{"role": "system", "content": system}] if system else []), *spoken]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0) as client:
            await client.chat.completions.create(model=ctx.model, messages=messages)
        return vf.ProgramResult(0, "", "")


def message_for_endpoint(message: Any) -> dict[str, Any]:
    """A message of a trace as an endpoint takes it."""
    return {"role": message.role, "content": message.content}
