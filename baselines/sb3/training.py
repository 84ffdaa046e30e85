"""What the trainers over Stable-Baselines3 share: a model on compiled boards, driven part by part, with all its state as arrays.

Stable-Baselines3 does the learning, as published. A part is a number of its rounds, of collecting and of gradient steps; torch's
and numpy's global generators begin each part from a key of their own, so that a part follows from the state before it alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.policies import BasePolicy
from torch import Tensor, nn

from ...agents.external.nets import BLOCK
from ...agents.external.wrapped import Wrapped
from ...agents.policies.policy import Policy
from ...envs import views
from ...envs.files.named_arrays import Arrays, under
from ...envs.games.game import Game
from ...envs.kernels.keys import derive_key
from ...envs.settings.bounds import Count, OneOf, Share
from ...envs.settings.numbers import Range
from ...envs.settings.specs import read
from ...opponents import Ladder, League
from ..runs.networks import load_optimizer, load_weights, optimizer_state, torch_threads, weights_of
from ..runs.trainer import Trainer
from .nets import BoardFeatures, Scorer
from .opponents import SELF, OpponentSettings, opponents_of
from .randomness import drawn_from
from .vec_env import BoardsVecEnv

DEVICES = ("cpu", "cuda", "auto")
START_KEY = -1
"""What the first weights are drawn by; parts count from 0."""
BOARD_ARRAYS = (
    *("states", "choices", "seeds", "keys", "games", "plies", "lasts"),
    *("players", "phases", "endings", "results", "seats", "met"),
)


@dataclass(frozen=True)
class SB3Settings(OpponentSettings):
    """Settings of all trainers over Stable-Baselines3.

    Args:
        steps: how many actions the learner takes in all, rounded up to whole parts.
        boards: on how many boards it plays at once.
        convolutions: how many filters each 3×3 convolution has, joined by +; none for none.
        lines: by how many filters each row, column and long diagonal is read, on square boards; 0 for none.
        layers: how many units each hidden layer behind them has, joined by +; policy and value have layers of their own.
        rate: how far a gradient step goes at first, and
        rate_end: at the end; it falls evenly.
        discount: what a reward is worth one action of the learner earlier.
        device: where the network is: cpu, cuda, or auto. Only on a CPU does a seed say all.
    """

    steps: Count = 1_000_000
    boards: Count = 128
    convolutions: tuple[Count, ...] | None = None
    lines: Annotated[int, Range(0)] = 0
    layers: tuple[Count, ...] = (128, 128)
    rate: Share = 1e-3
    rate_end: Share = 0.0
    discount: Share = 0.99
    device: Annotated[str, OneOf(*DEVICES)] = "cpu"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.device == "cuda" and not torch.cuda.is_available():
            raise ValueError("device is 'cuda', but torch finds no GPU here; use cpu or auto")


S = TypeVar("S", bound=SB3Settings)


@dataclass(frozen=True)
class PlayOptions:
    """What stands behind the folder of a run in a spec.

    Args:
        sample: draw actions by their probabilities, and do not take the most probable.
        masked: choose among legal actions alone. If not, an illegal one can be chosen, and loses the game.
    """

    sample: bool = False
    masked: bool = True


class SB3Trainer(Trainer[S]):
    """A model of Stable-Baselines3 that learns on compiled boards.

    Raises:
        ValueError: an opponent does not play the game, or there are to be lines on a board that is no square.
    """

    unit: ClassVar[str] = "steps"
    shared: ClassVar[tuple[str, ...] | None] = ("convolutions", "lines", "layers")

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        super().__init__(game, settings, seed)
        self._parts = 0
        with drawn_from(self._key(START_KEY)):
            newborn = weights_of(self.core(self.network(game, settings)))
            self.league = League(game, size=settings.pool, draw=settings.draw, make=self._snapshot, name=SELF)
            self.league.add(newborn)
            self.opponents = opponents_of(game, settings, self.league)
            seat = settings.seat if settings.seat == "random" else int(settings.seat)
            self.env = BoardsVecEnv(game, settings.boards, opponent=self.opponents, seat=seat, opening_plies=settings.opening_plies)
            self.env.seed(seed)
            self.model = self.make_model()
            load_weights(self.core(self.model.policy), newborn)
            self.begin()

    # ---- what an algorithm says

    @classmethod
    @abstractmethod
    def network(cls, game: Game, settings: S) -> BasePolicy:
        """Its network, with fresh weights."""

    @classmethod
    def scorer(cls, game: Game, settings: S) -> Scorer:
        """What a policy plays by, to be given weights: making it changes no generator."""
        with drawn_from(0):
            return Scorer(cls.core(cls.network(game, settings)), cls.scores)

    @classmethod
    def core(cls, network: Any) -> nn.Module:
        """Of its network what a policy plays by."""
        return network

    @staticmethod
    @abstractmethod
    def scores(core: Any, planes: Tensor) -> Tensor:
        """What the core of its network thinks of every action (B, A), of planes (B, C, H, W)."""

    draws: ClassVar[bool] = True
    """Whether these are logits, to draw actions by."""

    @abstractmethod
    def make_model(self) -> BaseAlgorithm:
        """The algorithm on `self.env`."""

    @property
    @abstractmethod
    def steps_a_part(self) -> int:
        """How many actions the learner takes in a part."""

    @abstractmethod
    def part(self) -> None:
        """Collects, and learns from it."""

    # ---- what a trainer is

    @property
    def done(self) -> int:
        return self._parts * self.steps_a_part

    @property
    def total(self) -> int:
        return -(-self.settings.steps // self.steps_a_part) * self.steps_a_part

    def advance(self) -> dict[str, float]:
        with drawn_from(self._key(self._parts)), torch_threads(1):  # networks so small are quickest on one
            self.part()
        self._parts += 1
        if SELF in self.settings.opponents and self._parts % self.settings.snapshot_every == 0:
            self.league.add(self.learnt())
        met = {f"points against {name}": share for name, share in self.opponents.points.items()}
        reached = {"opponents met": float(self.opponents.reached)} if isinstance(self.opponents, Ladder) else {}
        return met | reached | self.env.told() | self.told()

    def told(self) -> dict[str, float]:
        """What the algorithm told of the part."""
        values = self.model.logger.name_to_value
        return {name.rpartition("/")[2].replace("_", " "): float(values[name]) for name in self.shown}

    shown: ClassVar[tuple[str, ...]]
    """Which of its values the algorithm tells."""

    def begin(self) -> None:
        """Begins the first games, as the algorithm's own `learn` does."""
        self.model.set_logger(Logger(None, []))
        _, self.callback = self.model._setup_learn(self.total, None)  # pyright: ignore[reportPrivateUsage]

    def rate(self, _: float) -> float:
        """How far a gradient step goes now."""
        return self.settings.rate + (self.settings.rate_end - self.settings.rate) * (self.done / self.total)

    def _snapshot(self, weights: Arrays) -> Policy:
        """The learner with these weights, as an opponent: one of networks that draw their actions draws them here too."""
        scorer = self.scorer(self.game, self.settings)
        load_weights(scorer.network, weights)
        return Wrapped(self.game, scorer=scorer, title=self.name, sample=self.draws)

    def _key(self, part: int) -> int:
        derive: Any = self.game.kernel(derive_key)
        return int(derive(self.seed, part))

    # ---- kept

    grows = "opponents.*", "memory.*"

    def state(self) -> Arrays:
        boards = {f"boards.{name}": getattr(self.env.boards, name).copy() for name in BOARD_ARRAYS}
        optimizer = {f"optimizer.{name}": array for name, array in optimizer_state(self.model.policy.optimizer).items()}
        weights = {f"weights.{name}": array for name, array in weights_of(self.model.policy).items()}
        opponents = {f"opponents.{name}": array for name, array in self.opponents.state().items()}
        return {"parts": np.array([self._parts]), **self.kept(), **boards, **optimizer, **weights, **opponents}

    def kept(self) -> Arrays:
        """What of the algorithm's state is in nothing else."""
        return {}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        try:
            self._parts = int(state["parts"][0])
            self.opponents.restore(under("opponents.", state))
            load_weights(self.model.policy, under("weights.", state))
            load_optimizer(self.model.policy.optimizer, under("optimizer.", state))
            for name in BOARD_ARRAYS:
                getattr(self.env.boards, name)[:] = state[f"boards.{name}"]
            self._check_boards()
            self.put_back(state)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"this is no state of {self.name} for {self.game} with these settings: {error}") from None

    def _check_boards(self) -> None:
        """Checks that games are on that can be.

        Raises:
            ValueError: one is not.
        """
        boards = self.env.boards
        if not (np.isin(boards.seats, (0, 1)) & (boards.met >= 0) & (boards.met < self.opponents.width)).all():
            raise ValueError("games are on from other seats, or against other opponents, than there are")

    def put_back(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Puts back what is kept of the algorithm, all else being back in its place."""
        self.model.num_timesteps = self.done
        self.model._last_obs = self.env.look()  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes the networks; games, the optimiser's moments and what an algorithm remembers begin anew."""
        load_weights(self.model.policy, under("weights.", state))
        with drawn_from(self._key(START_KEY)):
            self.league.clear()
            self.league.add(self.learnt())
            self.env.seed(self.seed)
            self.begin()

    def learnt(self) -> Arrays:
        return weights_of(self.core(self.model.policy))

    @classmethod
    def policy_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        chosen = PlayOptions(**read(PlayOptions, options, f"a policy of {cls.name}"))
        if chosen.sample and not cls.draws:
            raise ValueError(f"{cls.name} learns what actions are worth, not how likely to take them; leave out sample=true")
        scorer = cls.scorer(game, settings)
        load_weights(scorer.network, learnt)
        return Wrapped(game, scorer=scorer, title=cls.name, sample=chosen.sample, masked=chosen.masked, block=BLOCK)


def network_settings(settings: SB3Settings) -> dict[str, Any]:
    """What a network is built by, as Stable-Baselines3's policies take it."""
    return {
        "features_extractor_class": BoardFeatures,
        "features_extractor_kwargs": {"convolutions": settings.convolutions or (), "lines": settings.lines},
        "net_arch": list(settings.layers),
        "activation_fn": nn.ReLU,
    }


def spaces_of(game: Game) -> tuple[spaces.Dict, spaces.Discrete]:
    """What a network of a game sees, and what it chooses among."""
    return views.observation_space(game), spaces.Discrete(game.num_actions)
