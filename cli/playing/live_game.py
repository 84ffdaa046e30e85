"""A game between a person and a policy: its position, the policy's moves, and saving and loading it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents import Policy, make_policy
from ...agents.memory import take_up
from ...agents.policy import Playing
from ...agents.registry import POLICIES
from ...arena.engines.remote import guard_policy
from ...arena.matches.players import fault_of, validate_actions
from ...core.errors import policy_errors
from ...core.files.documents import read_document
from ...core.files.writing import write_whole
from ...core.numbers import seed_of
from ...core.plugins import CheckedSpec
from ...core.workers.worker import Worker
from ...envs import Game, make_game
from ...games.game import StateArray
from ...games.kernels.keys import derive
from ...games.lines import GameLines
from ...games.registry import GAMES
from ...records.saved import SavedMoves

ADVICE = "name a file that `save` wrote, or start a new game"


@dataclass(frozen=True)
class SavedGame(SavedMoves):
    """A saved game that can be played on.

    Args:
        against: the opponent's spec, which is made again.
        seed: the random seed.
    """

    against: CheckedSpec
    seed: int


@dataclass
class LiveGame:
    """A game being played.

    Args:
        game: its rules.
        policy: the opponent.
        against: the opponent's spec as the person typed it.
        seat: the person's seat.
        seed: the random seed.
        start: the first state.
        actions: the actions since.
    """

    game: Game
    policy: Policy
    against: str
    seat: int
    seed: int
    start: StateArray
    actions: list[int] = field(default_factory=list[int])
    _playing: tuple[Playing, list[int]] | None = field(default=None, init=False, repr=False)
    """The policy with its memory of this game, and the actions that the memory covers."""

    @property
    def states(self) -> StateArray:
        """All states from the start to now."""
        return self.game.play_line(self.actions, self.start)

    @property
    def state(self) -> StateArray:
        """The current state."""
        return self.states[-1]

    @property
    def outcome(self) -> tuple[int, int] | None:
        """The results of both players; None while the game goes on."""
        return self.game.outcome(self.state, len(self.actions))

    def answer(self, out: Any) -> None:
        """Lets the policy move until it is the person's turn, and shows the board.

        Raises:
            ValueError: the policy raised an error, or its action is not legal.
        """
        while self.outcome is None and self.game.player(self.state) != self.seat:
            key = self.game.kernel(derive)(self.seed, len(self.actions))
            action = self._ask(np.array([key], np.uint64))
            print(f"{self.against} plays {self.game.move_name(action)}", file=out)
            self.actions.append(action)
        self.show(out)

    def _ask(self, keys: NDArray[np.uint64]) -> int:
        """Asks the policy for an action.

        Raises:
            ValueError: the policy raised an error, or its action is not legal.
        """
        (playing, known), self._playing = self._playing or (None, []), None  # an error below leaves no memory
        try:
            if playing is None or self.actions[: len(known)] != known:  # the memory is of another line, for example after `undo`
                playing = take_up(self.policy, self.states, self.actions)
            elif self.policy.sees_moves:
                playing.lines = GameLines.of(self.start, self.actions)
            action = int(validate_actions(playing.act(self.state[None], keys, np.zeros(1, np.int64)), 1)[0])
        except policy_errors() as error:
            raise ValueError(f"{self.against} gave no move: {fault_of(error).reason}") from error
        if action not in self.game.legal_actions(self.state):
            position, move = self.game.text(self.state), self.game.move_name(action)
            raise ValueError(f"{self.against} answered {position!r} with {move}, which is not legal there")
        self._playing = playing, [*self.actions, action]
        return action

    def show(self, out: Any) -> None:
        """Prints the board."""
        print("\n" + self.game.picture(self.state, self.actions[-1] if self.actions else None) + "\n", file=out)

    def undo(self) -> None:
        """Takes back the person's last action and all later ones.

        Raises:
            ValueError: the person has not moved yet.
        """
        states = self.states
        mine = [ply for ply in range(len(self.actions)) if self.game.player(states[ply]) == self.seat]
        if not mine:
            raise ValueError("there is no move of yours to take back")
        del self.actions[mine[-1] :]

    def document(self) -> dict[str, Any]:
        """The game for its file and for JSON."""
        return {
            "game": self.game.spec,
            "against": self.against,
            "needs": GAMES.needs(self.game.spec) | POLICIES.needs(self.against),
            "seat": self.seat,
            "seed": self.seed,
            "start": self.game.text(self.start),
            "moves": [self.game.move_name(action) for action in self.actions],
            "position": self.game.text(self.state),
            "outcome": None if self.outcome is None else self.outcome[self.seat],
        }


def load(path: Path, trust: bool, worker: Worker) -> LiveGame:
    """Loads a saved game.

    Raises:
        ValueError: the file is not a saved game, or it names code and `trust` is False.
        OSError: it cannot be read.
    """
    saved = read_document(path, SavedGame, ADVICE, trust=trust)
    game = make_game(saved.game)
    policy = make_policy(guard_policy(saved.against, game, worker), game)
    try:
        live_game = LiveGame(
            game=game,
            policy=policy,
            against=saved.against,
            seat=saved.seat,
            seed=seed_of(saved.seed),
            start=game.position(saved.start),
        )
        live_game.actions = [game.action(move) for move in saved.moves]
        live_game.states  # noqa: B018  plays all moves, which fails if one is illegal
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}; {ADVICE}") from None
    return live_game


def save(live_game: LiveGame, path: Path) -> None:
    """Writes the game to a file, completely or not at all."""
    write_whole(path, json.dumps(live_game.document(), indent=2).encode())
