"""docs/trouble.md quotes what newcomers are really answered."""

from collections.abc import Callable
from pathlib import Path

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest

import ludus
from ludus.arena import evaluate, grade_exact, tournament
from ludus.cli import main

from ..helpers.system.processes import ROOT

PAGE = (ROOT / "docs" / "trouble.md").read_text(encoding="utf-8")


def step(*actions: int) -> None:
    env = gym.make("ludus/TicTacToe-v0", opponent="random", seat=0)
    env.reset(seed=0)
    for action in actions:
        env.step(action)


def step_twice_after_the_end() -> None:
    env = pettingzoo.make("aec", "ludus/tictactoe-v0")
    env.reset(seed=0)
    for action in (4, 4, 0):
        env.step(action)


def step_two_boards(actions: np.ndarray) -> None:
    envs = gym.make_vec("ludus/TicTacToe-v0", num_envs=2)
    envs.reset(seed=0)
    envs.step(actions)


ANSWERS: list[tuple[str, Callable[[], object]]] = [
    ("Environment `quarto` doesn't exist in namespace ludus", lambda: gym.make("ludus/quarto-v0")),
    ("has no setting 'dept'; did you mean 'depth'?", lambda: ludus.make_policy("minimax:dept=2", "othello")),
    (
        "Custom vector environment can be passed arguments only through kwargs",
        lambda: gym.make_vec("ludus/Othello-v0", vector_kwargs={"size": 6}),
    ),
    ("The expected dtype of the sample mask is np.int8", lambda: gym.make("ludus/Nim-v0").action_space.sample(np.ones(28, bool))),
    ("no game is running: call reset() before step()", lambda: step(4, 4, 4)),
    ("the only action it can take is None", step_twice_after_the_end),
    ("reset() ignores the option 'positon'", lambda: gym.make("ludus/Nim-v0").reset(options={"positon": "1 1 1 1"})),
    ("actions must be 2 whole numbers, one a board", lambda: step_two_boards(np.zeros(3, int))),
    (
        "it must give scores (5, 9), or actions (5,), whole numbers",
        lambda: evaluate(lambda observations, masks: np.zeros(len(masks)), "tictactoe", games=10),
    ),
    ("has too many positions for an exact grade", lambda: grade_exact("random", "quixo")),
    ("games is 11; it must be a whole number from 2 to 100,000,000, and even", lambda: evaluate("random", "nim", games=11)),
    ("is named twice; name it once", lambda: tournament("nim", ["random", "random"], games_per_pair=2)),
    (
        "a model of Stable-Baselines3 is named as sb3:FILE.zip,trust=true",
        lambda: ludus.make_policy("sb3:model.zip", "nim"),
    ),
]


@pytest.mark.parametrize(("quoted", "call"), ANSWERS, ids=[quoted for quoted, _ in ANSWERS])
def test_the_page_quotes_what_is_answered(quoted: str, call: Callable[[], object]):
    assert f"`{quoted}`" in PAGE
    with pytest.raises(Exception) as answered:  # noqa: PT011  (whatever its type)
        call()
    assert quoted in str(answered.value)


@pytest.mark.parametrize(
    ("quoted", "command"),
    [
        ("has no option '--aginst'; did you mean '--against'?", "play nim --aginst random"),
        ("runs/first exists already", "train qlearning nim --run runs/first"),
        ("today.sqlite exists already", "arena nim --policies random greedy --store today.sqlite"),
        ("The oracle did not find the value", "solve othello"),
    ],
)
def test_the_page_quotes_what_a_command_prints(
    quoted: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "first").mkdir(parents=True)
    (tmp_path / "runs" / "first" / "notes.txt").touch()
    (tmp_path / "today.sqlite").touch()
    assert f"`{quoted}`" in PAGE
    main(command.split())
    assert quoted in "".join(capsys.readouterr())
