"""What trainers cannot learn, and settings that contradict each other, are refused in a sentence before anything is written."""

import pytest

import ludus
from ludus.baselines.runs.plan import RunPlan

from ..helpers.outside.maze import Maze

pytest.importorskip("sb3_contrib")
pytest.importorskip("neat")

TOO_LARGE = "has more than 1,000,000 positions, and a table has a row for each; take"
REFUSED = [
    # trainer, game, settings, and a part of the sentence
    ("qlearning", "quixo", {}, TOO_LARGE),
    ("qlearning", "nim:heaps=20+20+20+20+20+20", {}, TOO_LARGE),
    ("qlearning", "tictactoe", {"tables": 2, "opponent": "random"}, "this needs opponent=self and rows=0"),
    ("qlearning", "quixo", {"rows": 64}, "set exploring_starts=0"),
    ("qlearning", "quixo", {"rows": 64, "opponent": "greedy"}, "the opponent must be self or random, not greedy"),
    ("qlearning", "quixo:size=3", {"four_bonus": 1.0}, "need a table with rows and a game with"),
    ("qlearning", "othello", {"rows": 64, "break_bonus": 1.0, "exploring_starts": 0.0}, "need a table with rows and a game with"),
    (
        "montecarlo",
        "quixo",
        {"rows": 64, "values": "states", "exploring_starts": 0.0},
        "with rows, a table holds values of actions",
    ),
    ("td_ntuple", "tictactoe", {"shapes": ("2y3",)}, "'2y3' is not a shape; a rectangle is 2x3, a diagonal d4"),
    ("td_ntuple", "tictactoe", {"shapes": ("4x4",)}, "has 16 cells; it may have 1 to 12"),
    ("td_ntuple", "tictactoe", {"shapes": ("a1b1a1",)}, "has a cell twice"),
    ("td_ntuple", "tictactoe", {"shapes": ("a1d1",)}, "the shape 'a1d1' does not fit on a board of 3×3 cells"),
    ("td_ntuple", "tictactoe", {"shapes": ("1x4",)}, "the shape '1x4' does not fit on a board of 3×3 cells"),
    ("td_ntuple", "quarto", {}, "n-tuples distinguish up to 64 looks of a cell; quarto has"),
    ("td_ntuple", Maze(0), {"shapes": ("1x12",)}, "does not fit"),
    ("alphazero", "nim", {"boards": 10, "groups": 4}, "10 boards cannot be divided evenly among 4 groups"),
    ("alphazero", "nim", {"long_openings": 60}, "long_openings=60 has no effect while long_share and lesson_share are 0"),
    ("alphazero", "nim", {"long_share": 0.5}, "long_share=0.5 and lesson_share=0.0 need long_openings"),
    ("alphazero", "nim", {"lesson_share": 0.5}, "long_share=0.0 and lesson_share=0.5 need long_openings"),
    ("neat", "tictactoe", {"opponents": None, "every_line": False, "fame": 0}, "there is no opponent"),
    ("neat", "tictactoe", {"fame": 11}, "fame is 11; the hall of fame holds only 10"),
    ("neat", "tictactoe", {"elites": 50}, "elites is 50; it must be at most a quarter of the population, 25"),
    ("neat", "nim", {"sight": "balance"}, "the observations of nim do not show whose a cell is"),
    ("neat", "othello:size=6", {"every_line": True}, "has too many lines of play for 100 players"),
    ("layered_neat", "tictactoe", {"first_layers": 9}, "first_layers is 9; it must be at most most_layers, 3"),
    ("layered_neat", "tictactoe", {"first_neurons": 99}, "first_neurons is 99; it must be at most most_neurons, 24"),
    ("layered_neat", "tictactoe", {"first_neurons": 1}, "least_neurons is 2; it must be at most first_neurons, 1"),
    ("layered_neat", "tictactoe", {"tournament": 200}, "tournament is 200; it must be at most population, 100"),
    ("layered_neat", "tictactoe", {"elites": 100}, "elites is 100; it must be less than the population, 100"),
    ("layered_neat", "tictactoe", {"add_layer": 0.9, "resize_layer": 0.9}, "their sum must be at most 1"),
    ("evolved_preference", "nim", {"peers": 100}, "peers is 100; it must be less than population and offspring together, 100"),
    ("evolved_mixture", "nim", {"peers": 0, "opponents": None}, "there is no opponent; set opponents or peers"),
    ("evolved_mixture", "tictactoe", {}, "set strategies to policies that play tictactoe"),
    ("evolved_table", "tictactoe", {}, "evolved_table learns nim, not tictactoe; qlearning learns any game with few positions"),
    ("evolved_table", "nim:heaps=200+200", {}, "has 40,400 positions"),
    ("evolved_preference", "tictactoe", {}, "evolved_preference learns nim, not tictactoe"),
    ("maskable_ppo", "tictactoe", {"opponents": ()}, "it must name 1 policy or more"),
    (
        "maskable_ppo",
        "tictactoe",
        {"opponents": ("self", "self")},
        "opponents is 'self+self'; it must name 1 policy or more, and none",
    ),
    ("maskable_ppo", "tictactoe", {"opponents": ("easy",)}, "the policy 'easy' plays quarto, not tictactoe"),
    ("maskable_ppo", "tictactoe", {"batch": 10_000_000}, "batch is 10000000; it must be at most boards · rollout ="),
    ("maskable_ppo", "tictactoe", {"boards": 3, "rollout": 11, "batch": 32}, "boards · rollout = 33 the last batch is one action"),
    ("maskable_ppo", "nim", {"lines": 8}, "the lines of a board of 4×7 cells are of different lengths; set lines to 0"),
    ("dqn", "tictactoe", {"memory": 1}, "memory is 1; it must hold a move of each"),
]


@pytest.mark.parametrize(("trainer", "game", "settings", "sentence"), REFUSED)
def test_what_cannot_be_learnt_is_refused_in_a_sentence(trainer, game, settings, sentence):
    with pytest.raises(ValueError, match=r"\w+ \w+") as error:
        RunPlan.make(trainer, ludus.make_game(game), 1, None, settings).begin()
    assert sentence in str(error.value)
