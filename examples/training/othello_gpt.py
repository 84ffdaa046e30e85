"""A transformer that sees nothing but moves learns the rules of Othello, and a linear probe reads the board out of it.

It is trained to guess the next move of random games, plays in the arena by the moves that it sees, and is probed for the board
beside one of untrained weights. A probe is a linear map from what the transformer makes of the moves to the kind of each cell.
Li et al., Emergent World Representations (ICLR 2023), with Nanda et al.'s cells as the player to move sees them (arXiv 2309.00941).

python examples/training/othello_gpt.py --size 6 --steps 6000
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import ludus
from ludus.agents import SequencePolicy
from ludus.arena import evaluate
from ludus.data import ManyGames, games

BATCH, WIDTH, HEADS, LAYERS, RATE = 64, 64, 4, 4, 2e-3
EPOCHS, PROBE_RATE = 4, 3e-3


class Block(nn.Module):
    """Each move looks at those before it, and then thinks for itself."""

    def __init__(self):
        super().__init__()
        self.before_looking, self.before_thinking = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.look, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.think = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        queries, keys, values = self.look(self.before_looking(x)).unflatten(-1, (3, HEADS, -1)).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        return x + self.think(self.before_thinking(x))


class MovesGPT(nn.Module):
    """From the moves of games to logits of the next move, before the first move and after each (B, L + 1, A)."""

    def __init__(self, actions: int, plies: int):
        super().__init__()
        self.moves, self.places = nn.Embedding(actions + 1, WIDTH), nn.Embedding(plies + 1, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.last, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, actions)
        for table in (self.moves, self.places):
            nn.init.normal_(table.weight, std=0.02)

    def layers(self, moves):
        """What each layer makes of moves (B, L), int64, -1 after their ends: LAYERS + 1 tensors (B, L + 1, WIDTH)."""
        tokens = F.pad(moves + 1, (1, 0))  # 0 begins a game; what follows its end is not looked at by what comes before
        made = [self.moves(tokens) + self.places.weight[: tokens.shape[1]]]
        for block in self.blocks:
            made.append(block(made[-1]))
        return made

    def forward(self, moves):
        return self.head(self.last(self.layers(moves)[-1]))


def new_net(game: ludus.Game) -> MovesGPT:
    torch.manual_seed(0)
    return MovesGPT(game.num_actions, 2 * game.num_cells)


def train(net: MovesGPT, many: ManyGames, steps: int, report: Callable[[int], object]) -> None:
    """Steps on as many batches, so that no game comes up twice if there are enough."""
    optimizer = torch.optim.AdamW(net.parameters(), RATE)
    warm = max(1, steps // 20)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm, 0.05 + 0.475 * (1 + np.cos(np.pi * step / steps)))
    )
    for step in range(steps):
        rows = np.arange(step * BATCH, (step + 1) * BATCH) % len(many)
        moves = torch.as_tensor(many.moves(rows)[:, : many.lengths(rows).max()], dtype=torch.int64)
        loss = F.cross_entropy(net(moves[:, :-1]).flatten(0, 1), moves.flatten(), ignore_index=-1)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if (step + 1) % max(1, steps // 10) == 0:
            report(step + 1)


@torch.no_grad()
def legal_share(net: MovesGPT, many: ManyGames) -> float:
    """In how many positions of some games the likeliest move is legal."""
    moves, states = many.moves(range(len(many))), many.states(range(len(many)))[:, :-1]
    likeliest = net(torch.as_tensor(moves[:, :-1], dtype=torch.int64)).argmax(-1).numpy()
    return float(many.game.masks(states[moves >= 0])[np.arange((moves >= 0).sum()), likeliest[moves >= 0]].mean())


@dataclass(frozen=True, eq=False)
class GPTPolicy(SequencePolicy):
    """Plays the likeliest legal move after the line so far; or the likeliest of all, and loses the game where that is not legal."""

    name: ClassVar[str] = "gpt"
    net: MovesGPT = field(repr=False, kw_only=True)
    masked: bool = True

    @torch.no_grad()
    def act_on(self, states, keys, lines):
        if (lines.starts != self.game.start).any():
            raise ValueError("it knows games by their moves from the start, and cannot tell what lies on a board")
        logits = self.net(torch.as_tensor(lines.moves, dtype=torch.int64))[np.arange(len(states)), lines.lengths].numpy()
        return np.where(self.game.masks(states) | (not self.masked), logits, -np.inf).argmax(axis=1)


def cells_of(many: ManyGames) -> np.ndarray:
    """The cells before each move (N, L, cells), for the player to move: 0 empty, 1 own, 2 the other's; -1 after the end."""
    game, states = many.game, many.states(range(len(many)))[:, :-1]
    flat = states.reshape(-1, game.num_words)
    planes = game.observations(flat, game.players(flat))[:, :2].reshape(*states.shape[:2], 2, -1)
    cells = planes[:, :, 0] + 2 * planes[:, :, 1]
    return np.where(many.moves(range(len(many)))[..., None] >= 0, cells, -1)


