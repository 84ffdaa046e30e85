"""AlphaZero: what its network answers, how it plays against itself, that it learns, and that nothing is lost on the way."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import ludus
from ludus.arena import grade_exact
from ludus.baselines import Execution, resume, train
from ludus.baselines.alphazero.alphazero import AlphaZero
from ludus.baselines.alphazero.learner import Learner
from ludus.baselines.alphazero.networks.residual import ResidualNet, Shape, averages_of_lines
from ludus.baselines.alphazero.selfplay.exact import known_positions
from ludus.baselines.alphazero.selfplay.games import GameGroup
from ludus.baselines.alphazero.selfplay.samples import Samples
from ludus.baselines.alphazero.settings import AlphaZeroSettings
from ludus.baselines.runs.folder import read_arrays
from ludus.cli import main
from ludus.games.kernels.rules import ONGOING
from ludus.oracles.values import quick_oracle, values_of

from ...helpers.games import EACH, positions
from ...helpers.training.alphazero import NEVER, TINY, evaluator, knows_nothing, selfplay
from ...helpers.training.trained import learnt, stop_after
from ...helpers.values import same

every_game = pytest.mark.parametrize("spec", EACH)


def one_game(how, evaluate, seed=0):
    """The positions of the first game of a group of one, and player 0's result."""
    group = GameGroup.new(how.search.game, 1)
    while True:
        group, ended, reported = how.play(group, evaluate, 1, (seed,))
        if reported.games:
            return ended, reported.first


# ---- the network


@every_game
@pytest.mark.parametrize("lines", [False, True])
def test_the_network_for_inference_answers_as_the_plain_one_up_to_rounding(spec, lines):
    states = positions(ludus.make_game(spec), 100)
    fast, plain = (evaluator(spec, Shape(2, 16, lines=lines), fast=fast)(states) for fast in (True, False))
    for quick, slow in zip(fast, plain, strict=True):
        np.testing.assert_allclose(quick, slow, atol=1e-5)
    assert (plain[0].argmax(1) == fast[0].argmax(1)).all()


def test_lines_are_the_rows_columns_and_diagonals_through_each_cell():
    board = torch.randn(3, 4)
    cells = [(row, column) for row in range(3) for column in range(4)]
    numbers = (lambda row, _: row, lambda _, column: column, lambda row, column: row - column, lambda row, column: row + column)
    for number, averages in zip(numbers, (board.flatten() @ averages_of_lines(3, 4)).view(4, 3, 4), strict=True):
        for cell in cells:
            line = [board[other] for other in cells if number(*other) == number(*cell)]
            assert float(averages[cell]) == pytest.approx(float(sum(line)) / len(line), abs=1e-6)


@every_game
def test_priors_are_for_legal_actions_and_add_up_to_one(spec):
    game = ludus.make_game(spec)
    states = positions(game, 50)
    priors, values = evaluator(spec)(states)
    assert ((priors > 0) == (game.masks(states) != 0)).all()
    np.testing.assert_allclose(priors.sum(1), 1, atol=1e-5)
    assert (abs(values) <= 1).all()


def test_an_answer_does_not_depend_on_what_else_is_asked():
    states, ask = positions(ludus.make_game("quixo"), 100), evaluator("quixo")
    together = ask(states)
    for size in (1, 7, 33):
        for whole, part in zip(together, ask(states[:size]), strict=True):
            assert (whole[:size] == part).all()


def test_the_original_has_ten_blocks_of_256_channels_averages_before_its_heads_and_the_logarithm_in_its_formula():
    settings = AlphaZeroSettings(**AlphaZero.presets["original"])
    net = ResidualNet(ludus.make_game("quixo"), settings.shape)
    assert [len(net.blocks), net.stem[0].out_channels, net.policy[-1].in_features] == [10, 256, 256]
    search = settings.search(ludus.make_game("quixo"))
    assert (search.formula, search.exploration, search.solver, settings.pruning) == ("uct", 1.41, False, "random")


# ---- games against itself


@every_game
@pytest.mark.parametrize("reuse", [False, True])
def test_positions_are_worth_the_result_to_whoever_is_to_move_there(spec, reuse):
    game = ludus.make_game(spec)
    for seed in range(2):
        ended, result = one_game(selfplay(game, reuse=reuse), knows_nothing(game), seed)
        movers = game.players(ended.states).astype(int)
        assert (ended.values == result * (1 - 2 * movers)).all()
        assert (ended.states[0] == game.start).all()
        for before, after in zip(ended.states, ended.states[1:], strict=False):  # they are one game
            assert any((game.play(before, action) == after).all() for action in game.legal_actions(before))


