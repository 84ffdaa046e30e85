"""A search with Optuna for settings of a trainer that learn from few games.

python search_settings.py              Optuna proposes settings
python search_settings.py --grid       every combination of a few values, as a table

pip install '.[search]'
"""

import argparse

import optuna

from ludus.arena import grade_exact
from ludus.baselines import train

GRID = {
    "rate": [0.1, 0.5, 1.0],
    "rate_decay": [0.0, 0.8],
    "exploration": [0.1, 0.3],
    "exploring_starts": [0.0, 0.5],
    "discount": [0.7, 0.9],
}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("trainer", nargs="?", default="qlearning", choices=["qlearning", "montecarlo"])
parser.add_argument("game", nargs="?", default="tictactoe", help="a game with few positions")
parser.add_argument("--games", type=int, default=5_000, help="number of training games of a trial")
parser.add_argument("--trials", type=int, default=40, help="number of settings that Optuna tries")
parser.add_argument("--grid", action="store_true", help="try every combination of the values in GRID instead")
chosen = parser.parse_args()


def lost(trial: optuna.Trial) -> float:
    """Points lost against the best response, and games not won against random, after training; the mean of three seeds."""
    settings = {
        "rate": trial.suggest_float("rate", 0.1, 1.0),
        "rate_decay": trial.suggest_float("rate_decay", 0.0, 1.0),
        "exploration": trial.suggest_float("exploration", 0.02, 0.6),
        "exploring_starts": trial.suggest_float("exploring_starts", 0.0, 1.0),
        "discount": trial.suggest_float("discount", 0.7, 1.0),
    }
    settings["exploration_end"] = settings["exploration"]
    policies = [train(chosen.trainer, chosen.game, seed=seed, games=chosen.games, **settings).policy() for seed in (1, 2, 3)]
    grades = [grade_exact(policy, chosen.game) for policy in policies]
    return sum(found.exploitability + 1 - sum(found.win_rate_vs_random) / 2 for found in grades) / len(grades)


optuna.logging.set_verbosity(optuna.logging.WARNING)
if chosen.grid:
    study = optuna.create_study(sampler=optuna.samplers.GridSampler(GRID, seed=1))
    study.optimize(lost)  # a grid ends when all combinations were tried
    print(*GRID, "lost or not won", sep=" | ")
    for trial in sorted(study.trials, key=lambda trial: trial.value):
        print(*(f"{trial.params[name]:{len(name)}g}" for name in GRID), f"{trial.value:15.4f}", sep=" | ")
else:
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    study.enqueue_trial({"rate": 0.5, "rate_decay": 0.0, "exploration": 0.1, "exploring_starts": 0.0, "discount": 0.7})
    study.optimize(lost, n_trials=chosen.trials)
    print(f"the settings of the original: {study.trials[0].value:.4f} lost or not won")
print(f"the best of {len(study.trials)} trials: {study.best_value:.4f}, with")
for name, value in study.best_params.items():
    print(f"    --{name.replace('_', '-')} {value:.3g}")
