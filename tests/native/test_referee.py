"""Python is the referee: kernels that run as Python give what their machine code gives, to the last bit."""

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest

import ludus
from ludus.agents.mcts import Mcts
from ludus.arena.grading import grade_exact
from ludus.baselines.runs.registry import trainer_class
from ludus.cli.warming import needed_kernels, specs_of
from ludus.envs.check.compiling import games_at_random
from ludus.envs.vector import BoardsEnv
from ludus.games.registry import BUILT_IN
from ludus.native.threads import pool
from ludus.oracles import make_oracle
from ludus.oracles.othello.layout import new_workspace
from ludus.oracles.othello.proofs import recall
from ludus.oracles.quarto.book import layers_of, wins_at_once
from ludus.oracles.quixo import retrograde
from ludus.oracles.quixo.boards import tables_of
from ludus.oracles.searched import solve_game
from ludus.oracles.statespace.canonical import start_symmetries, whole_tables
from ludus.oracles.statespace.tablebase import Tablebase, positions_by_ply, write_entries
from ludus.search import Watch
from ludus.search.alphabeta.negamax import AlphaBeta
from ludus.search.alphabeta.proof import prove
from ludus.search.evaluations import evaluation_of
from ludus.search.mcts.guided import GuidedSearch, InlineEvaluator

from ..helpers.agents.searched import assessments, endings
from ..helpers.games import keys, positions
from ..helpers.native.refereed import referee
from ..helpers.training.tabular import begun, learn

SPECS = ("tictactoe", "nim:heaps=1+2+3", "quarto", "quixo:size=3", "othello:size=4")
RULES = {"masks", "plays", "players", "outcomes", "observations", "permuted_states", "random_actions", "random_game", "perft"}
BOARDS = {"begin", "step", "sample", "advance", "show", "first_illegal", "derive_keys", "random_actions"}
TREES = {"begin_trees", "read_trees", "read_lines"}
GUIDED = TREES | {"add_noise_to_roots", "select_leaves", "expand_leaves", "search_trees"}
POLICIES = {
    # policy: the game, the number of empty cells at most, and the kernel
    "easy": ("quarto", 8, "easy_actions"),
    "hard": ("quarto", 5, "hard_action"),
    "frontiers": ("quarto", 5, "frontiers_actions"),
    "nim_sum": ("nim:heaps=3+4+5,limit=3", None, "nim_sum_actions"),
    "expectimax:depth=2": ("othello:size=4", 6, "expect"),
}
ENDGAME = {"write_positions", "prove", "outlook", "rank_moves"}
ORACLES = {
    # the game, the number of empty cells at most, and the kernels
    "nim:heaps=1+2+3": (None, {"nim_values", "nim_choices"}),
    "quarto": (5, {"action_for"}),
    "quarto:squares=true": (5, {"action_for"}),
    "othello:size=4": (5, ENDGAME),
    "othello": (6, ENDGAME),
    "connect_four": (8, {"score_of"}),
}
BASES = {"write_following", "write_entries", "find_entries"}
TABLE = {"count_boards", "place_boards", "numbers", "begin", "decide", "write_images"}
RIVALS = {"population": 8, "games": 2, "peers": 1}
TRAINERS = {
    # trainer: the game, settings with which a part takes a moment, and kernels
    "qlearning": ("nim:heaps=1+2+3", {"games": 20}, {"learn_games", "write_canonical", "find_all"}),
    "montecarlo": ("nim:heaps=1+2+3", {"games": 20}, {"learn_games"}),
    "td_ntuple": ("othello:size=4", {"games": 5}, {"learn_games"}),
    "layered_neat": ("nim:heaps=1+3", RIVALS | {"sight": "planes"}, {"choose"}),
    "evolved_preference": ("nim:heaps=1+3+5", RIVALS, {"sums_after"}),
}
GRAPH = {"enter_new", "fill", "look_at", "write_followers"}
WHOLE = GRAPH | {"propagate_values", "propagate_distances"}
CHAIN = {"collect", "count_arrivals", "find_repeats", "leave_losing", "leave_others", "leave_traps", "mark_ending", "mark_reached"}
GRADES = GRAPH | CHAIN | {"keys_of", "respond", "write_arrivals", "write_losses"}
SINGLE = {"turn", "derive"}
SEARCHES = {"search", "prove_position", "simulate", "read_gumbel_results"}
BOOKS = {"number_each", "canonicals", "successors", "wins_at_once", "recall"}
REST = BOOKS | {"first_foreign", "find_all", "easy_choices", "winning_actions", "is_lost"}
every_game = pytest.mark.parametrize("spec", SPECS)


