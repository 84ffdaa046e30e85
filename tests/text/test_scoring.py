"""Scores of answers against the oracle's own solutions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.arena.grading.verdict import judge_of
from ludus.oracles import make_oracle
from ludus.rewards import Score, score
from ludus.text import read_move
from ludus.text.environments.episodes import Episode


def unfinished(spec: str, count: int, plies: tuple[int, int]) -> list[np.ndarray]:
    """Positions after random plies."""
    game, random, states = ludus.make_game(spec), np.random.default_rng(1), list[np.ndarray]()
    while len(states) < count:
        state = game.start
        for _ in range(random.integers(*plies)):
            if game.outcome(state) is None:
                state = game.play(state, int(random.choice(game.legal_actions(state))))
        if game.outcome(state) is None:
            states.append(state)
    return states


@pytest.mark.parametrize(
    ("spec", "plies"),
    [("nim", (0, 6)), ("tictactoe", (0, 8)), ("quixo:size=3", (0, 20)), ("quarto", (22, 30)), ("othello:size=4", (2, 12))],
)
def test_scores_are_what_the_oracle_says_of_each_move(spec: str, plies: tuple[int, int]) -> None:
    game = ludus.make_game(spec)
    oracle, judge = make_oracle(game), judge_of(game)
    assert judge is not None
    for state in unfinished(spec, 12, plies):
        actions, solution = game.legal_actions(state), oracle.solve(state)
        found = score(game, np.repeat(state[None], len(actions), axis=0), [f"<move>{game.move_name(a)}</move>" for a in actions])
        assert [one.action for one in found] == actions
        for one in found:
            assert one.action is not None
            verdict = judge.verdict(state, one.action)
            assert (one.value, one.value_lost) == (verdict.after.value, verdict.value_lost)
            if solution.distance is not None and solution.value and one.value_lost == 0:
                assert verdict.after.distance is not None
                assert one.distance_lost == solution.value * (verdict.after.distance - solution.distance)
        assert any(one.optimal for one in found)


def test_one_answer_has_one_score() -> None:
    assert score("tictactoe", "XX-OO---- X", "I win.\n\nI play c1.") == Score(True, 2, 1, 0, 0, True)
    assert score("tictactoe", "XX-OO---- X", "b3") == Score(True, 7, -1, 2, None, False)
    assert [score("tictactoe", "XX-OO---- X", move).keeps_value for move in ("c1", "b3", "nonsense")] == [True, False, None]
    slow = score("tictactoe", "X-XO-O--- X", "b2")  # b1 wins at once
    assert (slow.value, slow.distance_lost, slow.optimal, slow.keeps_value) == (1, 2, False, True)
    lost = score("tictactoe", "XX-OO---- X", "a1")
    assert (lost.legal, lost.action, lost.value_lost, lost.optimal, lost.fault) == (False, None, None, None, "illegal")


def test_a_slower_win_loses_distance_and_no_value() -> None:
    slow = score("tictactoe", "XX-O-O--- X", "b2")  # blocks, and wins two plies later
    assert (slow.value, slow.value_lost, slow.distance_lost, slow.optimal) == (1, 0, 2, False)


def test_a_reward_falls_by_a_half_for_each_point_of_value() -> None:
    answers = {"X-------- O": ("b2", "b1"), "XX-OO---- X": ("c1", "c3", "a1")}  # drawn: kept, lost; won: kept, lost, not legal
    rewards = {position: [score("tictactoe", position, reply).reward for reply in replies] for position, replies in answers.items()}
    assert rewards == {"X-------- O": [1.0, 0.5], "XX-OO---- X": [1.0, 0.0, 0.0]}


def test_a_reward_by_distance_takes_a_delay_into_account() -> None:
    answers = {"c1": 1.0, "b2": 5 / 6, "a3": 0.0, "a1": 0.0}  # wins at once, wins two plies later, loses, is not legal
    assert {reply: score("tictactoe", "XX-O-O--- X", reply).reward_by("by_distance") for reply in answers} == answers


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:size=3"])
def test_random_legal_moves_are_worth_nothing_over_the_floor(spec: str) -> None:
    game = ludus.make_game(spec)
    for state in unfinished(spec, 12, (0, 8)):
        moves = [f"<move>{game.move_name(action)}</move>" for action in game.legal_actions(state)]
        found = score(game, np.repeat(state[None], len(moves), axis=0), moves, floor=True)
        losses, rewards = (np.array([getattr(one, name) for one in found]) for name in ("value_lost", "reward_over_floor"))
        assert {one.random_loses for one in found} == {losses.mean()}
        assert rewards.max() == 1.0
        if losses.max() <= 2 * losses.mean():  # else the worst moves are cut off at -1
            assert rewards.mean() == pytest.approx(0 if losses.any() else 1)


SAID = {"role": "assistant", "content": "<move>b2</move>"}
ASKED = {"role": "user", "content": "<move>a1</move>"}


def spoken(value: Any) -> Any:
    """A dictionary of a client as the objects that it gives."""
    if isinstance(value, dict):
        return SimpleNamespace(**{name: spoken(each) for name, each in value.items()})
    return [*map(spoken, value)] if isinstance(value, list) else value


@pytest.mark.parametrize("kind", [lambda value: value, spoken], ids=["dictionaries", "objects"])
@pytest.mark.parametrize(
    "reply",
    [
        [ASKED, SAID],
        [{"role": "assistant", "content": "a1"}, SAID, ASKED],
        {"choices": [{"text": "<move>b2</move>", "finish_reason": "stop"}]},
        SAID,
        {"choices": [{"message": SAID, "index": 0}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "a1"}, {"type": "text", "text": "<move>b2</move>"}]},
        {"output_text": "<move>b2</move>", "output": []},
    ],
)
def test_an_answer_is_taken_as_trainers_and_clients_give_it(reply: Any, kind: Any) -> None:
    game = ludus.make_game("tictactoe")
    given = kind(reply)
    assert read_move(game, game.start, given).action == game.action("b2")
    assert score(game, game.text(game.start), given) == score(game, [game.text(game.start)], [given])[0]
    assert Episode(game, game.start, 0).take(given).value_lost == 0


@pytest.mark.parametrize("reply", [None, {"role": "assistant", "content": None}, {"choices": [{"message": {"content": None}}]}])
def test_an_answer_without_text_has_nothing(reply: Any) -> None:
    assert score("tictactoe", "--------- X", reply).fault == "nothing"


@pytest.mark.parametrize("reply", [7, b"b2", [], [ASKED], ASKED, ["b2", "a1"], {"move": "b2"}, object()])
def test_what_is_no_answer_is_refused(reply: Any) -> None:
    with pytest.raises(ValueError, match=r"the answer is .*; it must be a text, None, a message of the assistant"):
        score("tictactoe", "--------- X", reply)
    with pytest.raises(ValueError, match="give a list of one for each"):
        score("tictactoe", ["--------- X"], "b2")
