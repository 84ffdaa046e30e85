"""The views beside slow twins, board by board: what is seen, masks, rewards, ends, and every mode of autoreset."""

import numpy as np
import pytest

import ludus
from ludus.agents import as_policy

from ..helpers.games import EACH
from ..helpers.views import MODES, Aec, Single, make_vector, pick
from ..naive.boards import Board, first_legal

BOARDS, STEPS = 6, 60
SHORT = ["quixo:size=3,max_plies=5"]  # games that are cut short


@pytest.mark.parametrize("spec", [*EACH, *SHORT])
@pytest.mark.parametrize(("view", "seat"), [(Aec, None), (Single, None), (Single, 0), (Single, 1)])
def test_a_view_plays_the_games_of_the_slow_twin(spec, view, seat):
    game, rng = ludus.make_game(spec), np.random.default_rng(len(spec))
    keywords = {} if seat is None else {"opponent": as_policy(first_legal, game), "seat": seat}
    board, twin = view(spec, **keywords), Board(game, seat)
    ended = {"terminated": 0, "truncated": 0, "illegal": 0}
    for _ in range(12):
        board.reset()
        twin.begin()
        expected = {**twin.view(), "reward": 0, **dict.fromkeys(ended, False)}
        while True:
            shown = board.shown()
            assert board.env.position == twin.position.text()
            assert all(np.array_equal(shown[name], expected[name]) for name in shown)
            if view is Aec:
                waiting = next(agent for agent in board.env.possible_agents if agent != board.env.agent_selection)
                assert not board.env.observe(waiting)["action_mask"].any()
            if twin.over:
                break
            action = int(pick(board.mask()[None], rng, illegal=0.05)[0])
            board.step(action)
            expected = twin.step(action, "Disabled")
        for name in ended:
            ended[name] += expected[name]
    assert ended["truncated" if spec in SHORT else "terminated"] >= 1


@pytest.mark.parametrize("spec", [*EACH, *SHORT])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seat", [None, 1])
def test_boards_play_the_games_of_the_slow_twin(spec, mode, seat):
    game = ludus.make_game(spec)
    opponent = None if seat is None else as_policy(first_legal, game)
    envs = make_vector(spec, BOARDS, opponent=opponent, seat=seat or 0, autoreset_mode=mode)
    rng, boards = np.random.default_rng(len(spec)), [Board(game, seat) for _ in range(BOARDS)]
    observation, info = envs.reset(seed=0)
    same_view(observation, info, [board.view() for board in boards], seat)
    ended = {"terminated": 0, "truncated": 0, "illegal": 0}
    for _ in range(STEPS):
        actions = pick(observation["action_mask"], rng, illegal=0.12)
        observation, rewards, terminated, truncated, info = envs.step(actions)
        expected = [board.step(int(action), mode) for board, action in zip(boards, actions, strict=True)]
        same_view(observation, info, expected, seat)
        assert rewards.tolist() == [step["reward"] for step in expected]
        assert terminated.tolist() == [step["terminated"] for step in expected]
        assert truncated.tolist() == [step["truncated"] for step in expected]
        assert info["illegal"].tolist() == [step["illegal"] for step in expected]
        if seat is None:
            assert info["rewards"].tolist() == [list(step["rewards"]) for step in expected]
        same_final_views(info, expected)
        for name in ended:
            ended[name] += sum(step[name] for step in expected)
        if mode == "Disabled" and (over := terminated | truncated).any():
            for board in np.flatnonzero(over):
                boards[board].begin()
            observation, info = envs.reset(options={"reset_mask": over})
            same_view(observation, info, [board.view() for board in boards], seat)
    assert ended["terminated"] >= 2
    assert ended["truncated"] >= (spec in SHORT)
    assert ended["illegal"] >= 1


def same_view(observation, info, expected, seat):
    for name in ("observation", "action_mask"):
        assert np.array_equal(observation[name], np.stack([view[name] for view in expected]))
    assert info["player" if seat is None else "seat"].tolist() == [view["who"] for view in expected]


def same_final_views(info, expected):
    """What games that ended showed last, where the next follows in the same step."""
    finals = [step.get("final") for step in expected]
    assert ("final_obs" in info) == any(finals)
    for board, final in enumerate(finals):
        if final is not None:
            assert info["_final_obs"][board]
            for name in ("observation", "action_mask"):
                assert np.array_equal(info["final_obs"][name][board], final[name])