def test_a_game_that_comes_back_to_a_position_it_had_ends_as_a_draw():
    game = ludus.make_game("quixo")  # the same is played in the same position, so that games soon go round in circles
    how = selfplay(game, noise=0.0, temperature_plies=0)
    for seed in range(3):
        ended, result = one_game(how, evaluator("quixo", seed=seed))
        assert result == 0
        assert len(np.unique(ended.states, axis=0)) == len(ended) < game.max_plies
        last = ended.states[-1]
        after = game.plays(np.repeat(last[None], len(game.legal_actions(last)), axis=0), game.legal_actions(last))
        assert {state.tobytes() for state in after} & {state.tobytes() for state in ended.states}


@pytest.mark.parametrize("formula", ["puct", "uct", "gumbel"])
def test_games_that_end_with_a_proof_teach_what_perfect_play_makes_of_each_position(formula):
    game = ludus.make_game("nim:heaps=1+2+3")  # so small that search proves every position at once
    how = selfplay(game, simulations=1000, solver=True, adjudicate=True, reuse=True, formula=formula)
    _, ended, reported = how.play(GameGroup.new(game, 4), knows_nothing(game), 4, (1,))
    assert (reported.games, reported.plies) == (16, 16)
    assert (ended.values == values_of(game, ended.states, quick_oracle(game))).all()


def test_who_resigns_has_lost():
    game = ludus.make_game("tictactoe")

    def player_0_is_lost(states):
        return game.masks(states), -0.99 * (1 - 2.0 * game.players(states))

    ended, result = one_game(selfplay(game, simulations=1, formula="puct", resign=0.5), player_0_is_lost)
    assert (len(ended), result) == (1, -1)
    assert ended.values.tolist() == [-1]


@every_game
def test_positions_turned_are_positions_and_their_policies_are_of_legal_actions(spec):
    game = ludus.make_game(spec)
    states = positions(game, 60)
    masks = game.masks(states)
    policies = (masks / masks.sum(1, keepdims=True)).astype(np.float16)
    plain = Samples(states, policies, np.zeros(60, np.float32), states)
    turned = plain.permute(game, np.random.default_rng(0).integers(len(game.symmetries.cells), size=60))
    assert ((turned.policies > 0) == (game.masks(turned.states) != 0)).all()
    back = plain.permute(game, np.zeros(60, np.int64))
    assert (back.states == states).all()
    assert (back.policies == policies).all()


@pytest.mark.parametrize("how", ["oldest", "random"])
def test_the_window_keeps_what_it_may(how):
    game, draws = ludus.make_game("tictactoe"), np.random.default_rng(0)
    states = np.zeros((100, game.num_words), np.uint64)
    every = Samples(states, np.zeros((100, 9), np.float16), np.arange(100, dtype=np.float32), states)
    left = every.prune(30, how, draws).values
    assert len(left) == 30
    assert (np.diff(left) > 0).all()
    assert (left.min() == 70) == (how == "oldest")
    assert len(every.prune(200, how, draws)) == 100


# ---- the extra head, which says what each cell will hold when the game ends

HEAD = {"blocks": 1, "channels": 16, "batch": 64}


def a_game(spec, seed=0):
    """The samples of a game of self-play to its end."""
    game = ludus.make_game(spec)
    return game, one_game(selfplay(game, simulations=2, formula="puct"), knows_nothing(game), seed)[0]


@every_game
def test_samples_know_the_position_that_their_game_ended_in(spec):
    game, played = a_game(spec)
    assert len(np.unique(played.endings, axis=0)) == 1
    actions = game.legal_actions(played.states[-1])
    assert played.endings[0].tolist() in [game.play(played.states[-1], action).tolist() for action in actions]
    ended = game.outcomes(played.endings)
    assert (ended != ONGOING).all() or spec.startswith("quixo")  # a repeated position ends a game of it, too


@every_game
def test_endings_turn_with_their_positions(spec):
    game, played = a_game(spec)
    which = np.random.default_rng(0).integers(len(game.symmetries.cells), size=len(played))
    turned = played.permute(game, which)
    assert (turned.endings == game.permuted(played.endings, which)).all()
    assert (turned.endings[which == 0] == played.endings[which == 0]).all()


def test_the_head_learns_what_each_cell_will_hold():
    game, played = a_game("othello:size=4")
    learner, draws = Learner(game, AlphaZeroSettings(ending_weight=1.0, symmetries=False, **HEAD), 1), np.random.default_rng(0)
    losses = [learner.step(played, draws)[2] for _ in range(300)]
    assert losses[0] > 0.5
    assert losses[-1] < 0.02


def test_positions_of_no_game_teach_the_head_nothing():
    game, played = a_game("tictactoe")
    alone = type(played)(played.states, played.policies, played.values, played.states)
    learner, draws = Learner(game, AlphaZeroSettings(ending_weight=1.0, **HEAD), 1), np.random.default_rng(0)
    assert learner.step(alone, draws)[2] == 0
    assert learner.step(played.concatenate(alone), draws)[2] > 0.3


