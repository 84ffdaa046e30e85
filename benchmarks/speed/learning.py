"""Searches and trainings beside those of other libraries, measured in turn.

Simulations per second of AlphaZero's search on the same positions (docs/search.md):

    git clone https://github.com/suragnair/alpha-zero-general
    git -C alpha-zero-general checkout f1a78e0505c614205f8c60eaa82cd644a07a84b3
    pip install -e '.[bench]'
    python -m benchmarks alphazero --alpha-zero-general alpha-zero-general

- alpha-zero-general, a popular teaching implementation, with its own Othello on 6×6: with a free network, which returns the
  same for every position, and with a small residual network of 4 blocks of 32 channels. It searches one game at a time and
  evaluates one position at a time. Ours is measured twice: one game at a time, too; and with all games at once, where the
  network evaluates one leaf of each game in a batch.
- mctx over pgx, both compiled by JAX, on Othello 8×8 with a free network: 64 boards of 32 simulations, by PUCT and by Gumbel.
  mctx compiles the network into its search. Ours is measured twice: with the free network compiled in, too; and with one in
  Python that evaluates batches of leaves as a torch network would.

All without solver and noise.

How fast MaskablePPO learns with different vector environments and the same network, in medians (docs/sb3.md):

- `wrapper`: one AEC environment in the wrapper of PettingZoo's tutorial for masked actions, with default settings;
- `8 wrappers`: eight of them in a `DummyVecEnv`, 2048 steps per update, in 4 epochs of batches of 512;
- `128 wrappers`: as many as there are boards below, so that the network evaluates batches of the same size;
- `BoardsVecEnv`: 128 compiled boards with the same settings.

The wrappers play both seats, ours one seat against random. For ours, the share of time for the boards, the opponent and the
masks is measured, too; the rest is spent in the network and Stable-Baselines3.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pettingzoo

import ludus
from ludus.arena.matches.openings import openings
from ludus.envs import Game
from ludus.games.game import StateArray
from ludus.search.mcts.guided import GuidedSearch, InlineEvaluator

from .. import RESULTS
from ..common import TITLES, Rate, rate, table, take_in_turn
from ..runner import Rows, Study

# ---- AlphaZero's search

BLOCKS, CHANNELS = 4, 32
COMMIT = "f1a78e0505c614205f8c60eaa82cd644a07a84b3"
"""The measured commit of alpha-zero-general."""
SEARCH_RUNS = 7
Search = Callable[[], int]  # searches once and returns the number of simulations


class Pair(NamedTuple):
    """The same work done by us and by a peer.

    Args:
        what: a description of the work.
        ours: our search.
        theirs: the other library's search.
        aim: how many times as fast we want to be.
        each: how often each of the two searches in one run, so that a run is long enough.
    """

    what: str
    ours: Search
    theirs: Search
    aim: float
    each: tuple[int, int]

    def row(self) -> dict[str, Any]:
        """The rates of both, and how many times as fast ours is."""
        for search in (self.ours, self.theirs):
            search()  # compiles, and fills the caches
        searches = {"ours": (self.ours, self.each[0]), "theirs": (self.theirs, self.each[1])}
        ways = {whose: partial(rate, partial(repeat, *pair)) for whose, pair in searches.items()}
        return {"what": self.what, "aim": self.aim, "rates": take_in_turn(ways, SEARCH_RUNS)}


def repeat(search: Search, times: int) -> int:
    """The simulations of several searches."""
    return sum(search() for _ in range(times))


def our_search(search: GuidedSearch, states: StateArray, evaluate: Any) -> Search:
    """Our search, on all positions together."""
    return lambda: int(search.search(states, evaluate).simulations.sum())


def our_search_alone(search: GuidedSearch, states: StateArray, evaluate: Any) -> Search:
    """Our search, on one position after the other."""
    return lambda: sum(int(search.search(state[None], evaluate).simulations.sum()) for state in states)


def free_in_python(game: Game) -> Callable[[StateArray], tuple[Any, Any]]:
    """The free network as a Python function: every action equally likely, every position even."""
    return lambda states: (
        np.full((len(states), game.num_actions), 1 / game.num_actions, np.float32),
        np.zeros(len(states), np.float32),
    )


# ---- alpha-zero-general


def with_alpha_zero_general(folder: Path, games: int, simulations: int) -> Iterator[Pair]:
    """Its search over its Othello, with a free network and with a small one.

    Raises:
        SystemExit: the folder is at another commit.
    """
    at = subprocess.run(["git", "-C", str(folder), "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
    if at != COMMIT:
        raise SystemExit(f"--alpha-zero-general {folder} is at {at or 'no commit'}; give a checkout of {COMMIT}")
    sys.path.insert(0, str(folder))
    game = ludus.make_game("othello:size=6")
    _, states = openings(game, 0, np.arange(games), 12)
    search = GuidedSearch(game, simulations, exploration=1.0, solver=False)
    together, alone, setting = f"{games} games at once", "one game at a time", f"Othello 6×6, {simulations} simulations"
    free = SimpleNamespace(predict=lambda board: (np.full(game.num_actions, 1 / game.num_actions), 0.0))
    some, ours = states[: games // 4], InlineEvaluator()
    theirs, what = their_search(folder, game, some, simulations, free), f"{setting}, free network"
    yield Pair(f"{what}, {together}", our_search(search, states, ours), theirs, 80, (4, 1))
    yield Pair(f"{what}, {alone}", our_search_alone(search, some, ours), theirs, 80, (16, 1))
    net, net_of_board = small_net(game)
    few = states[: games // 16]
    theirs = their_search(folder, game, few, simulations, SimpleNamespace(predict=net_of_board))
    what = f"{setting}, {BLOCKS} blocks of {CHANNELS} channels"
    yield Pair(f"{what}, {together}", our_search(search, states, net), theirs, 10, (1, 1))
    yield Pair(f"{what}, {alone}", our_search_alone(search, few, net), theirs, 1, (1, 1))


def their_search(folder: Path, game: Game, states: StateArray, simulations: int, net: Any) -> Search:
    """Their search, on one position after the other."""
    from MCTS import MCTS  # pyright: ignore[reportMissingImports]
    from othello.OthelloGame import OthelloGame  # pyright: ignore[reportMissingImports]

    class Othello(OthelloGame):
        """Their game; a method of numpy that it calls has another name since numpy 2.3."""

        def stringRepresentation(self, board: Any) -> bytes:
            return board.tobytes()

    theirs = Othello(6)
    own, other, _ = np.moveaxis(game.observations(states, game.players(states)), 1, 0).astype(np.int64)
    boards = own - other
    for state, board in zip(states, boards, strict=True):
        assert np.flatnonzero(theirs.getValidMoves(board, 1)).tolist() == game.legal_actions(state)
    settings = SimpleNamespace(numMCTSSims=simulations, cpuct=1.0)

    def once() -> int:
        for board in boards:
            MCTS(theirs, net, settings).getActionProb(board)
        return len(boards) * simulations

    return once


def small_net(game: Game) -> tuple[Callable[[StateArray], tuple[Any, Any]], Callable[[Any], tuple[Any, Any]]]:
    """Our residual network with random weights: as a function for our search, and one of a single board for theirs."""
    import torch

    from ludus.baselines.alphazero.networks.residual import Shape, new_net

    torch.set_num_threads(1)  # more threads are slower for single positions; both searches use one
    net = new_net(game, Shape(BLOCKS, CHANNELS), 0).eval()

    def evaluate(planes: Any) -> tuple[Any, Any]:
        with torch.inference_mode():
            logits, values = net(torch.from_numpy(planes).float())
            return torch.softmax(logits, 1).numpy(), values.numpy()

    def alone(board: Any) -> tuple[Any, Any]:
        priors, values = evaluate(np.stack([board == 1, board == -1, np.ones_like(board)]).astype(np.float32)[None])
        return priors[0], float(values[0])

    return lambda states: evaluate(game.observations(states, game.players(states))), alone


# ---- mctx over pgx


def with_mctx(boards: int, simulations: int) -> Iterator[Pair]:
    """mctx's two policies over pgx's Othello."""
    game = ludus.make_game("othello")
    actions, states = openings(game, 0, np.arange(boards), 10)
    for formula in ("puct", "gumbel"):
        search = GuidedSearch(game, simulations, formula=formula, solver=False)
        what = f"Othello 8×8, {boards} boards of {simulations} simulations, {formula}, free network"
        theirs = mctx_search(game, states, actions, formula, simulations)
        for how, network in (("compiled in", InlineEvaluator()), ("in Python", free_in_python(game))):
            yield Pair(f"{what} {how}", our_search(search, states, network), theirs, 3, (50, 10))


def mctx_search(game: Game, states: StateArray, actions: Any, formula: str, simulations: int) -> Search:
    """The boards in pgx, and one compiled search over them."""
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx

    env: Any = pgx.make("othello")
    step, boards = jax.jit(jax.vmap(env.step)), len(states)
    roots = jax.vmap(env.init)(jax.random.split(jax.random.key(0), boards))
    for ply in actions.T:
        roots = step(roots, jnp.asarray(ply))
    assert np.array_equal(np.asarray(roots.legal_action_mask), game.masks(states) == 1)

    def logits(state: Any) -> Any:
        return jnp.where(state.legal_action_mask, 0.0, jnp.finfo(jnp.float32).min)

    def after(_: Any, key: Any, action: Any, state: Any) -> Any:
        mover = state.current_player
        state = jax.vmap(env.step)(state, action)
        output = mctx.RecurrentFnOutput(
            reward=state.rewards[jnp.arange(boards), mover],
            discount=jnp.where(state.terminated, 0.0, -1.0),
            prior_logits=logits(state),
            value=jnp.zeros(boards),
        )
        return output, state

    @jax.jit
    def search(key: Any, state: Any) -> Any:
        root = mctx.RootFnOutput(prior_logits=logits(state), value=jnp.zeros(boards), embedding=state)
        closed = ~state.legal_action_mask
        if formula == "gumbel":
            return mctx.gumbel_muzero_policy(None, key, root, after, simulations, closed).action
        return mctx.muzero_policy(None, key, root, after, simulations, closed, dirichlet_fraction=0.0).action

    def once() -> int:
        jax.block_until_ready(search(jax.random.key(0), roots))
        return boards * simulations

    return once


def search_cells(alpha_zero_general: str = "") -> dict[str, Any]:
    """A cell for each peer. `--alpha-zero-general` is a checkout of it."""
    pairs = {
        "alpha-zero-general": partial(with_alpha_zero_general, Path(alpha_zero_general), 256, 100),
        "mctx over pgx": partial(with_mctx, 64, 32),
    }
    return {peer: lambda those=those: [pair.row() for pair in those()] for peer, those in pairs.items()}


def show_search(rows: Rows) -> dict[str, str]:
    """A row for each pair."""
    heads = ["simulations/s", "peer", "times as fast", "in single runs", "by processor time", "target", "ours", "theirs"]
    lines = list[list[str]]()
    for peer, pair in ((peer, pair) for peer, pairs in rows.items() for pair in pairs):
        ours, theirs = pair["rates"]
        times, least, most, by_processor = (in_times(theirs[name]) for name in ("times", "least", "most", "by_processor"))
        rates = [f"{side['rate']:,.0f}" for side in (ours, theirs)]
        lines.append([pair["what"], peer, times, f"{least} to {most}", by_processor, f"{pair['aim']:g}", *rates])
    return {"table": table(heads, lines, align="llr"), "runs": str(SEARCH_RUNS), "commit": COMMIT[:7]}


def in_times(ratio: float) -> str:
    """How many times as fast, with one decimal if it is small."""
    return f"{ratio:.1f}" if ratio < 30 else f"{ratio:.0f}"


SEARCH_LIBRARIES = ("numpy", "llvmlite", "torch", "jax", "jaxlib", "mctx", "pgx")


# ---- MaskablePPO

GAMES = ("tictactoe", "quixo")
UPDATE = {"batch_size": 512, "n_epochs": 4}
SB3_BOARDS = 128
WRAPPER, WRAPPERS, AS_MANY, OURS = "wrapper", "8 wrappers", f"{SB3_BOARDS} wrappers", "BoardsVecEnv"
SECONDS, SB3_RUNS = 6.0, 5


def timed_boards(game: str) -> Any:
    """128 boards against random that measure the seconds of boards, opponent and masks."""
    from ludus.baselines.sb3 import BoardsVecEnv

    class Timed(BoardsVecEnv):
        seconds = 0.0

        def step_wait(self) -> Any:
            begin = time.perf_counter()
            found = super().step_wait()
            self.seconds += time.perf_counter() - begin
            return found

        def action_masks(self) -> Any:
            begin = time.perf_counter()
            found = super().action_masks()
            self.seconds += time.perf_counter() - begin
            return found

    return Timed(game, SB3_BOARDS, opponent="random")


def models(game: str) -> dict[str, Any]:
    """A learner for each environment, with the same network: planes, and two layers of 64 for policy and value each."""
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.wrappers import ActionMasker
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import DummyVecEnv

    from examples.neighbours.sb3_tutorial_wrapper import TutorialWrapper
    from ludus.baselines.sb3 import BoardFeatures

    planes = {"features_extractor_class": BoardFeatures, "features_extractor_kwargs": {"convolutions": ()}}

    def learner(policy: str, envs: Any, count: int, **more: Any) -> Any:
        return MaskablePPO(policy, envs, n_steps=2048 // count, seed=0, device="cpu", **UPDATE, **more)

    def wrapper() -> Monitor[Any, Any]:
        aec = TutorialWrapper(pettingzoo.make("aec", f"ludus/{game}-v0"))
        return Monitor(ActionMasker(aec, TutorialWrapper.action_mask))

    return {
        OURS: learner("MultiInputPolicy", timed_boards(game), SB3_BOARDS, policy_kwargs=planes),
        WRAPPER: MaskablePPO("MlpPolicy", wrapper(), seed=0, device="cpu"),
        WRAPPERS: learner("MlpPolicy", DummyVecEnv([wrapper] * 8), 8),
        AS_MANY: learner("MlpPolicy", DummyVecEnv([wrapper] * SB3_BOARDS), SB3_BOARDS),
    }


def sb3_cells() -> dict[str, Any]:
    """A cell for each game."""
    return {game: partial(compare, game) for game in GAMES}


def compare(game: str) -> dict[str, Any]:
    """The rates of all, with one torch thread, which is fastest for small networks; and the boards' share of the time of ours."""
    import torch

    torch.set_num_threads(1)
    learners, shares = models(game), list[float]()
    for model in learners.values():
        model.learn(2048)

    def measure(whose: str) -> Rate:
        model = learners[whose]
        boards, began = model.get_env(), time.perf_counter()
        boards.seconds = 0.0
        found = rate(partial(learn, model))
        if whose == OURS:
            shares.append(boards.seconds / (time.perf_counter() - began))
        return found

    rates = take_in_turn({whose: partial(measure, whose) for whose in learners}, SB3_RUNS)
    return {"rates": rates, "share_of_the_boards": statistics.median(shares)}


