"""Every example runs to its end."""

import runpy
from pathlib import Path

import pytest

from ludus.arena import evaluate

from ..helpers.system.processes import ROOT, run_script

EXAMPLES = ROOT / "examples"
ARGUMENTS = {
    "batch_mcts.py": ["--game", "tictactoe", "--simulations", "30"],
    "grade_sb3_model.py": ["2048"],
    "training/compare_selection.py": ["3"],
    "self_play.py": ["--game", "quarto", "--updates", "1"],
    "training/sb3_quarto.py": ["4096"],
    "training/own_loop_with_league.py": ["2"],
    "training/qlearning_from_scratch.py": ["500"],
    "training/gru_over_moves.py": ["--games", "256"],
    "training/othello_gpt.py": ["--size", "4", "--steps", "10", "--games", "50"],
    "training/qlearning_against_montecarlo.py": ["--games", "50", "--episodes", "2000"],
    "puzzles/portfolio_settings.py": ["--seeds", "1", "--generations", "2"],
    "search_settings.py": ["--trials", "3"],
    "search_settings.py --grid": ["--grid", "--games", "10"],
    "training/alphazero_cost.py": ["tictactoe", "--blocks", "1", "--rounds", "1"],
}
LIBRARIES = {"measure_a_language_model.py": ["openai"]}
"""What some examples need that not every set-up has."""

WAITING = {"engine.py", "gtp_engine.py", "endpoint.py"}
"""They wait for questions: tests/text/test_engines.py and tests/text/test_models.py ask them."""
FOUND = {path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.py") if path.parent.name != "neighbours"}
SCRIPTS = FOUND - WAITING


@pytest.mark.parametrize("script", sorted(SCRIPTS | ARGUMENTS.keys()))
def test_the_example_runs(script: str, tmp_path: Path) -> None:
    for library in LIBRARIES.get(script, ()):
        pytest.importorskip(library)
    path, arguments = EXAMPLES / script.partition(" ")[0], ARGUMENTS.get(script, [])
    printed, warned = run_script(path, arguments, tmp_path, SDL_VIDEODRIVER="dummy")
    assert printed.strip()
    assert not warned


def test_an_example_with_arguments_explains_them() -> None:
    by_hand = {script for script in FOUND if "sys.argv" in (EXAMPLES / script).read_text(encoding="utf-8")}
    assert by_hand == {"gtp_engine.py"}  # all its arguments are the command of a program


def test_the_advantages_of_self_play_turn_the_sign_where_the_next_value_is_the_other_players() -> None:
    torch = pytest.importorskip("torch")
    example = runpy.run_path(str(EXAMPLES / "self_play.py"))
    players = torch.tensor([[0], [0], [1], [1], [0]])  # player 0 moves twice, as in Quarto, and then player 1; then a new game
    values, rewards = torch.tensor([[0.5], [0.1], [-0.2], [0.3], [0.7]]), torch.tensor([[0.0], [0.0], [0.0], [1.0], [0.0]])
    dones = torch.tensor([[0.0], [0.0], [0.0], [1.0], [0.0]])
    found = example["advantages"](rewards, values, dones, players, torch.tensor([0.4]), torch.tensor([1]))
    discount, share = example["DISCOUNT"], example["DISCOUNT"] * example["GAE_LAMBDA"]
    last = 0 - discount * 0.4 - 0.7  # player 0 moved, and player 1 is next
    won = 1 - 0.3
    before = discount * 0.3 + 0.2 + share * won
    given = 0 + discount * 0.2 - 0.1 - share * before
    placed = discount * 0.1 - 0.5 + share * given
    assert found[:, 0].tolist() == pytest.approx([placed, given, before, won, last])


def test_self_play_learns_tic_tac_toe() -> None:
    pytest.importorskip("torch")
    train = runpy.run_path(str(EXAMPLES / "self_play.py"))["train"]
    won = evaluate(train("tictactoe", 5, 1), "tictactoe", "random", games=400, opening_plies=0).win_rate
    assert won > 0.65, "without the sign it wins 42 to 60 % after five updates"
