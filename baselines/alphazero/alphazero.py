"""AlphaZero: a network that learns from games against itself what its own search found better.

Each part of the training is one turn of this loop, `advance`:

    play     every group of games plays some plies more (selfplay/games.py): in each position search, guided by the network, finds
             a better policy than the network's own; a game that ends says what its positions were worth
    learn    at the same time, from the window of what was played before, the network moves towards

                 loss = cross-entropy(search's policy, network's policy) + value_weight · (worth - network's value)²

             by batches of positions, each turned by some symmetry of the game
    keep     the window takes in the positions of games that ended, and lets others go (selfplay/positions.py)
    mark     where perfect play is known, the network alone is marked against it (selfplay/exam.py)

Games that are under way stay as they are from part to part. All that a part does follows from the seed, the settings and its
number; not from who plays the groups, threads, processes or a cluster (runs/crew.py), but for how other machines round floats.

Sources: Silver et al.: Mastering the game of Go without human knowledge, Nature 550 (2017), and A general reinforcement
learning algorithm that masters chess, shogi, and Go through self-play, Science 362 (2018); proven results as targets, and games
that end with them, are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil, inf, isfinite
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from ...agents.policies.alphazero import AlphaZeroPolicy
from ...agents.search.mcts.guided import FORMULAS, GuidedSearch
from ...envs.files.named_arrays import Arrays, under
from ...envs.games.game import Game
from ...envs.native.threads import thread_count
from ...envs.settings.specs import check_between, nearest, read
from ..runs.trainer import Settings, Trainer
from .networks.evaluator import Evaluator, laid_out, torch_threads, usual_device
from .networks.residual import HEADS, Shape, load_weights, new_net, weights_of
from .selfplay.exam import exam_of
from .selfplay.games import Group, SelfPlay, Told
from .selfplay.positions import PRUNINGS, Positions

LONGEST = 1000
"""Plies after which a game counts as drawn, where the game itself has no limit."""
PLAY, KEEP, LEARN = range(3)
"""What is drawn by a part's random numbers."""


