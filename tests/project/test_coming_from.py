"""docs/coming_from.md: its statements about other libraries are true. Its code is run by test_code_blocks.py."""

import warnings

import pytest


def test_pettingzoo_gives_nothing_to_the_victim_of_an_illegal_action(capsys):
    classic = pytest.importorskip("pettingzoo.classic.tictactoe_v3")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = classic.env()
        env.reset(seed=0)
        assert env.possible_agents == ["player_1", "player_2"]
        assert env.observation_space("player_1")["observation"].shape == (3, 3, 2)
        for action in (4, 4):
            env.step(action)
    assert env.rewards == {"player_1": 0, "player_2": -1}


def test_openspiel_has_an_empty_mask_for_who_is_not_to_move_and_raises_for_an_illegal_action(capfd):
    pyspiel = pytest.importorskip("pyspiel")
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    state.apply_action(0)
    assert state.legal_actions_mask(0) == [0] * 9
    with pytest.raises(pyspiel.SpielError):
        state.apply_action(0)


def test_the_nim_of_openspiel_is_misere_by_default():
    pyspiel = pytest.importorskip("pyspiel")
    assert pyspiel.load_game("nim").get_parameters()["is_misere"] is True
    assert pyspiel.load_game("nim(is_misere=false)").get_parameters()["is_misere"] is False
