"""Our games in OpenSpiel: its own tests pass, and it sees and computes what we do."""

import pickle

import numpy as np
import pytest

from ludus.arena import grade_exact

from ..helpers.games import EACH

pyspiel = pytest.importorskip("pyspiel")
openspiel = pytest.importorskip("ludus.envs.openspiel")


@pytest.mark.parametrize("spec", EACH)
def test_openspiels_own_tests_pass(spec):
    playthrough = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough").playthrough
    game = openspiel.openspiel_game(spec)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    assert "IsTerminal() = True" in playthrough(str(game), None, seed=1)


def test_a_copy_of_a_game_is_that_game_and_code_is_no_game():
    for copied in (
        pickle.loads(pickle.dumps(openspiel.openspiel_game("nim:heaps=3+4"))),
        pyspiel.load_game("ludus(game=nim(heaps=3;4))"),
    ):
        assert (copied.rules.spec, copied.new_initial_state().legal_actions()) == ("nim:heaps=3+4", [0, 1, 2, 4, 5, 6, 7])
    with pytest.raises((ValueError, RuntimeError), match="is no game of Ludus but names code"):
        pyspiel.load_game("ludus(game=os:getcwd())")


@pytest.mark.parametrize("spec", [*EACH, "nim:heaps=3+4,misere=true", "quixo:size=3,max_plies=9"])
def test_openspiel_sees_the_planes_players_moves_and_results_that_we_have(spec):
    theirs = openspiel.openspiel_game(spec)
    game, state, random = theirs.rules, theirs.new_initial_state(), np.random.default_rng(3)
    assert (game.spec, theirs.observation_tensor_shape()) == (spec, [*game.shape])
    ours = game.start
    for ply in range(10_000):
        planes = [state.observation_tensor(seat) for seat in range(2)]
        assert np.array_equal(planes, game.observations(np.stack([ours, ours]), [0, 1]).reshape(2, -1))
        assert (state.observation_string(0), state.returns()) == (game.text(ours), [*(game.outcome(ours, ply) or (0, 0))])
        if state.is_terminal():
            break
        assert (state.current_player(), state.legal_actions()) == (game.player(ours), game.legal_actions(ours))
        assert [state.action_to_string(action) for action in state.legal_actions()] == game.legal_moves(ours)
        action = int(random.choice(state.legal_actions()))
        before, ours = state.clone(), game.play(ours, action)
        state.apply_action(action)
        assert str(before) != str(state)
    assert game.outcome(ours, ply) is not None


def test_in_quarto_the_same_player_acts_twice():
    state, players = openspiel.openspiel_game("quarto").new_initial_state(), []
    while not state.is_terminal() and len(players) < 5:
        players.append(state.current_player())
        state.apply_action(state.legal_actions()[0])
    assert players == [0, 1, 1, 0, 0]


@pytest.mark.parametrize("spec", ["nim:heaps=1+2+2", "nim:heaps=1+3,misere=true"])
def test_openspiels_exploitability_of_the_random_player_is_our_exact_one(spec):
    game = openspiel.openspiel_game(spec)
    # of tictactoe it is 0.9598296957671957, in five minutes: the number in test_grade_exact.py
    theirs = pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
    assert grade_exact("random", spec).exploitability == pytest.approx(theirs, abs=1e-9)


def test_an_unknown_game_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="did you mean 'othello'"):
        pyspiel.load_game("ludus(game=otelo(size=4))")
    with pytest.raises(ValueError, match="4, 6 or 8"):
        openspiel.openspiel_game("othello:size=5")