def learn(model: Any) -> int:
    """Lets a model learn for about so many seconds; returns the steps."""
    began, before = time.perf_counter(), model.num_timesteps
    while time.perf_counter() - began < SECONDS:
        model.learn(2048, reset_num_timesteps=False)
    return model.num_timesteps - before


def show_sb3(rows: Rows) -> dict[str, str]:
    """A row for each game."""
    heads = [
        "",
        "`BoardsVecEnv` is … times as fast as these three",
        "by processor time",
        "one AEC environment in the tutorial's wrapper, defaults",
        "8 of them in a `DummyVecEnv`",
        f"{SB3_BOARDS} of them",
        f"`BoardsVecEnv`, {SB3_BOARDS} boards",
        "the boards' share of the time",
    ]
    lines = list[list[str]]()
    for game, row in rows.items():
        ours, *others = row["rates"]
        faster = [" · ".join(f"{other[name]:.1f}" for other in others) for name in ("times", "by_processor")]
        steps = [f"{way['rate']:,.0f}" for way in (*others, ours)]
        title = TITLES[game]
        lines.append([title, *faster, *steps, f"{100 * row['share_of_the_boards']:.0f} %"])
    return {"table": table(heads, lines)}


SB3_LIBRARIES = ("stable-baselines3", "sb3-contrib", "torch", "numpy", "gymnasium", "pettingzoo")

STUDIES = (
    Study(RESULTS / "alphazero.json", search_cells, show_search, 0, SEARCH_LIBRARIES, "--alpha-zero-general FOLDER"),
    Study(RESULTS / "sb3.json", sb3_cells, show_sb3, 0, SB3_LIBRARIES),
)
