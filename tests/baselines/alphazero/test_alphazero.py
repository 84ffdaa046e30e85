"""AlphaZero: what its network answers, how it plays against itself, that it learns, and that nothing is lost on the way."""

import numpy as np
import pytest
import torch

import ludus
from ludus.arena import grade_exact
from ludus.baselines import Execution, resume, train
from ludus.baselines.alphazero.alphazero import AlphaZero
from ludus.baselines.alphazero.learner import Learner
from ludus.baselines.alphazero.networks.residual import ResidualNet, Shape
from ludus.baselines.alphazero.selfplay.exact import known_positions
from ludus.baselines.alphazero.selfplay.games import GameGroup
from ludus.baselines.alphazero.selfplay.samples import Samples
from ludus.baselines.alphazero.settings import AlphaZeroSettings
from ludus.baselines.runs.folder import read_arrays
from ludus.cli import main

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


def test_who_resigns_has_lost():
    game = ludus.make_game("tictactoe")

    def player_0_is_lost(states):
        return game.masks(states), -0.99 * (1 - 2.0 * game.players(states))

    ended, result = one_game(selfplay(game, simulations=1, formula="puct", resign=0.5), player_0_is_lost)
    assert (len(ended), result) == (1, -1)
    assert ended.values.tolist() == [-1]


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
def test_endings_turn_with_their_positions(spec):
    game, played = a_game(spec)
    which = np.random.default_rng(0).integers(len(game.symmetries.cells), size=len(played))
    turned = played.permute(game, which)
    assert (turned.endings == game.permuted(played.endings, which)).all()
    assert (turned.endings[which == 0] == played.endings[which == 0]).all()


def test_positions_of_no_game_teach_the_head_nothing():
    game, played = a_game("tictactoe")
    alone = type(played)(played.states, played.policies, played.values, played.states)
    learner, draws = Learner(game, AlphaZeroSettings(ending_weight=1.0, **HEAD), 1), np.random.default_rng(0)
    assert learner.step(alone, draws)[2] == 0
    assert learner.step(played.concatenate(alone), draws)[2] > 0.3


# ---- training


def test_it_learns_all_of_nim():
    size = {"positions": 10_240, "channels": 16, "simulations": 16, "boards": 128, "batch": 256, "rate": 0.005}
    without_proofs = {"solver": False, "adjudicate": False, "temperature_plies": 2}  # so that the network has to do it
    done = train("alphazero", "nim:heaps=1+2+3", seed=1, measure=NEVER, **TINY | size | without_proofs)
    begun, ended = done.rows[0], known_positions(done.plan.game).measure(done.policy().net)
    assert (begun["optimal"] < 0.9, ended["optimal"]) == (True, 1.0)
    assert ended["value error"] < begun["value error"] / 2
    assert grade_exact(done.policy(), done.plan.game).value_lost == 0


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