def probe(net: MovesGPT, layer: int, train_on: ManyGames, test_on: ManyGames) -> float:
    """The share of the cells of games that a linear probe of a layer has right, after it has learnt from others."""
    torch.manual_seed(0)
    with torch.no_grad():
        lines = (torch.as_tensor(many.moves(range(len(many))), dtype=torch.int64) for many in (train_on, test_on))
        made, asked = (net.layers(moves[:, :-1])[layer] for moves in lines)
    cells, right = (torch.as_tensor(cells_of(many), dtype=torch.int64) for many in (train_on, test_on))
    made, cells = made[cells[..., 0] >= 0], cells[cells[..., 0] >= 0]
    mean, spread = made.mean(0), made.std(0)
    linear = nn.Linear(WIDTH, 3 * cells.shape[1])
    optimizer = torch.optim.Adam(linear.parameters(), PROBE_RATE)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(made)).split(256):
            logits = linear((made[rows] - mean) / spread).unflatten(-1, (-1, 3))
            loss = F.cross_entropy(logits.flatten(0, 1), cells[rows].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        guesses = linear((asked - mean) / spread).unflatten(-1, (-1, 3)).argmax(-1)
    return float((guesses == right)[right >= 0].float().mean())


def majority(train_on: ManyGames, test_on: ManyGames) -> float:
    """The share of the cells that are what they mostly are at this ply of other games: what one knows without looking."""
    before, after = cells_of(train_on), cells_of(test_on)
    plies = min(before.shape[1], after.shape[1])
    usual = np.stack([(before[:, :plies] == kind).sum(0) for kind in range(3)]).argmax(0)
    return float((after[:, :plies] == usual)[after[:, :plies] >= 0].mean())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=6, help="of the board: 4, 6 or 8 (default: 6)")
    parser.add_argument("--steps", type=int, default=6000, help=f"steps of training, on {BATCH} games each (default: 6000)")
    parser.add_argument("--games", type=int, default=2000, help="games that a probe learns from (default: 2000)")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    game = ludus.make_game("othello", size=chosen.size)
    net, untrained = new_net(game), new_net(game)
    test_on, probe_on = games(game, 1000, seed=1), games(game, chosen.games, seed=2)
    train(net, games(game, chosen.steps * BATCH), chosen.steps, lambda step: print(step, f"{legal_share(net, test_on):.1%} legal"))
    print(evaluate(GPTPolicy(game, net=net), game, "random", games=200))
    print(f"the board: {probe(net, LAYERS - 1, probe_on, test_on):.1%} of the cells by a linear probe,")
    print(f"{probe(untrained, LAYERS - 1, probe_on, test_on):.1%} by one of untrained weights,")
    print(f"{majority(probe_on, test_on):.1%} by what is usual at a ply")
