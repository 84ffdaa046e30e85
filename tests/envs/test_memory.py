"""An opponent that remembers something between moves does so in the environments, game by game."""

from dataclasses import dataclass
from typing import ClassVar

import gymnasium as gym
import numpy as np
import pytest

import ludus
from ludus.agents.policy import Playing, Policy

GAME = ludus.make_game("tictactoe")


class Counts(Playing):
    """Plays by how many moves it has made in a game: the first legal action, then the last, and so on."""

    def __init__(self, policy, games):
        super().__init__(policy)
        self.moves = np.zeros(games, np.int64)

    def act(self, states, keys, games):
        self.moves[games] += 1
        masks = self.policy.game.masks(states)
        last = masks.shape[1] - 1 - masks[:, ::-1].argmax(1)
        return np.where(self.moves[games] % 2, masks.argmax(1), last)


class CountsAgain(Counts):
    """The same, and single games can begin anew."""

    def begin_again(self, games):
        self.moves[games] = 0


@dataclass(frozen=True)
class Counting(Policy):
    """Without a memory it would always play the middle one of the legal actions."""

    name: ClassVar[str] = "counting"
    playing: type = CountsAgain

    def act(self, states, keys):
        masks = self.game.masks(states)
        return np.array([row.nonzero()[0][row.sum() // 2] for row in masks])

    def begin(self, games):
        return self.playing(self, games)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("playing", [Counts, CountsAgain])
def test_one_board_tells_its_opponent_when_games_begin(seat, playing):
    env = gym.make("ludus/TicTacToe-v0", opponent=Counting(GAME, playing=playing), seat=seat, disable_env_checker=True)
    for seed in range(3):
        env.reset(seed=seed)
        boards, over = [env.unwrapped.position], False
        while not over:
            legal = GAME.legal_actions(env.unwrapped.rules_state)
            *_, ended, cut, _ = env.step(legal[len(legal) // 2])
            over = ended or cut
            boards.append(env.unwrapped.position)
        assert boards == whole_game(seat)


def whole_game(seat):
    """The positions that a learner sees who plays the middle one of the legal actions."""
    state, made, seen = GAME.start, 0, []
    while True:
        while GAME.outcome(state) is None and GAME.player(state) != seat:
            legal, made = GAME.legal_actions(state), made + 1
            state = GAME.play(state, legal[0] if made % 2 else legal[-1])
        seen.append(GAME.text(state))
        if GAME.outcome(state) is not None:
            return seen
        legal = GAME.legal_actions(state)
        state = GAME.play(state, legal[len(legal) // 2])
        if GAME.outcome(state) is not None:
            return [*seen, GAME.text(state)]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_every_board_of_many_has_a_memory_of_its_own_game(mode):
    envs = gym.make_vec("ludus/TicTacToe-v0", num_envs=4, opponent=Counting(GAME), seat=1, autoreset_mode=mode)
    envs.reset(seed=0)
    seen, whole = [[position] for position in envs.position], whole_game(1)[: -1 if mode == "SameStep" else None]
    for step in range(40):
        over = np.arange(4) == 2  # whose game ends early, so that the boards' games no longer begin together
        if step != 2:
            legal = [GAME.legal_actions(state) for state in envs.rules_state]
            *_, ended, _, _ = envs.step(np.array([moves[len(moves) // 2] if moves else 0 for moves in legal]))
            over = ended & (mode == "Disabled")
            for board in range(4):
                seen[board].append(envs.position[board])
        if over.any():
            envs.reset(options={"reset_mask": over})
            for board in np.flatnonzero(over):
                seen[board].append(envs.position[board])
    for board, positions in enumerate(seen):
        expected = (whole[:3] if board == 2 else []) + whole * 20
        assert positions == expected[: len(positions)]
        assert len(positions) > 5 * len(whole)


def test_an_opponent_that_cannot_begin_single_games_anew_is_refused_on_many_boards():
    with pytest.raises(ValueError, match="Counts has no method begin_again; add it, or play on one board"):
        gym.make_vec("ludus/TicTacToe-v0", num_envs=2, opponent=Counting(GAME, playing=Counts))


def test_a_pool_says_that_its_members_play_without_memory():
    with pytest.warns(UserWarning, match="counting plays without its memory of the game here"):
        ludus.opponents.Mixture("tictactoe", ["random", Counting(GAME)])