def states_of(game, count=3):
    """Unfinished positions, the start among them."""
    return positions(game, 3 * count, seed=1)[::3]


# ---- rules and boards


@every_game
def test_the_rules(spec):
    game = ludus.make_game(spec)
    states = states_of(game)
    with referee() as met:
        game.plays(states, game.masks(states).argmax(axis=1))
        game.players(states), game.outcomes(states), game.perft(2), games_at_random(game, 2, seed=3)
        game.observations(states, np.array([0, 1, 0])), game.observations(states, np.array([1, 0, 1]))
        game.permuted(states, np.arange(len(states)) % len(game.symmetries.cells))
        ludus.make_policy("random", game).act(states, keys(len(states)))
    assert {*met} == RULES


@every_game
def test_many_boards(spec):
    with referee() as met:
        for opponent in ("random", None):
            envs = BoardsEnv(4, spec, opponent=opponent, autoreset_mode="SameStep")
            envs.reset(seed=1)
            for _ in range(6):
                envs.step(envs.sample_actions())
            envs.step(envs.action_masks().argmin(axis=1))
    assert {*met} == BOARDS


def test_environments_of_one_board():
    with referee() as met:
        env = pettingzoo.make("aec", "ludus/quarto-v0")
        env.reset(seed=3)
        for action in (16, 3, 20):
            env.step(action)
        env = gym.make("ludus/Quarto-v0")
        observation, _ = env.reset(seed=3)
        env.step(int(observation["action_mask"].argmax()))
    assert {*met} >= SINGLE


# ---- search


@every_game
@pytest.mark.parametrize("settings", [{}, {"aspiration": 3}, {"table": False}, {"prune": False, "table": False}], ids=str)
def test_alpha_beta(spec, settings):
    game = ludus.make_game(spec)
    states = states_of(game)
    with referee() as met:
        AlphaBeta(game, evaluation_of(game, "classic"), depth=2, table_bits=8, **settings).search(states, keys(len(states)))
    assert met == {"search": 3}


@pytest.mark.parametrize(("spec", "empty"), [("tictactoe", 5), ("nim:heaps=1+2+3", None), ("quarto", 3), ("othello:size=4", 4)])
def test_proofs_by_alpha_beta(spec, empty):
    game = ludus.make_game(spec)
    states = endings(game, 4, empty)
    with referee() as met:
        proofs = prove(game, states, nodes=300)
    assert met == {"prove_position": 4}
    assert (proofs.actions >= 0).any()


@every_game
@pytest.mark.parametrize("solver", [True, False])
def test_monte_carlo_tree_search(spec, solver):
    game = ludus.make_game(spec)
    states = states_of(game, 2)
    after = game.plays(states, game.masks(states).argmax(axis=1))
    with referee() as met:
        search = Mcts(game, simulations=12, rollouts=2, solver=solver)
        trees = [search.new_forest() for _ in states]
        search.search(states, keys(2), trees)
        search.search(after, keys(2), trees, plies=4)
    assert {*met} == {"simulate", *TREES}


@every_game
@pytest.mark.parametrize(
    "settings", [{"leaves": 2}, {"formula": "uct", "solver": False}, {"formula": "gumbel"}, {"ahead": 20}], ids=str
)
def test_guided_search(spec, settings):
    game = ludus.make_game(spec)
    states, noise = states_of(game, 2), np.random.default_rng(0).random((2, game.num_actions))
    search = GuidedSearch(game, 8, **settings)
    with referee() as met:
        search.search(states, assessments(game), noise, plies=4)
        search.search(states, InlineEvaluator(), noise)
    assert {*met} == (GUIDED | {"read_gumbel_results"} if search.formula == "gumbel" else GUIDED)


# ---- policies and oracles of one game


