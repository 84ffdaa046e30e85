"""`ServedGame`: the game about which another program asks a policy."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...agents.memory import take_up
from ...agents.policy import Policy
from ...games.game import Game, StateArray
from ...games.kernels.keys import derive


class ServedGame:
    """A game: where it began, its moves so far (`actions`), and the policy that is asked for the next one, by the position, the
    moves and a seed."""

    def __init__(self, policy: Policy, seed: int = 0) -> None:
        self.policy, self._seed, self.actions = policy, seed, list[int]()
        self._states = [policy.game.start]

    @property
    def game(self) -> Game:
        """The game and variant."""
        return self.policy.game

    @property
    def state(self) -> StateArray:
        """The position (W,)."""
        return self._states[-1]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game.outcome(self.state) is not None

    def set_up(self, start: StateArray | None = None, moves: Iterable[str] = ()) -> None:
        """Begins anew, from a position or the game's start, and plays moves; ValueError at one that does not exist or is not legal,
        when those before it have been played."""
        self._states, self.actions = [self.game.start if start is None else start], []
        for move in moves:
            self.play(self.game.action(move, self.state))

    def play(self, action: int) -> None:
        """Plays a move; ValueError where it is not legal."""
        self._states.append(self.game.play(self.state, action))
        self.actions.append(action)

    def undo(self) -> None:
        """Takes the last move back."""
        self.actions.pop()
        self._states.pop()

    def choose(self, key: int | None = None) -> int:
        """The policy's move by a key, or else by the seed and the number of moves. ValueError where the game is over, Forfeits
        where the policy has no move."""
        self.refuse_end()
        key = int(self.game.kernel(derive)(self._seed, len(self.actions))) if key is None else key
        playing = take_up(self.policy, np.stack(self._states), self.actions)
        return int(playing.act(self.state[None], np.array([key], np.uint64), np.zeros(1, np.int64))[0])

    def refuse_end(self) -> None:
        """Refuses, by a ValueError, a question about a finished game."""
        if self.is_over:
            raise ValueError(f"the game is over in {self.game.text(self.state)!r}; send another position")
