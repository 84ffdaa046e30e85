"""The trainers over Stable-Baselines3: they learn, go on bit for bit and play legally."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN

import ludus
from ludus.agents import as_policy
from ludus.arena import evaluate
from ludus.baselines import train
from ludus.baselines.runs.plan import RunPlan
from ludus.baselines.sb3 import BoardsVecEnv

from ...helpers.games import keys, positions

SMALL = {
    # short parts of each trainer
    "maskable_ppo": {"boards": 8, "rollout": 16, "batch": 64, "epochs": 2, "snapshot_every": 1, "pool": 2, "layers": (16,)},
    "ppo": {"boards": 8, "rollout": 16, "batch": 64, "epochs": 2, "opponents": ("self", "greedy"), "layers": (16,)},
    "dqn": {"boards": 4, "batch": 16, "memory": 300, "warm_up": 100, "target_every": 100, "snapshot_every": 1, "layers": (16,)},
}


def small(name, game="tictactoe", seed=0, **settings):
    """A trainer with short parts."""
    return RunPlan.make(name, game, seed, "defaults", SMALL[name] | settings).begin()


# ---- learning


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("maskable_ppo", {"steps": 10_000, "boards": 64, "rollout": 16, "batch": 256, "rate": 0.003}),
        ("ppo", {"steps": 15_000, "boards": 64, "rollout": 16, "batch": 256, "rate": 0.003}),
        ("dqn", {"steps": 10_000, "boards": 64, "batch": 256, "gradients": 2, "target_every": 2000, "exploring": 0.4}),
    ],
)
def test_a_few_seconds_of_it_beat_random(name, settings):
    run = train(name, "tictactoe", preset="defaults", opponents=("random",), layers=(64,), seed=1, **settings)
    score = evaluate(run.policy(), "tictactoe", games=400, opening_plies=0)
    # measured in 4,000 games they win 0.76 to 0.81, and 0.62 of 400 games or less with a probability of 1e-10; random play, which
    # wins 0.44, gets above it with one of 7e-14
    assert score.win_rate > 0.62, str(score)
    if name == "ppo":
        assert run.rows[0]["illegal"] > 1.5 * run.rows[-1]["illegal"] > 0
    else:
        assert {row["illegal"] for row in run.rows} == {0.0}


@pytest.mark.parametrize("spec", ["quixo", "quarto", "othello:size=6", "nim"])
def test_all_actions_are_legal_and_without_masks_some_are_not(spec):
    trainer = small("maskable_ppo", spec)
    trainer.advance()
    for options, legal in (({}, True), ({"sample": "true"}, True), ({"masked": "false"}, False)):
        policy = trainer.policy_of(trainer.game, trainer.settings, trainer.learnt(), **options)
        assert (evaluate(policy, spec, games=100).faults[0].sum() == 0) == legal


# ---- what changes with time

USED = {
    "rate": lambda model: model.policy.optimizer.param_groups[0]["lr"],
    "entropy": lambda model: model.ent_coef,
    "exploration": lambda model: model.exploration_rate,
}
FALLS = [
    # the trainer, what falls, and what each of four parts used
    *((name, "rate", {"rate": 0.004, "rate_end": 0.001}, [0.004, 0.00325, 0.0025, 0.00175]) for name in SMALL),
    *((name, "entropy", {"entropy": 0.08, "entropy_end": 0.0}, [0.08, 0.06, 0.04, 0.02]) for name in ("ppo", "maskable_ppo")),
    ("dqn", "exploration", {"exploration": 0.9, "exploration_end": 0.1, "exploring": 0.5}, [0.5, 0.1, 0.1, 0.1]),
]


@pytest.mark.parametrize(("name", "what", "settings", "wanted"), FALLS)
def test_what_changes_with_time_falls_evenly(name, what, settings, wanted):
    trainer, used = small(name, **settings, steps=4 * small(name).steps_a_part), []
    while trainer.done < trainer.total:
        trainer.advance()
        used.append(USED[what](trainer.model))
    assert used == pytest.approx(wanted, abs=0.02 if what == "exploration" else 1e-9)


# ---- what is foreign


def test_foreign_arrays_are_reported():
    made, other = small("maskable_ppo"), small("maskable_ppo", layers=(17,))
    with pytest.raises(ValueError, match=r"the array .* and must be"):
        made.restore(other.state())
    for name, wrong in (("boards.seats", 7), ("boards.met", 99)):
        with pytest.raises(ValueError, match="its games have other seats or opponents"):
            made.restore(made.state() | {name: np.full_like(made.state()[name], wrong)})
    with pytest.raises(ValueError, match="dqn learns values of actions, not their probabilities"):
        small("dqn").policy_of(made.game, small("dqn").settings, {}, sample="true")
    with pytest.raises(ValueError, match=r"the weights action_net\.bias are not all finite numbers"):
        made.policy_of(made.game, made.settings, made.learnt() | {"action_net.bias": np.full(9, np.nan, np.float32)})
    with pytest.raises(ValueError, match=r"the array .* and must be"):
        made.policy_of(ludus.make_game("quixo"), made.settings, made.learnt())


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Models as Stable-Baselines3 saves them, by algorithm."""
    folder = tmp_path_factory.mktemp("saved")
    models = {cls: cls("MultiInputPolicy", BoardsVecEnv("tictactoe", 4), seed=1, device="cpu") for cls in (MaskablePPO, DQN, A2C)}
    for cls, model in models.items():
        model.save(folder / cls.__name__)
    return folder, models


@pytest.mark.parametrize("algorithm", [MaskablePPO, DQN, A2C])
def test_a_strangers_model_plays_where_it_is_trusted(saved, algorithm):
    folder, models = saved
    policy = ludus.make_policy(f"sb3:{folder / algorithm.__name__}.zip,trust=true", "tictactoe")
    states, some_keys = positions(policy.game, 200), keys(200)
    assert policy.act(states, some_keys).tolist() == as_policy(models[algorithm], "tictactoe").act(states, some_keys).tolist()


def test_a_model_runs_no_code_without_trust(saved, monkeypatch):
    folder, _ = saved
    monkeypatch.setattr("ludus.baselines.sb3.zips.load_from_zip_file", lambda *_, **__: pytest.fail("it was read"))
    with pytest.raises(ValueError, match=r"runs whatever code it names; if you trust whoever made it, say sb3:.*,trust=true"):
        ludus.make_policy(f"sb3:{folder / 'DQN.zip'}", "tictactoe")


@pytest.mark.parametrize(
    ("file", "game", "sentence"),
    [
        ("MaskablePPO.zip", "quixo", r"quixo has observation \(3, 5, 5\).* Was it trained on another game"),
        ("none.zip", "tictactoe", "there is no file"),
        ("text.zip", "tictactoe", r"is not a model that Stable-Baselines3 saved: it has no policy\.pth"),
        ("broken.zip", "tictactoe", "is not a model that this version of Stable-Baselines3 can load"),
    ],
)
def test_what_is_no_model_of_this_game_is_reported(saved, file, game, sentence):
    folder, _ = saved
    (folder / "text.zip").write_text("nothing")
    (folder / "broken.zip").write_bytes((folder / "DQN.zip").read_bytes().replace(b'"policy_class"', b'"policy_klass"'))
    with pytest.raises(ValueError, match=sentence):
        ludus.make_policy(f"sb3:{folder / file},trust=true", game)
