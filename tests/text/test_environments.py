"""Episodes of players that speak: what is asked, and what is rewarded."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import ludus
from ludus.agents.policy import Policy
from ludus.games.game import StateArray
from ludus.oracles import make_oracle
from ludus.text.describing import ANSWER, describe_position, retry_prompt
from ludus.text.environments import Episode, Task, Tasks
from ludus.text.scoring import REWARDS, RewardName

from ..helpers.looks import looks


def answered(tasks: Tasks, task: Task, choose: Callable[[StateArray], str]) -> Episode:
    """An episode, played to its end by a function from the state to an answer."""
    episode = tasks.episode(task)
    while not episode.over:
        episode.take(choose(episode.state))
    return episode


def speaker(policy: Policy, key: int) -> Callable[[StateArray], str]:
    """A policy's moves as answers."""
    keys = np.array([key], np.uint64)
    return lambda state: f"<move>{policy.game.move_name(int(policy.act(state[None], keys)[0]))}</move>"


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:size=3"])
def test_no_task_for_testing_looks_like_one_for_training(spec: str) -> None:
    tasks = Tasks(spec, count=300)
    game = tasks.rules
    train, test = (looks(game, np.array([game.position(task.position) for task in some])) for some in (tasks.train, tasks.test))
    assert len({*train}) + len({*test}) == 300
    assert set[bytes]().union(*train).isdisjoint(set[bytes]().union(*test))


def test_a_single_move_is_rewarded_by_the_value_that_it_keeps() -> None:
    tasks = Tasks("tictactoe", count=60)
    game, oracle = tasks.rules, make_oracle("tictactoe")
    for task in tasks.train:
        state = game.position(task.position)
        before, after = oracle.solve(state), oracle.after(state)
        for action, solution in after.items():
            said = f"I'll play {game.move_name(action)}."
            episode = answered(tasks, task, lambda _, said=said: said)
            assert before.value is not None
            assert solution.value is not None
            assert episode.reward == 1 - (before.value - solution.value) / 2
        assert answered(tasks, task, lambda _: "I resign.").reward == 0


@pytest.mark.parametrize("spec", ["tictactoe", "quarto", "othello:size=4"])
def test_a_game_has_its_result_and_the_value_that_each_move_lost(spec: str) -> None:
    tasks = Tasks(spec, "random", count=10)
    random = ludus.make_policy("random", spec)
    for number, task in enumerate(tasks.train):
        episode = answered(tasks, task, speaker(random, number))
        outcome = tasks.rules.outcome(episode.state)
        assert outcome is not None
        assert episode.result is not None
        assert episode.result == outcome[task.seat]
        assert episode.reward == (1 + episode.result) / 2
        assert {-1: "You lose.", 0: "draw", 1: "You win."}[episode.result] in episode.question
        known = [one.value_lost for one in episode.scores if one.value_lost is not None]
        assert episode.metrics.get("value_lost", 0) == (np.mean(known) if known else 0)
        assert all(one.legal for one in episode.scores)
    assert {task.seat for task in tasks.train} == {0, 1}


@pytest.mark.parametrize("reward", REWARDS)
def test_a_whole_game_is_rewarded_for_its_answers_where_it_is_asked_for(reward: RewardName) -> None:
    tasks = Tasks("tictactoe", "random", count=20, reward=reward)
    move_name = tasks.rules.move_name
    episode = answered(tasks, tasks.train[2], lambda state: move_name(tasks.rules.legal_actions(state)[-1]))
    rewards = [score.reward_by(reward) or 0 for score in episode.scores]
    assert len(rewards) > 1
    assert episode.reward == pytest.approx(np.mean(rewards))


def test_an_answer_without_a_move_is_asked_for_again_and_then_loses_the_game() -> None:
    tasks = Tasks("tictactoe", "random", count=10, retries=2)
    episode = tasks.episode(tasks.train[0])
    for _ in range(2):
        episode.take("I pass.")
        assert not episode.over
        assert episode.question == retry_prompt(episode.scores[-1].reason)
    episode.take("I pass.")
    assert (episode.over, episode.result, episode.reward, len(episode.scores)) == (True, -1, 0.0, 3)
    with pytest.raises(ValueError, match="begin another"):
        episode.take("b2")


def test_a_game_goes_on_in_the_words_of_the_prompt() -> None:
    tasks = Tasks("tictactoe", "random", count=10, legal=True)
    episode = tasks.episode(tasks.train[0])
    episode.take(tasks.rules.move_name(tasks.rules.legal_actions(episode.state)[0]))
    assert episode.question.endswith(f"{describe_position(tasks.rules, episode.state, legal=True)}\n\n{ANSWER}")