def test_without_weight_endings_change_nothing():
    game, played = a_game("tictactoe")
    other = type(played)(played.states, played.policies, played.values, played.states)
    learners = [Learner(game, AlphaZeroSettings(**HEAD), 1) for _ in range(2)]
    for learner, samples in zip(learners, (played, other), strict=True):
        for seed in range(3):
            assert learner.step(samples, np.random.default_rng(seed))[2] == 0
    assert same(learners[0].state(), learners[1].state())


# ---- training


def test_it_learns_all_of_nim():
    done = train("alphazero", "nim:heaps=1+2+3", seed=1, measure=NEVER, **NIM)
    begun, ended = done.rows[0], known_positions(done.plan.game).measure(done.policy().net)
    assert (begun["optimal"] < 0.9, ended["optimal"]) == (True, 1.0)
    assert ended["value error"] < begun["value error"] / 2
    assert grade_exact(done.policy(), done.plan.game).value_lost == 0


def test_it_learns_tictactoe_so_that_it_cannot_be_beaten():
    done = train("alphazero", "tictactoe", seed=1, measure=NEVER, positions=8192)  # 6144 are enough
    found = grade_exact(replace(done.policy(), simulations=50), done.plan.game)
    assert (found.beatable, found.value_lost) == (False, 0.0)


NIM = {
    "positions": 10_240,
    "blocks": 1,
    "channels": 16,
    "simulations": 16,
    "boards": 128,
    "plies": 4,
    "batch": 256,
    "rate": 0.005,
    "solver": False,
    "adjudicate": False,
    "temperature_plies": 2,
}
"""Without proofs, so that the network has to do it."""


def test_a_network_without_room_is_reported_and_the_run_stays_as_it_was(capsys, monkeypatch, tmp_path):
    for trainer, large in (("alphazero", "--channels=100000000000"), ("maskable_ppo", "--layers=100000000000+64")):
        assert main(["train", trainer, "tictactoe", large, "--run", str(tmp_path / "large")]) == 2
        assert "there is not enough memory for the network" in capsys.readouterr().err
        assert not (tmp_path / "large").exists()
    with pytest.raises(KeyboardInterrupt):
        train("alphazero", "tictactoe", tmp_path / "a", measure=NEVER, execution=Execution(watch=stop_after(2)), **TINY)
    before = read_arrays(tmp_path / "a" / "checkpoint.safetensors")
    monkeypatch.setattr(Learner, "step", lambda *_: torch.empty(1 << 60))
    with pytest.raises(MemoryError, match="choose fewer channels"):
        resume(tmp_path / "a")
    assert same(read_arrays(tmp_path / "a" / "checkpoint.safetensors"), before)
    monkeypatch.setattr(Learner, "step", lambda *_: torch.zeros(2) @ torch.zeros(3))
    with pytest.raises(RuntimeError, match="inconsistent tensor size"):
        resume(tmp_path / "a")


def test_boards_are_divided_evenly_and_workers_are_for_those_that_use_them():
    with pytest.raises(ValueError, match="10 boards cannot be divided evenly among 4 groups"):
        AlphaZeroSettings(boards=10, groups=4)
    with pytest.raises(ValueError, match="qlearning uses one process"):
        train("qlearning", "tictactoe", execution=Execution(workers=2))


def test_workers_change_nothing(tmp_path):
    settings = TINY | {"exact_share": 0.5, "long_openings": 6, "long_share": 0.5, "lesson_share": 0.3}
    train("alphazero", "quixo:size=3", tmp_path / "threads", measure=NEVER, **settings)
    train("alphazero", "quixo:size=3", tmp_path / "processes", measure=NEVER, execution=Execution(workers=2), **settings)
    assert learnt(tmp_path / "processes") == learnt(tmp_path / "threads")


def test_a_loss_that_is_no_number_stops_the_training_and_leaves_what_was_kept(tmp_path):
    settings = TINY | {"rate": 1e12, "positions": 3000}
    with pytest.raises(ValueError, match=r"(the loss is|a weight is not finite).*what the run has saved is unchanged"):
        train("alphazero", "tictactoe", tmp_path / "a", measure=NEVER, execution=Execution(checkpoint_seconds=0), **settings)
    for array in read_arrays(tmp_path / "a" / "policy.safetensors").values():
        assert np.isfinite(array).all()
    assert ludus.make_policy(f"run:{tmp_path / 'a'}", "tictactoe")


def test_trees_that_find_no_room_say_what_to_do(tmp_path, monkeypatch, run):
    monkeypatch.setattr("ludus.search.mcts.forest.MAX_BYTES", 1000)
    status, _, reported = run(
        "train", "alphazero", "tictactoe", "--run", tmp_path / "a", "--positions", 300, "--boards", 16, "--evaluate-every", "never"
    )
    assert status == 2
    assert "search fewer positions together" in reported
