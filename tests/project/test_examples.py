"""Every example runs to its end."""

from pathlib import Path

import pytest

from ..helpers.system.processes import ROOT, run_script

EXAMPLES = ROOT / "examples"
ARGUMENTS = {
    "training/train_maskable_ppo.py": ["2048"],
    "grade_sb3_model.py": ["2048"],
    "training/compare_selection.py": ["10"],
    "training/sb3_quarto.py": ["4096"],
    "training/own_loop_with_league.py": ["2"],
    "training/qlearning_from_scratch.py": ["2000"],
    "training/qlearning_against_montecarlo.py": ["--games", "200", "--episodes", "20000"],
    "puzzles/portfolio_settings.py": ["--seeds", "1", "--generations", "4"],
    "search_settings.py": ["--trials", "3"],
    "watch_training.py": ["--game", "othello:size=4", "--games", "400", "--no-open"],
    "search_settings.py --grid": ["--grid", "--games", "50"],
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