@dataclass(frozen=True)
class AlphaZeroSettings(Settings):
    """Settings of AlphaZero.

    Args:
        positions: how many positions to play in games against itself (AlphaZero's chess: 44 million games).
        blocks: residual blocks of the network (19), and
        channels: of its convolutions (256).
        heads: what the network's heads see: "flat", every cell of some channels; or "pooled", averages over the board.
        simulations: of search, for each position (800).
        exploration: the c of its formula (1.25, growing slowly).
        formula: how it weighs priors: "puct" is AlphaZero's; "uct" has √(ln N / n); "gumbel" makes much of few simulations.
        considered: by Gumbel, how many actions are tried at the root at most (16).
        solver: whether search backs up proven values (AlphaZero: no).
        ahead: so many positions it looks at from each leaf, to prove what it is worth before the network is asked (AlphaZero: 0).
        reuse: whether the tree below the position that was reached is kept for the next move.
        noise: Dirichlet noise at the root has α = noise / number of legal actions (10); Gumbel's is always whole; 0 for none.
        noise_share: how much of the root's priors is noise (0.25).
        openings: a game begins with some random plies, any number up to this one equally likely (0).
        temperature: in the first plies of a game actions are drawn from search's policy to the power of 1 / temperature (1);
        temperature_plies: so many plies are the first ones (30).
        adjudicate: whether a game ends as soon as search has proven its result.
        resign: a player gives up positions that seem worth less than minus this; none for never (about 0.9).
        result_share: how much of what a position is said to be worth is the game's result (1); the rest is what search said. What
            is proven counts before both.
        boards: games under way at a time (5000 machines).
        groups: how many groups they are in; each is searched by itself, in batches of boards / groups positions, so that as many
            threads, processes or machines can be at work.
        plies: that each game is played on in a part of the training.
        window: positions to learn from, at most (500,000 games),
        window_share: and at most this share of all so far, so that what was played before anything was learnt goes soon.
        pruning: which positions leave the window: the "oldest", or "random" ones.
        symmetries: whether positions are turned and mirrored before they are learnt from (Go: yes).
        passes: how often each position is learnt from, on average.
        batch: positions in a step (4096).
        rate: learning rate at first, of AdamW, and
        rate_end: at the end; it falls along half a cosine.
        decay: weight decay (0.0001, of the loss).
        value_weight: of the value's squared error, beside the policy's cross-entropy (1).
    """

    positions: int = 1_000_000
    blocks: int = 4
    channels: int = 32
    heads: str = "flat"
    simulations: int = 32
    exploration: float = 1.25
    formula: str = "gumbel"
    considered: int = 16
    solver: bool = True
    ahead: int = 0
    reuse: bool = True
    noise: float = 10.0
    noise_share: float = 0.25
    openings: int = 4
    temperature: float = 1.0
    temperature_plies: int = 12
    adjudicate: bool = True
    resign: float | None = None
    result_share: float = 0.5
    boards: int = 512
    groups: int = 2
    plies: int = 4
    window: int = 200_000
    window_share: float = 0.5
    pruning: str = "oldest"
    symmetries: bool = True
    passes: float = 4.0
    batch: int = 512
    rate: float = 0.002
    rate_end: float = 0.0002
    decay: float = 0.01
    value_weight: float = 1.0

    def __post_init__(self) -> None:
        counts = "positions", "channels", "simulations", "considered", "boards", "groups", "plies", "window", "batch"
        check_between(self, 1, inf, *counts)
        check_between(self, 0, inf, "blocks", "noise", "openings", "temperature_plies", "decay", "value_weight", "rate_end")
        for name in ("temperature", "passes", "rate"):
            if not (getattr(self, name) > 0 and isfinite(getattr(self, name))):
                raise ValueError(f"{name} is {getattr(self, name)}; it takes more than 0")
        if not 0 <= self.result_share <= 1:
            raise ValueError(f"result_share is {self.result_share}; it is a part, from 0 to 1")
        if not 0 < self.window_share <= 1:
            raise ValueError(f"window_share is {self.window_share}; it is a part, more than 0, 1 at most")
        for name, known in (("heads", HEADS), ("pruning", PRUNINGS), ("formula", FORMULAS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} is {getattr(self, name)!r}; {nearest(getattr(self, name), known)}")
        if self.boards % self.groups:
            raise ValueError(f"{self.boards} boards cannot be shared out evenly among {self.groups} groups; take a multiple")
        if self.resign is not None and not 0 < self.resign < 1:
            raise ValueError(f"resign is {self.resign}; it is a value between 0 and 1, such as 0.9, or none")

    @property
    def shape(self) -> Shape:
        """The network's."""
        return Shape(self.blocks, self.channels, self.heads)

    def search(self, game: Game) -> GuidedSearch:
        """What games against itself are searched with."""
        return GuidedSearch(
            game,
            self.simulations,
            self.exploration,
            self.formula,
            noise_share=self.noise_share,
            solver=self.solver,
            ahead=self.ahead,
            considered=self.considered,
        )

    def selfplay(self, game: Game) -> SelfPlay:
        """How games against itself are played."""
        return SelfPlay(
            self.search(game),
            self.noise,
            self.openings,
            self.temperature,
            self.temperature_plies,
            self.reuse,
            self.adjudicate,
            self.resign,
            self.result_share,
            game.max_plies or LONGEST,
        )


class AlphaZero(Trainer[AlphaZeroSettings]):
    """Learns from games against itself what search, guided by the network, found better."""

    name: ClassVar[str] = "alphazero"
    settings_class = AlphaZeroSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "tictactoe": {
            "positions": 40_960,
            "blocks": 2,
            "simulations": 24,
            "openings": 5,
            "temperature_plies": 4,
            "boards": 256,
        },
        "quarto": {"openings": 8, "temperature_plies": 8, "ahead": 1000},
        "quixo": {"positions": 600_000, "ahead": 2000},
        "othello": {"positions": 400_000, "openings": 6},  # 6×6 is learnt so; 8×8 wants more
        "original": {  # the classic system's, on Quixo
            "blocks": 10,
            "channels": 256,
            "heads": "pooled",
            "formula": "uct",
            "exploration": 1.41,
            "solver": False,
            "adjudicate": False,
            "reuse": False,
            "openings": 0,
            "pruning": "random",
            "window_share": 1.0,
            "result_share": 1.0,
        },
    }
    unit: ClassVar[str] = "positions"
    shared: ClassVar[tuple[str, ...] | None] = ("blocks", "channels", "heads")
    hands_out: ClassVar[bool] = True

    def __init__(self, game: Game, settings: AlphaZeroSettings, seed: int) -> None:
        super().__init__(game, settings, seed)
        self._selfplay = settings.selfplay(game)
        self._groups = [Group.new(game, settings.boards // settings.groups) for _ in range(settings.groups)]
        self._window = Positions.none(game)
        self._parts = self._seen = self._fresh = 0
        self.net = laid_out(new_net(game, settings.shape, seed))
        self._optimiser = torch.optim.AdamW(self.net.parameters(), settings.rate, weight_decay=settings.decay, fused=True)

    @property
    def done(self) -> int:
        return self._parts * self.settings.boards * self.settings.plies

    @property
    def total(self) -> int:
        return self.settings.positions

    # ---- a part

    def advance(self) -> dict[str, float]:
        evaluate = Evaluator(self.game, self.settings.shape, weights_of(self.net))
        with ThreadPoolExecutor(1, "ludus") as other:
            playing = other.submit(self._play, evaluate)
            losses = self._learn()
            fresh, told = playing.result()
        self._keep(fresh)
        self._parts += 1
        games = max(told.games, 1)
        return {
            **losses,
            "games": float(told.games),
            "plies a game": told.plies / games,
            "first player": told.first / games,
            **exam_of(self.game).mark(evaluate),
        }

    def _play(self, evaluate: Evaluator) -> tuple[Positions, Told]:
        """Has every group play on; the positions of the games that ended, and how these went."""
        jobs = [
            (self._selfplay, group, evaluate, self.settings.plies, (self.seed, PLAY, number))
            for number, group in enumerate(self._groups)
        ]
        groups, fresh, told = zip(*self.crew.each(play_on, jobs), strict=True)
        self._groups = [*groups]
        return Positions.none(self.game).followed_by(*fresh), sum(told, Told())

    def _learn(self) -> dict[str, float]:
        """Learns from the window; the mean losses, not numbers where there is nothing to learn from yet.

        Raises:
            ValueError: a loss, or a weight, became no number.
        """
        steps = ceil(self.settings.passes * self._fresh / self.settings.batch)
        draws, sums = self._draws(LEARN), np.zeros(2)
        for group in self._optimiser.param_groups:
            group["lr"] = self.rate
        self.net.train()
        with torch_threads(max(1, thread_count() - self.settings.groups)):
            for _ in range(steps):
                batch = self._window[draws.integers(len(self._window), size=self.settings.batch)]
                sums += self.step(batch, draws)
        if not all(tensor.isfinite().all() for tensor in self.net.state_dict().values()):
            raise ValueError(self._astray("a weight is no number"))
        means = sums / steps if steps else np.full(2, np.nan)
        return {"policy loss": float(means[0]), "value loss": float(means[1])}

    def step(self, batch: Positions, draws: np.random.Generator) -> tuple[float, float]:
        """One step towards what a batch of positions says; the policy's loss and the value's.

        Raises:
            ValueError: the loss is no number; no weight is changed by it.
        """
        policy, value = self._losses(batch, draws)
        loss = policy + self.settings.value_weight * value
        if not isfinite(loss.item()):
            raise ValueError(self._astray(f"the loss is {loss.item()}"))
        self._optimiser.zero_grad()
        loss.backward()
        self._optimiser.step()
        return policy.item(), value.item()

    def _astray(self, how: str) -> str:
        return (
            f"after {self.done} positions {how}: the training has gone astray and stops; what the run has kept stays as it was. "
            "A lower rate, or a larger batch, keeps it on its way"
        )

    def _keep(self, fresh: Positions) -> None:
        """Takes positions into the window."""
        self._seen, self._fresh = self._seen + len(fresh), len(fresh)
        most = min(self.settings.window, ceil(self.settings.window_share * self._seen))
        self._window = self._window.followed_by(fresh).pruned(most, self.settings.pruning, self._draws(KEEP))

    def _losses(self, batch: Positions, draws: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        """The policy's and the value's loss of some positions, each under some symmetry."""
        game, device = self.game, usual_device()
        if self.settings.symmetries:
            batch = batch.turned(game, draws.integers(len(game.symmetries.cells), size=len(batch)))
        planes, legal, policies, worths = (
            torch.from_numpy(array).to(device)
            for array in (
                game.observations(batch.states, game.players(batch.states)),
                game.masks(batch.states) != 0,
                batch.policies,
                batch.values,
            )
        )
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            logits, values = self.net(planes.float().contiguous(memory_format=torch.channels_last))
        scores = functional.log_softmax(logits.float().masked_fill(~legal, -torch.inf), dim=1).masked_fill(~legal, 0.0)
        return -(policies.float() * scores).sum(dim=1).mean(), functional.mse_loss(values.float(), worths)

    @property
    def rate(self) -> float:
        """The learning rate now."""
        part = min(1.0, self.done / self.total)
        return self.settings.rate_end + (self.settings.rate - self.settings.rate_end) * float(1 + np.cos(np.pi * part)) / 2

    def _draws(self, purpose: int) -> np.random.Generator:
        """This part's random numbers for a purpose."""
        return np.random.default_rng([self.seed, purpose, self._parts])

    # ---- kept

    grows = "optimiser.*", "window.*", "group.*.waiting.*", "group.*.boards", "group.*.proven"

    def state(self) -> Arrays:
        kept = {f"net.{name}": array for name, array in weights_of(self.net).items()}
        for number, moments in self._optimiser.state_dict()["state"].items():
            kept |= {f"optimiser.{number}.{name}": np.atleast_1d(tensor.cpu().numpy()).copy() for name, tensor in moments.items()}
        for number, group in enumerate(self._groups):
            kept |= group.arrays(f"group.{number}.")
        return kept | self._window.arrays("window.") | {"counts": np.array([self._parts, self._seen, self._fresh])}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        try:
            counts = state["counts"].tolist()
            groups = [Group.of(self.game, state, f"group.{number}.") for number in range(len(self._groups))]
            window = Positions.of(self.game, state, "window.")
            load_weights(self.net, under("net.", state))
            self._restore_moments(state)
        except (KeyError, ValueError, RuntimeError) as error:
            raise ValueError(f"this is no state of {self.name} for {self.game} with these settings: {error}") from None
        self._parts, self._seen, self._fresh = counts
        self._groups, self._window = groups, window

    def _restore_moments(self, state: Mapping[str, NDArray[Any]]) -> None:
        """The optimiser's, each laid out in memory as the weight that it is of: torch takes that for granted."""
        moments = dict[int, dict[str, torch.Tensor]]()
        weights = list(self.net.parameters())
        for name, array in state.items():
            if name.startswith("optimiser."):
                _, number, moment = name.split(".")
                tensor = torch.from_numpy(array.copy())
                like = torch.empty(()) if moment == "step" else torch.empty_like(weights[int(number)])
                moments.setdefault(int(number), {})[moment] = like.copy_(tensor.reshape(like.shape))
        self._optimiser.load_state_dict({**self._optimiser.state_dict(), "state": moments})

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes the network; games, the window and the optimiser's moments begin anew."""
        load_weights(self.net, under("net.", state))

    def learnt(self) -> Arrays:
        return weights_of(self.net)

    @classmethod
    def policy_of(
        cls, game: Game, settings: AlphaZeroSettings, learnt: Mapping[str, NDArray[Any]], **options: str
    ) -> AlphaZeroPolicy:
        as_trained = {name: getattr(settings, name) for name in ("exploration", "formula", "considered", "solver")}
        chosen = as_trained | read(AlphaZeroPolicy, options, f"a policy of {cls.name}")
        return AlphaZeroPolicy(game, net=Evaluator(game, settings.shape, learnt), **chosen)


def play_on(
    selfplay: SelfPlay, group: Group, evaluate: Evaluator, plies: int, seed: tuple[int, ...]
) -> tuple[Group, Positions, Told]:
    """Has a group play on, in a thread or process of its own."""
    return selfplay.play(group, evaluate, plies, seed)
