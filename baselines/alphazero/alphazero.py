"""AlphaZero: a network that learns, from self-play, the better policy that its own search finds.

Each part of the training, `advance`, is one turn of this loop:

    play     every group of games plays some more plies (selfplay/games.py): in each position search, guided by the network, finds
             a better policy than the network alone; the result of a game becomes the value of its positions
    learn    at the same time the network learns from the window of earlier samples (learner.py), by the loss

                 cross-entropy(policy of search, policy of the network) + value_weight · (target - value of the network)²

             in batches, each sample under a random symmetry of the game; by ending_weight, an extra head learns what each cell will
             hold at the end of the game
    keep     the samples of finished games and lessons enter the window, and others leave it (selfplay/samples.py)
    measure  where perfect play is known, the network alone is compared with it on test positions (selfplay/exact.py)

Unfinished games go on in the next part. A part follows from the seed, the settings and its number. Who plays the groups (threads,
processes or a cluster, core/workers/pool.py) makes no difference, except that other machines may round floats differently.

Sources: Silver et al.: Mastering the game of Go without human knowledge, Nature 550 (2017), and A general reinforcement
learning algorithm that masters chess, shogi, and Go through self-play, Science 362 (2018); Wu: Accelerating self-play
learning in Go, AAAI workshop (2020), for the extra head; proven results as targets, games that
end with them, and targets and lessons from the oracle are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import starmap
from math import ceil
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from torch import nn

from ...agents.alphazero import AlphaZeroPolicy
from ...agents.policy import Policy
from ...core.files.named_arrays import Arrays, under
from ...core.specs import read
from ...games.game import Game
from ..runs.trainer import Trainer
from .learner import Learner
from .networks.evaluator import Evaluator, load_net
from .selfplay.exact import known_positions
from .selfplay.games import GameCounts, GameGroup, SelfPlay
from .selfplay.samples import Samples
from .settings import PRESETS, AlphaZeroSettings

PLAY, KEEP, LEARN = range(3)
"""The streams of random numbers of a part."""


class AlphaZero(Trainer[AlphaZeroSettings]):
    """Learns from self-play, guided by search."""

    name: ClassVar[str] = "alphazero"
    settings_class = AlphaZeroSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS
    unit: ClassVar[str] = "positions"
    shared: ClassVar[tuple[str, ...] | None] = ("blocks", "channels", "heads", "lines", "network")
    hands_out: ClassVar[bool] = True
    keeps_games: ClassVar[bool] = True
    # what a search proves against best play need not hold against the policy, and games begin at the start
    against: ClassVar[Mapping[str, Any] | None] = {
        "solver": False,
        "adjudicate": False,
        "resign": None,
        "openings": 0,
        "long_openings": 0,
        "long_share": 0.0,
        "exact_share": 0.0,
        "lesson_share": 0.0,
        "result_share": 1.0,
    }

    def __init__(self, game: Game, settings: AlphaZeroSettings, seed: int) -> None:
        super().__init__(game, settings, seed)
        self._groups = [GameGroup.new(game, settings.boards // settings.groups) for _ in range(settings.groups)]
        self._window = Samples.none(game)
        self._parts = self._seen = self._fresh = 0
        self.learner = Learner(game, settings, seed)
        self._opponent: Policy | None = None

    @property
    def done(self) -> int:
        return self._parts * self.settings.boards * self.settings.plies

    @property
    def obstacle(self) -> str:
        if self.learner.has_learnt:
            return ""
        ended = f"the first {self._seen:,} positions of ended games came with the last part" if self._seen else "no game has ended"
        return f"{ended}, so no gradient step was taken yet; set more positions"

    def play_against(self, policy: Policy) -> None:
        self._opponent = policy

    # ---- a part

    def advance(self) -> dict[str, float]:
        evaluate = Evaluator(self.game, self.settings.shape, self.learner.weights())
        with ThreadPoolExecutor(1, "ludus") as other:
            playing = other.submit(self._play, evaluate)
            losses = self._learn()
            fresh, counts = playing.result()
        self._keep(fresh)
        if self.keep is not None:
            self.keep(self._parts, counts.ended)
        self._parts += 1
        games = max(counts.games, 1)
        return {
            **losses,
            "games": float(counts.games),
            "plies a game": counts.plies / games,
            "first player": counts.first / games,
            **known_positions(self.game).measure(evaluate),
        }

    def _play(self, evaluate: Evaluator) -> tuple[Samples, GameCounts]:
        """Continues every group; the samples of the games that ended, and statistics."""
        settings, plies = self.settings.at(self.done / self.total), self.settings.plies
        selfplay = SelfPlay(self.game, settings, keeps_games=self.keep is not None, opponent=self._opponent)
        jobs = [(selfplay, group, evaluate, plies, (self.seed, PLAY, number)) for number, group in enumerate(self._groups)]
        run = self.starmap if self._opponent is None else starmap  # what the opponent was asked is counted here
        groups, fresh, counts = zip(*run(SelfPlay.play, jobs), strict=True)
        self._groups = [*groups]
        return Samples.none(self.game).concatenate(*fresh), sum(counts, GameCounts())

    def _learn(self) -> dict[str, float]:
        try:
            return self.learner.learn(self._window, self._fresh, self.done / self.total, self._draws(LEARN))
        except ValueError as error:
            raise ValueError(
                f"after {self.done} positions {error}: the training has diverged and stops; what the run has saved is unchanged. "
                "Use a lower rate or a larger batch"
            ) from None

    def _keep(self, fresh: Samples) -> None:
        """Adds samples to the window."""
        self._seen, self._fresh = self._seen + len(fresh), len(fresh)
        most = min(self.settings.window, ceil(self.settings.window_share * self._seen))
        self._window = self._window.concatenate(fresh).prune(most, self.settings.pruning, self._draws(KEEP))

    def _draws(self, purpose: int) -> np.random.Generator:
        """The random numbers of this part for a purpose."""
        return np.random.default_rng([self.seed, purpose, self._parts])

    # ---- its state

    grows = "optimiser.*", "window.*", "group.*.waiting.*", "group.*.boards", "group.*.proven"

    def state(self) -> Arrays:
        arrays = self.learner.state()
        for number, group in enumerate(self._groups):
            arrays |= group.arrays(f"group.{number}.")
        return arrays | self._window.arrays("window.") | {"counts": np.array([self._parts, self._seen, self._fresh])}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._parts, self._seen, self._fresh = state["counts"].tolist()
        self._groups = [GameGroup.of(self.game, under(f"group.{number}.", state)) for number in range(len(self._groups))]
        self._window = Samples.of(self.game, under("window.", state))
        self.learner.restore(state)

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes the network; games, the window and the optimiser start new."""
        self.learner.load(state)

    def learnt(self) -> Arrays:
        return self.learner.weights()

    @classmethod
    def network_of(cls, game: Game, settings: AlphaZeroSettings, learnt: Mapping[str, NDArray[Any]]) -> nn.Module:
        return load_net(game, settings.shape, learnt)

    @classmethod
    def policy_of(
        cls, game: Game, settings: AlphaZeroSettings, learnt: Mapping[str, NDArray[Any]], **options: str
    ) -> AlphaZeroPolicy:
        as_trained = {name: getattr(settings, name) for name in ("exploration", "formula", "considered", "solver")}
        chosen = as_trained | read(AlphaZeroPolicy, options, f"a policy of {cls.name}")
        return AlphaZeroPolicy(game, net=Evaluator(game, settings.shape, learnt), **chosen)
