"""OpenSpiel as an independent referee: the same random games, in both at once."""

import re

import numpy as np
import pytest

from ludus.envs import make_game

from ..helpers.games import VARIANTS

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.usefixtures("hexes")


def by_number(game, state, action):
    """OpenSpiel numbers cells and columns in the same order, and its last action of Othello is the pass."""
    return game.moves[action]


def by_words(game, state, action):
    """OpenSpiel's Nim says `pile:2, take:3;` for `2-3`."""
    return "-".join(re.findall(r"\d+", state.action_to_string(state.current_player(), action)))


def connect_four(rows, columns, line):
    return f"connect_four(rows={rows},columns={columns},x_in_row={line})"


GAMES = [
    ("tictactoe", "tic_tac_toe", by_number, 500),
    ("othello", "othello", by_number, 200),
    ("nim", "nim(is_misere=False)", by_words, 500),
    ("nim:misere=true", "nim(is_misere=True)", by_words, 500),
    ("nim:heaps=12+40", "nim(pile_sizes=12;40,is_misere=False)", by_words, 200),
    ("nim:heaps=2+2+9+1+1,misere=true", "nim(pile_sizes=2;2;9;1;1,is_misere=True)", by_words, 200),
    *((f"hex:size={size}", f"hex(board_size={size})", by_number, 30) for size in range(3, 9)),
    *((spec, connect_four(**vars(make_game(spec))), by_number, 200) for spec in VARIANTS if spec.startswith("connect_four")),
]


@pytest.mark.parametrize(("spec", "theirs", "name", "count"), GAMES, ids=[spec for spec, *_ in GAMES])
def test_random_games_go_as_openspiel_has_them(spec, theirs, name, count):
    game, referee, random = make_game(spec), pyspiel.load_game(theirs), np.random.default_rng(7)
    for _ in range(count):
        ours, judged = game.start, referee.new_initial_state()
        while not judged.is_terminal():
            assert game.outcome(ours) is None
            assert game.player(ours) == judged.current_player()
            actions = {name(game, judged, action): action for action in judged.legal_actions()}
            assert {game.moves[action] for action in game.legal_actions(ours)} == set(actions)
            move = random.choice(sorted(actions))
            ours = game.play(ours, game.action(move))
            judged.apply_action(actions[move])
        assert game.outcome(ours) == tuple(judged.returns())
