"""A recurrent policy: a GRU that hears each move of a game once, keeps what it made of it, and plays by that alone.

It learns to play as a teacher does, from games between the teacher and a random player, and never sees a board. In a match it has a
hidden state for each game; docs/memory.md explains what is called when. GRU: Cho et al., arXiv 1406.1078.

python examples/training/gru_over_moves.py --game tictactoe --teacher perfect
"""

import argparse
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import ludus
from ludus.agents import Playing, Policy
from ludus.arena import evaluate
from ludus.data import games

WIDTH, BATCH, EPOCHS, RATE = 128, 128, 3, 2e-3


class Listener(nn.Module):
    """From moves to hidden states and to logits of the next move; move 0 begins a game, and action a is move a + 1."""

    def __init__(self, actions: int):
        super().__init__()
        self.moves, self.gru, self.head = (
            nn.Embedding(actions + 1, WIDTH),
            nn.GRU(WIDTH, WIDTH, batch_first=True),
            nn.Linear(WIDTH, actions),
        )

    def hear(self, moves, hidden=None):
        """What it makes of moves (B, L): hidden states after each (B, L, WIDTH)."""
        return self.gru(self.moves(moves), hidden)[0]


def train(game: ludus.Game, teacher: str, count: int) -> Listener:
    """Learns the moves of the teacher, who plays half of the games from each seat."""
    torch.manual_seed(0)
    net = Listener(game.num_actions)
    optimizer = torch.optim.Adam(net.parameters(), RATE)
    halves = [games(game, count // 2, policies=both) for both in ((teacher, "random"), ("random", teacher))]
    for _ in range(EPOCHS):
        for first in range(0, count // 2, BATCH):
            for seat, many in enumerate(halves):
                rows = range(first, min(first + BATCH, count // 2))
                moves, states = many.moves(rows), many.states(rows)[:, :-1]
                movers = game.players(states.reshape(-1, game.num_words)).reshape(moves.shape)
                heard = F.pad(torch.as_tensor(moves + 1, dtype=torch.int64), (1, 0))[:, :-1]
                taught = torch.as_tensor(np.where(movers == seat, moves, -1), dtype=torch.int64)
                loss = F.cross_entropy(net.head(net.hear(heard)).flatten(0, 1), taught.flatten(), ignore_index=-1)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
    return net


@dataclass(frozen=True, eq=False)
class GRUPolicy(Policy):
    """Plays the legal action that the network likes best."""

    name: ClassVar[str] = "gru"
    sees_moves: ClassVar[bool] = True
    net: Listener = field(repr=False, kw_only=True)

    def act(self, states, keys):
        raise ValueError("it knows a game by its moves, and cannot tell what lies on a board")

    def begin(self, games):
        return GRUGames(self, games)


class GRUGames(Playing):
    """Games with a hidden state each, and how many moves it has heard; the first is the one that begins a game."""

    def __init__(self, policy, games):
        super().__init__(policy)
        self.net, self.game = policy.net, policy.game
        self.hidden, self.heard = torch.zeros(games, WIDTH), np.zeros(games, np.int64)

    def begin_again(self, games):
        self.hidden[games], self.heard[games] = 0.0, 0

    @torch.no_grad()
    def act(self, states, keys, games):
        moves = np.pad(self.lines.moves + 1, ((0, 0), (1, 0)))
        while len(rows := np.flatnonzero(self.heard[games] <= self.lines.lengths)):  # those with a move that it has not heard
            which = games[rows]
            move = torch.as_tensor(moves[rows, self.heard[which]], dtype=torch.int64)[:, None]
            self.hidden[which] = self.net.hear(move, self.hidden[which][None])[:, 0]
            self.heard[which] += 1
        logits = self.net.head(self.hidden[games]).numpy()
        return np.where(self.game.masks(states), logits, -np.inf).argmax(axis=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="tictactoe")
    parser.add_argument("--teacher", default="perfect", help="a policy's spec (default: perfect)")
    parser.add_argument("--games", type=int, default=20_000, help="games to learn from (default: 20,000)")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    game = ludus.make_game(chosen.game)
    for title, net in (("untrained", Listener(game.num_actions)), ("trained", train(game, chosen.teacher, chosen.games))):
        score = evaluate(GRUPolicy(game, net=net, title=title), game, "random", games=400)
        print(f"{title}: {score.wins} won, {score.draws} drawn, {score.losses} lost against random")
