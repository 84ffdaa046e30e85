"""What the trainers over Stable-Baselines3 share: a model on compiled boards that trains part by part, and its state as arrays.

Stable-Baselines3 does the learning, as published. A part is a number of its rounds of collecting and of gradient steps. The global
generators of torch and numpy, from which it draws, are seeded for each part, so that a part depends on the state before it alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.policies import BasePolicy
from stable_baselines3.common.utils import ConstantSchedule
from torch import nn

from ...agents.external.nets import BLOCK
from ...agents.external.wrapped import Wrapped
from ...agents.policy import Policy
from ...core.bounds import Count, OneOf, Share
from ...core.files.named_arrays import Arrays, under
from ...core.numbers import Range
from ...core.specs import read
from ...envs import views
from ...envs.opponent import Rival
from ...games.game import Game
from ...games.kernels.keys import derive
from ...opponents import DRAWS, Ladder, League, Member, Mixture, Pool
from ..runs.networks import load_optimizer, load_weights, optimizer_state, torch_threads, weights_of
from ..runs.trainer import Settings, Trainer
from .nets import BoardFeatures, Scorer
from .vec_env import BoardsVecEnv

DEVICES = ("cpu", "cuda", "auto")
SELF = "self"
"""Among opponents: snapshots of the learner, which are a league of `ludus.opponents`."""
START_KEY = -1
"""The key of the first weights; those of parts count from 0."""
BOARD_ARRAYS = (
    *("states", "choices", "seeds", "keys", "games", "plies", "lasts"),
    *("players", "phases", "endings", "results", "seats", "met"),
)


@dataclass(frozen=True)
class SB3Settings(Settings):
    """Settings of all trainers over Stable-Baselines3.

    Args:
        opponents: policies by their specs, joined by +; self stands for snapshots of the learner.
        ladder: whether they join one by one, the next when the learner has mastered the last.
        mastered: the share of the points at which an opponent counts as mastered; a draw is half a point.
        pool: the number of snapshots.
        snapshot_every: the number of parts after which a new snapshot replaces the oldest.
        draw: the snapshot for a game: latest, uniform or prioritised.
        seat: the learner's seat: 0, 1, or random, drawn for each game.
        opening_plies: a game begins with up to this many random plies, so that more positions come up; their number is uniform.
        steps: the number of actions of the learner, rounded up to whole parts.
        boards: the number of boards that it plays on at the same time.
        convolutions: the number of filters of each 3×3 convolution, joined by +; none for none.
        lines: the number of filters that read each row, column and long diagonal, on square boards; 0 for none.
        layers: the number of units of each hidden layer after them, joined by +; policy and value have layers of their own.
        rate: the learning rate at first.
        rate_end: the learning rate at the end; it changes linearly.
        discount: the factor of a reward for each action of the learner before it.
        device: the device of the network: cpu, cuda, or auto. Only on a CPU does the same seed give the same network.
    """

    opponents: tuple[str, ...] = (SELF,)
    ladder: bool = False
    mastered: Annotated[float, Range(above=0, most=1)] = 0.8
    pool: Count = 5
    snapshot_every: Count = 5
    draw: Annotated[str, OneOf(*DRAWS)] = "uniform"
    seat: Annotated[str, OneOf("0", "1", "random")] = "random"
    opening_plies: Annotated[int, Range(0)] = 0
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
        object.__setattr__(self, "seat", str(self.seat))
        super().__post_init__()
        if not (self.opponents and all(self.opponents)) or len(set(self.opponents)) < len(self.opponents):
            raise ValueError(f"opponents is {'+'.join(self.opponents)!r}; it must name 1 policy or more, and none of them twice")
        if self.device == "cuda" and not torch.cuda.is_available():
            raise ValueError("device is 'cuda', but torch finds no GPU here; use cpu or auto")


S = TypeVar("S", bound=SB3Settings)


@dataclass(frozen=True)
class PlayOptions:
    """The options after the folder of a run in a spec.

    Args:
        sample: whether actions are drawn by their probabilities, instead of the most probable one.
        masked: whether it chooses among legal actions alone. If not, it may choose an illegal one, which loses the game.
    """

    sample: bool = False
    masked: bool = True


@contextmanager
def seed_generators(key: int) -> Generator[None]:
    """Seeds the global generators of torch and numpy with a key, and restores them afterwards."""
    before = np.random.get_state()  # noqa: NPY002
    with torch.random.fork_rng():
        torch.manual_seed(key % 2**63)
        np.random.seed(key % 2**32)  # noqa: NPY002
        try:
            yield
        finally:
            np.random.set_state(before)  # noqa: NPY002


class SB3Trainer(Trainer[S]):
    """A model of Stable-Baselines3 that learns on compiled boards."""

    unit: ClassVar[str] = "steps"
    shared: ClassVar[tuple[str, ...] | None] = ("convolutions", "lines", "layers")
    against: ClassVar[Mapping[str, Any] | None] = {"opening_plies": 0, "boards": 16}
    grows = "opponents.*", "memory.*", "replaced.*"

    algorithm: ClassVar[Any]
    """The class of the algorithm."""
    logged_metrics: ClassVar[tuple[str, ...]]
    """The logged values of the algorithm that are metrics of the run."""
    draws: ClassVar[bool] = True
    """Whether its scores of actions are logits, to draw actions by."""

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        super().__init__(game, settings, seed)
        self._parts = 0
        # one thread: the first weights are sums, too, which more threads round differently
        with seed_generators(self._key(START_KEY)), torch_threads(1):
            first = weights_of(self.core(self.new_network(game, settings)))
            self.league = League(game, size=settings.pool, draw=settings.draw, make=self._snapshot, name=SELF)
            self.league.add(first)
            members = {name: self.league if name == SELF else name for name in settings.opponents}
            ladder = settings.ladder
            self.opponents: Pool = Ladder(game, members, mastered=settings.mastered) if ladder else Mixture(game, members)
            seat = settings.seat if settings.seat == "random" else int(settings.seat)
            self.env = BoardsVecEnv(game, settings.boards, opponent=self.opponents, seat=seat, opening_plies=settings.opening_plies)
            self.env.seed(seed)
            self.model = self.algorithm(
                self.policy_class(settings),
                self.env,
                learning_rate=self.rate,
                gamma=settings.discount,
                policy_kwargs=network_settings(settings),
                device=settings.device,
                **self.model_settings,
            )
            load_weights(self.core(self.model.policy), first)
            self.begin()

    # ---- the algorithm

    @classmethod
    @abstractmethod
    def policy_class(cls, settings: S) -> type[BasePolicy]:
        """The class of its network."""

    @property
    @abstractmethod
    def model_settings(self) -> dict[str, Any]:
        """The arguments of the algorithm that only it has."""

    @classmethod
    def core(cls, network: Any) -> nn.Module:
        """The part of its network that a policy needs."""
        return network

    @staticmethod
    @abstractmethod
    def module_of(core: Any) -> nn.Module:
        """The core of its network as a plain module, from planes (B, C, H, W) to what `outputs` names; one with more than scores of
        actions has `scores`, which gives these alone."""

    @property
    @abstractmethod
    def steps_a_part(self) -> int:
        """The number of actions of the learner in a part."""

    @abstractmethod
    def part(self) -> None:
        """Collects actions, and learns from them."""

    @classmethod
    def new_network(cls, game: Game, settings: S) -> BasePolicy:
        """A new network."""
        kind: Any = cls.policy_class(settings)
        seen, chosen = views.observation_space(game), spaces.Discrete(game.num_actions)
        return kind(seen, chosen, ConstantSchedule(settings.rate), **network_settings(settings))

    @classmethod
    def network_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]]) -> nn.Module:
        with seed_generators(0):  # so that no global generator changes
            core = cls.core(cls.new_network(game, settings))
        load_weights(core, learnt)
        return cls.module_of(core).eval()

    # ---- training

    def play_against(self, policy: Policy) -> None:
        self.opponents = self.env.boards.opponent = Mixture(self.game, [policy])
        self._begin_anew()

    @property
    def done(self) -> int:
        return self._parts * self.steps_a_part

    @property
    def total(self) -> int:
        return -(-self.settings.steps // self.steps_a_part) * self.steps_a_part

    def advance(self) -> dict[str, float]:
        with seed_generators(self._key(self._parts)), torch_threads(1):  # for networks as small as these, one is fastest
            self.part()
        self._parts += 1
        if self.league in self.opponents.members and self._parts % self.settings.snapshot_every == 0:
            self.league.add(self.learnt())
        points = {f"points against {name}": share for name, share in self.opponents.points.items()}
        reached = {"opponents met": float(self.opponents.reached)} if isinstance(self.opponents, Ladder) else {}
        logged = {name.rpartition("/")[2]: number for name, number in self.model.logger.name_to_value.items()}
        own = {name.replace("_", " "): float(logged.get(name, np.nan)) for name in self.logged_metrics}
        return points | reached | self.env.statistics() | own

    def begin(self) -> None:
        """Starts the first games, as the algorithm's own `learn` does."""
        self.model.set_logger(Logger(None, []))
        _, self.callback = self.model._setup_learn(self.total, None)  # pyright: ignore[reportPrivateUsage]

    def rate(self, _: float) -> float:
        """The present learning rate."""
        return self.settings.rate + (self.settings.rate_end - self.settings.rate) * (self.done / self.total)

    def _snapshot(self, weights: Arrays) -> Policy:
        """The learner with these weights, as an opponent: where it draws actions to learn, it draws them here too."""
        net = self.network_of(self.game, self.settings, weights)
        return Wrapped(self.game, scorer=Scorer(net), title=self.name, sample=self.draws)

    def _key(self, part: int) -> int:
        return int(self.game.kernel(derive)(self.seed, part))

    # ---- its state

    def state(self) -> Arrays:
        boards = {f"boards.{name}": getattr(self.env.boards, name).copy() for name in BOARD_ARRAYS}
        optimizer = {f"optimizer.{name}": array for name, array in optimizer_state(self.model.policy.optimizer).items()}
        weights = {f"weights.{name}": array for name, array in weights_of(self.model.policy).items()}
        opponents = {f"opponents.{name}": array for name, array in self.opponents.state().items()}
        own = self.own_state() | self._replaced_snapshots()
        return {"parts": np.array([self._parts]), **own, **boards, **optimizer, **weights, **opponents}

    def _replaced_snapshots(self) -> Arrays:
        """The snapshots that still play a game though the league has replaced them, and on which board each does, -1 on none."""
        boards, which, count = self.env.boards, np.full(self.env.num_envs, -1), 0
        arrays: Arrays = {"boards.replaced": which}
        for i, number in dict(zip(boards.paired.tolist(), boards.met.tolist(), strict=True)).items():
            rival: Any = boards.rivals[i]
            if not rival.is_same(self.opponents.rival(number)):
                which[boards.paired == i] = count
                arrays |= {f"replaced.{count}.{name}": array for name, array in rival.results[-1].arrays.items()}
                count += 1
        return arrays

    def _pair_again(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Sets who answers on each board, by what `_replaced_snapshots` gave."""
        boards, which = self.env.boards, state["boards.replaced"]
        for number, snapshot in {*zip(boards.met.tolist(), which.tolist(), strict=True)}:
            rival = self.opponents.rival(number)
            if snapshot >= 0:
                arrays = under(f"replaced.{snapshot}.", state)
                policy = self._snapshot(arrays)
                rival = Rival(policy, (*rival.results[:-1], Member(self.league, policy, SELF, arrays)))
            boards.pair(np.flatnonzero((boards.met == number) & (which == snapshot)), rival)

    def own_state(self) -> Arrays:
        """The rest of the algorithm's state."""
        return {}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        boards = self.env.boards
        self._parts = int(state["parts"][0])
        self.opponents.restore(under("opponents.", state))
        load_weights(self.model.policy, under("weights.", state))
        load_optimizer(self.model.policy.optimizer, under("optimizer.", state))
        for name in BOARD_ARRAYS:
            getattr(boards, name)[:] = state[f"boards.{name}"]
        if not (np.isin(boards.seats, (0, 1)) & (boards.met >= 0) & (boards.met < self.opponents.width)).all():
            raise ValueError("its games have other seats or opponents than there are")
        self._pair_again(state)
        self.restore_own_state(state)

    def restore_own_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restores the rest of the algorithm's state, after everything else."""
        self.model.num_timesteps = self.done
        self.model._last_obs = self.env.look()  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes the networks; the games, the optimiser's moments and the memory of DQN start new."""
        load_weights(self.model.policy, under("weights.", state))
        self.league.clear()
        self.league.add(self.learnt())
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Starts the first games again."""
        with seed_generators(self._key(START_KEY)):
            self.env.seed(self.seed)
            self.begin()

    def learnt(self) -> Arrays:
        return weights_of(self.core(self.model.policy))

    @classmethod
    def policy_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        chosen = PlayOptions(**read(PlayOptions, options, f"a policy of {cls.name}"))
        if chosen.sample and not cls.draws:
            raise ValueError(f"{cls.name} learns values of actions, not their probabilities; leave out sample=true")
        scorer = Scorer(cls.network_of(game, settings, learnt))
        return Wrapped(game, scorer=scorer, title=cls.name, sample=chosen.sample, masked=chosen.masked, block=BLOCK)


def network_settings(settings: SB3Settings) -> dict[str, Any]:
    """The settings of a network, as the policies of Stable-Baselines3 take them."""
    return {
        "features_extractor_class": BoardFeatures,
        "features_extractor_kwargs": {"convolutions": settings.convolutions or (), "lines": settings.lines},
        "net_arch": list(settings.layers),
        "activation_fn": nn.ReLU,
    }