@pytest.mark.parametrize("policy", POLICIES)
def test_policies(policy):
    spec, empty, kernel = POLICIES[policy]
    game = ludus.make_game(spec)
    states = endings(game, 2, empty)
    with referee() as met:
        ludus.make_policy(policy, game).act(states, keys(2))
    assert {*met} == {kernel}


def test_what_the_easy_policy_of_quarto_chooses_from():
    game = ludus.make_game("quarto")
    states = endings(game, 2, 8)
    with referee() as met:
        ludus.make_policy("easy", game).probabilities(states)
    assert {*met} == {"easy_choices"}


@pytest.mark.parametrize("spec", ORACLES)
def test_oracles(spec):
    empty, kernels = ORACLES[spec]
    game = ludus.make_game(spec)
    settings = {"table_bits": 12} if game.name in ("quarto", "othello", "connect_four") else {}
    states = endings(game, 2, empty)
    with referee() as met:
        oracle = make_oracle(game, **settings)
        for state in states:
            oracle.solve(state)
        oracle.choose(states[0], key=3)
    assert {*met} >= kernels


def test_books():
    quarto, othello = ludus.make_game("quarto"), ludus.make_game("othello")
    rows = np.random.default_rng(0).integers(2**64, size=(9, 4), dtype=np.uint64)
    with referee() as met:
        make_oracle(quarto).value(quarto.start)
        assert len([*zip(range(2), layers_of(quarto), strict=False)]) == 2
        assert quarto.kernel(wins_at_once)(quarto.parse("012------------- 3"))
        othello.kernel(recall)(rows, np.zeros((16, 4), np.uint64), new_workspace(8, 4, 1, False))
    assert {*met} >= BOOKS


def test_endings_of_quixo():
    game = ludus.make_game("quixo:size=5")
    state = positions(game, 60)[-1]
    with referee() as met:
        make_oracle(game, depth=2).solve(state)
    assert {*met} >= {"winning_actions", "is_lost"}


def test_the_table_of_quixo():
    tables_of.cache_clear()  # which another test may have filled
    with referee() as met:
        assert retrograde.solve_size(3, Watch()) is not None
    assert {*met} >= TABLE


def test_tablebases():
    game = ludus.make_game("connect_four:rows=4,columns=4,line=3")
    states = positions(game, 20)
    with referee() as met:
        (_, *layers) = [layer for _, layer in zip(range(3), positions_by_ply(game), strict=False)]
        entries = np.zeros(len(layers[-1]), np.int8)
        base = Tablebase(game, layers[-1], entries)
        base.find(states)
        rest = layers[0], whole_tables(game, start_symmetries(game)), layers[1], entries, np.zeros(len(layers[0]), np.int8)
        game.kernel(write_entries)(pool(len(layers[0])), 0, len(layers[0]), *rest)
    assert {*met} >= BASES


def test_games_as_a_whole():
    game = ludus.make_game("nim:heaps=1+2+2")
    with referee() as met:
        assert solve_game(game, 999)
    assert {*met} >= WHOLE


# ---- learning and grading


@pytest.mark.parametrize("name", TRAINERS)
def test_learning(name):
    spec, settings, kernels = TRAINERS[name]
    with referee() as met:
        learn(begun(trainer_class(name), spec, **settings), 1)
    assert {*met} >= kernels


@pytest.mark.parametrize("freeze", [True, False])
def test_grading(freeze):
    with referee() as met:
        grade_exact("random", "nim:heaps=1+2", freeze=freeze)
    assert {*met} >= (GRADES if freeze else GRADES - {"keys_of"})


def test_every_kernel_that_games_need_was_refereed():
    needed = {job.linked.kernel.__name__ for job in needed_kernels([spec for name in BUILT_IN for spec in specs_of(name)])}
    of_policies = {kernel for *_, kernel in POLICIES.values()}
    of_oracles = {kernel for _, kernels in ORACLES.values() for kernel in kernels}
    of_trainers = {kernel for *_, kernels in TRAINERS.values() for kernel in kernels}
    refereed = (
        RULES | BOARDS | SINGLE | SEARCHES | GUIDED | of_policies | of_oracles | of_trainers | TABLE | BASES | WHOLE | GRADES | REST
    )
    assert needed <= refereed
