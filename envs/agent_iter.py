"""The loop `for agent in env.agent_iter()` of an AEC environment: it ends with the game, and refuses a turn that takes no step."""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.env import AECIterable, AECIterator

from .boards import Observation


class Turns(AECIterable[str, Observation, Any]):
    """The agents in the order of their turns."""

    def __iter__(self) -> AECIterator[str, Observation, Any]:
        return _Turn(self.env, self.max_iter)


class _Turn(AECIterator[str, Observation, Any]):
    env: Any

    def __next__(self) -> str:
        env = self.env
        if not env.agents or self.iters_til_term <= 0:
            raise StopIteration
        if not env._moved:
            raise AssertionError("need to call step() or reset() in a loop over agent_iter; the last turn called neither")
        env._moved = False
        self.iters_til_term -= 1
        return env.agent_selection
