"""Every example runs from start to end, as a reader would run it."""

import pytest

from ..helpers.system.processes import ROOT, run_script

EXAMPLES = ROOT / "examples"
ARGUMENTS = {
    "train_maskable_ppo.py": ["2048"],
    "grade_sb3_model.py": ["2048"],
    "compare_selection.py": ["10"],
    "sb3_quarto.py": ["4096"],
    "own_loop_with_league.py": ["2"],
    "qlearning_from_scratch.py": ["2000"],
    "qlearning_against_montecarlo.py": ["--games", "200", "--episodes", "20000"],
    "portfolio_settings.py": ["--seeds", "1", "--generations", "4"],
    "search_settings.py": ["--trials", "3"],
    "search_settings.py --grid": ["--grid", "--games", "50"],
    "alphazero_cost.py": ["tictactoe", "--blocks", "1", "--rounds", "1"],
}


@pytest.mark.parametrize("script", sorted({path.name for path in EXAMPLES.glob("*.py")} | ARGUMENTS.keys()))
def test_the_example_runs_and_says_something(script, tmp_path):
    path, arguments = EXAMPLES / script.partition(" ")[0], ARGUMENTS.get(script, [])
    printed, complained = run_script(path, arguments, tmp_path, SDL_VIDEODRIVER="dummy")
    assert printed.strip()
    assert not complained
