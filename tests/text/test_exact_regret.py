"""The small transformer of examples/training/exact_regret.py learns from what it says that it learns from."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from ludus.oracles.statespace.canonical import canonical_observations

from ..helpers.system.processes import ROOT

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "examples" / "training" / "exact_regret.py"))


@pytest.fixture(scope="module")
def positions(example: dict[str, Any]) -> Any:
    return example["Positions"]("nim:heaps=1+3+5", 60)


def test_held_out_positions_share_no_symmetry_with_those_to_learn_from(example: dict[str, Any]) -> None:
    known = example["Positions"]("tictactoe", 200)
    learnt, held_out = ({*map(bytes, canonical_observations(known.game, states))} for states in (known.train, known.test))
    assert len(held_out) == len(known.test) > 10
    assert not learnt & held_out


def test_an_answer_is_as_likely_as_its_characters_one_after_the_other(example: dict[str, Any], positions: Any) -> None:
    run = example["Learning"](positions, "regret", 1)
    model, state = run.model, positions.test[:1]
    question, answer, (text,) = run.choose_randomly(state)
    chance, seen = 1.0, question
    with torch.no_grad():
        for character in answer[0][: len(text) + 1]:  # with the end of the line
            chance *= float(model(seen)[0][0, -1].softmax(-1)[character])
            seen = torch.cat([seen, character.view(1, 1)], dim=1)
        assert float(model.log_likelihood(question, answer).exp()) == pytest.approx(chance, rel=1e-4)


def test_a_run_that_was_stopped_ends_as_one_that_was_not(example: dict[str, Any], positions: Any, tmp_path: Path) -> None:
    learn = example["learn"]
    whole = learn(positions, "over_floor", 3, 600, tmp_path / "whole", 2)
    learn(positions, "over_floor", 3, 300, tmp_path / "parts", 2)
    parts = learn(positions, "over_floor", 3, 600, tmp_path / "parts", 2)
    assert whole.curve[-1] == parts.curve[-1]
    assert all(torch.equal(*pair) for pair in zip(whole.model.parameters(), parts.model.parameters(), strict=True))


def test_a_step_makes_the_better_answers_of_groups_likelier(example: dict[str, Any], positions: Any) -> None:
    run = example["Learning"](positions, "regret", 0)
    found = run.collect(run.choose_randomly)

    def collect_again(_: Any) -> Any:
        return found

    run.collect = collect_again
    better = torch.tensor(found.rewards - found.means)
    with torch.no_grad():
        before = run.model.log_likelihood(found.questions, found.answers)
        for _ in range(3):
            with torch.enable_grad():
                run.learn_play()
        change = run.model.log_likelihood(found.questions, found.answers) - before
    assert change[better > 0].mean() > change[better < 0].mean() + 0.01
    assert run.answers == 3 * len(found.rewards)
