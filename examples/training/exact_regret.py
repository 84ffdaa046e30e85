"""Does exact regret teach a small language model more than the results of games? A transformer that reads and writes characters.

It first learns the form of answers from random legal moves, so that it plays like one who knows only the rules. Then it learns by
policy gradients over groups of answers: an answer counts by how much more than its group it is rewarded (GRPO, Shao et al. 2024,
arXiv 2402.03300, without dividing by the deviation, Liu et al. 2025, arXiv 2503.20783). Runs differ by the reward alone, at the
same number of answers:

    result       of a game against perfect play, which its answers share; a group is games from one position
    regret       1, less a half for each point of value that the move loses; a group is answers to one position
    over_floor   the same, over what random legal moves lose in this position
    by_distance  as regret, less what a move delays a win or hastens a loss

    python examples/training/exact_regret.py quixo:size=3 --reward regret --seed 0 --answers 200000 --out runs/exact-regret

A run that was stopped goes on. The value lost by a move is exact, in expectation over the model's answers, in held-out positions
that share no symmetry with those that it learns from; answers without a legal move lose the game.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import ludus
from ludus.arena.data.exact.collecting import Sampling, Span, collect
from ludus.arena.data.exact.solving import is_for_test
from ludus.oracles import make_oracle
from ludus.oracles.statespace.canonical import canonical_observations
from ludus.rewards import REWARDS, score

EMPTIES = {"quarto": Span(0, 6)}  # cells that are empty, where the oracle searches
BATCH, GROUP, LONGEST_GAME = 512, 8, 20  # answers of a step; answers to a position, or games from it; answers of a game
MARKS = (0, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)  # answers after which it is measured
WIDTH, LAYERS, HEADS = 64, 2, 4


class Block(nn.Module):
    """A layer of a transformer; a cache has the keys and values of the characters before."""

    def __init__(self) -> None:
        super().__init__()
        self.before_attention, self.before_mlp = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attend, self.combine = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x: Tensor, cache: Tensor | None) -> tuple[Tensor, Tensor]:
        batch, length, width = x.shape
        parts = self.attend(self.before_attention(x)).view(batch, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        seen = parts[1:] if cache is None else torch.cat([cache, parts[1:]], dim=3)
        attended = F.scaled_dot_product_attention(parts[0], seen[0], seen[1], is_causal=cache is None)
        x = x + self.combine(attended.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.before_mlp(x)), seen


class Model(nn.Module):
    """A transformer over characters, for questions of one length."""

    def __init__(self, characters: str, question: int, longest_answer: int) -> None:
        super().__init__()
        self.longest_answer = longest_answer
        self.characters, self.numbers = characters, {character: i for i, character in enumerate(characters)}
        self.embed, self.places = nn.Embedding(len(characters), WIDTH), nn.Embedding(question + longest_answer, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.read = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, len(characters)))

    def forward(self, tokens: Tensor, caches: list[Tensor] | None = None, start: int = 0) -> tuple[Tensor, list[Tensor]]:
        """The logits of the next character after each one (B, L, V), and the caches."""
        x = self.embed(tokens) + self.places(torch.arange(start, start + tokens.shape[1]))
        seen = list[Tensor]()
        for i, block in enumerate(self.blocks):
            x, cache = block(x, None if caches is None else caches[i])
            seen.append(cache)
        return self.read(x), seen

    def encode(self, texts: list[str]) -> Tensor:
        """Texts of one length as numbers of characters (B, L)."""
        return torch.tensor([[self.numbers[character] for character in text] for text in texts])

    @torch.no_grad()
    def answer(self, questions: Tensor, generator: torch.Generator) -> Tensor:
        """An answer to each question, character by character (B, A)."""
        logits, caches = self(questions)
        written = list[Tensor]()
        for i in range(self.longest_answer):
            written.append(torch.multinomial(logits[:, -1].softmax(-1), 1, generator=generator))
            logits, caches = self(written[-1], caches, questions.shape[1] + i)
        return torch.cat(written, dim=1)

    def log_likelihood(self, questions: Tensor, answers: Tensor) -> Tensor:
        """The logarithm of how likely each answer is, up to the end of its line (B,)."""
        logits, _ = self(torch.cat([questions, answers[:, :-1]], dim=1))
        chances = logits[:, questions.shape[1] - 1 :].log_softmax(-1).gather(2, answers[:, :, None])[:, :, 0]
        ends = (answers == self.numbers["\n"]).long()
        return (chances * (ends.cumsum(1) - ends == 0)).sum(1)


class Positions:
    """The positions of a game: those to learn from, and those held out with the value of each legal move."""

    def __init__(self, spec: str, count: int = 4000) -> None:
        self.game = ludus.make_game(spec)
        self.oracle, self.perfect = make_oracle(self.game), ludus.make_policy("perfect", self.game)
        solved = collect(self.oracle, Sampling(count, seed=1, empties=EMPTIES.get(self.game.name)))
        self.train, self.test = solved.states[~solved.test], solved.states[solved.test]
        self.rows, self.actions = np.nonzero(self.game.masks(self.test))  # all legal moves of held-out positions
        self.before = self.oracle.values(self.test).astype(np.float64)
        self.lost = self.before[self.rows] - self.oracle.action_values(self.test[self.rows], self.actions).values

    def draw(self, count: int, random: np.random.Generator) -> np.ndarray:
        """Positions to learn from, each turned or mirrored in a random way (B, W)."""
        states = self.train[random.integers(len(self.train), size=count)]
        return self.game.permuted(states, random.integers(len(self.game.symmetries.cells), size=count))

    def question(self, state: np.ndarray) -> str:
        """A position as the model reads it; after it comes the move."""
        return f"{self.game.text(state)}\n"

    @property
    def floor(self) -> float:
        """The value that a random legal move loses in held-out positions."""
        return float(np.mean(np.bincount(self.rows, self.lost) / np.bincount(self.rows)))

    @torch.no_grad()
    def value_lost(self, model: Model) -> dict[str, float]:
        """What the model's answers lose in held-out positions, in expectation; and how likely they are legal moves."""
        questions = model.encode([self.question(state) for state in self.test])[self.rows]
        answers = model.encode([self.game.moves[action].ljust(model.longest_answer, "\n") for action in self.actions])
        parts = zip(questions.split(BATCH), answers.split(BATCH), strict=True)
        chances = torch.cat([model.log_likelihood(*part).exp() for part in parts]).numpy()
        legal = np.bincount(self.rows, chances)
        lost = np.bincount(self.rows, chances * self.lost) + (1 - legal) * (self.before + 1)
        return {"lost": round(float(lost.mean()), 5), "legal": round(float(legal.mean()), 5)}


class Answers(NamedTuple):
    """Questions (B, L), the answers to them (B, A), and what these are rewarded (B,), beside the mean of the group."""

    questions: Tensor
    answers: Tensor
    rewards: np.ndarray
    means: np.ndarray


Choose = Callable[[np.ndarray], tuple[Tensor, Tensor, list[str]]]  # returns the questions, the answers and their texts


class Learning:
    """A run: the model, its optimizer, its randomness, and its curve so far."""

    def __init__(self, positions: Positions, reward: str, seed: int) -> None:
        torch.manual_seed(seed)
        self.reward: Any = reward
        self.positions, self.game = positions, positions.game
        question = positions.question(self.game.start)
        characters = {*"0123456789abcdef-XO \n", *question, *"".join(self.game.moves)}
        self.model = Model("".join(sorted(characters)), len(question), 1 + max(map(len, self.game.moves)))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.generator, self.random = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
        self.actions = {move: action for action, move in enumerate(self.game.moves)}
        self.collect = self.play_games if reward == "result" else self.answer_positions
        self.answers, self.steps, self.curve = 0, 0, list[dict[str, float]]()

    def ask(self, states: np.ndarray) -> tuple[Tensor, Tensor, list[str]]:
        """The model's answers."""
        questions = self.model.encode([*map(self.positions.question, states)])
        answers = self.model.answer(questions, self.generator)
        return questions, answers, ["".join(self.model.characters[i] for i in row).partition("\n")[0] for row in answers.tolist()]

    def choose_randomly(self, states: np.ndarray) -> tuple[Tensor, Tensor, list[str]]:
        """Random legal moves."""
        texts = [self.game.moves[self.random.choice(self.game.legal_actions(state))] for state in states]
        lines = [text.ljust(self.model.longest_answer, "\n") for text in texts]
        return self.model.encode([*map(self.positions.question, states)]), self.model.encode(lines), texts

    def answer_positions(self, choose: Choose) -> Answers:
        """Answers to positions, each rewarded for what it loses."""
        states = np.repeat(self.positions.draw(BATCH // GROUP, self.random), GROUP, axis=0)
        questions, answers, texts = choose(states)
        scores = score(self.game, states, [f"<move>{text}</move>" for text in texts], floor=self.reward == "over_floor")
        rewards = np.array([one.reward_by(self.reward) for one in scores], np.float64)
        return Answers(questions, answers, rewards, np.repeat(rewards.reshape(-1, GROUP).mean(1), GROUP))

    def play_games(self, choose: Choose) -> Answers:
        """Games against perfect play, a group of them from each position, until there are enough answers."""
        parts, enough = list[Answers](), BATCH - BATCH // 4
        while sum(len(part.rewards) for part in parts) < enough:
            states = np.repeat(self.positions.draw(GROUP // 2, self.random), GROUP, axis=0)
            seats, results = self.game.players(states), np.full(len(states), np.nan)
            moves = list[tuple[np.ndarray, Tensor, Tensor]]()
            for _ in range(LONGEST_GAME):
                rows = np.flatnonzero(np.isnan(results))
                if len(rows):
                    questions, answers, texts = choose(states[rows])
                    distinct, which = np.unique(states[rows], axis=0, return_inverse=True)
                    held_out = is_for_test(canonical_observations(self.game, distinct))[which.ravel()]
                    learnt = np.flatnonzero(~held_out).tolist()
                    moves.append((rows[learnt], questions[learnt], answers[learnt]))
                    self.play(states, results, seats, rows, texts)
            rewards, (rows, questions, answers) = np.nan_to_num((1 + results) / 2, nan=0.5), zip(*moves, strict=True)
            which, means = np.concatenate(rows), np.repeat(rewards.reshape(-1, GROUP).mean(1), GROUP)
            parts.append(Answers(torch.cat(questions), torch.cat(answers), rewards[which], means[which]))
        questions, answers, rewards, means = zip(*parts, strict=True)
        return Answers(torch.cat(questions), torch.cat(answers), np.concatenate(rewards), np.concatenate(means))

    def play(self, states: np.ndarray, results: np.ndarray, seats: np.ndarray, rows: np.ndarray, texts: list[str]) -> None:
        """Plays the answers, and lets perfect play reply until it is the model's turn; an answer that is no legal move loses."""
        actions = np.array([self.actions.get(text, -1) for text in texts])
        legal = (actions >= 0) & (self.game.masks(states[rows])[np.arange(len(rows)), actions] == 1)
        results[rows[~legal]] = -1
        rows, actions = rows[legal], actions[legal]
        while len(rows):
            states[rows] = self.game.plays(states[rows], actions)
            outcomes = self.game.outcomes(states[rows])
            over = outcomes != 2
            results[rows[over]] = np.where(seats[rows[over]] == 0, 1, -1) * outcomes[over]
            rows = rows[~over & (self.game.players(states[rows]) != seats[rows])]
            if len(rows):
                actions = self.positions.perfect.act(states[rows], self.random.integers(2**63, size=len(rows)).astype(np.uint64))

    def learn_form(self, steps: int) -> None:
        """Learns to answer with any legal move."""
        while self.steps < steps:
            questions, answers, _ = self.choose_randomly(self.positions.draw(BATCH, self.random))
            self.step(-self.model.log_likelihood(questions, answers).mean())

    def learn_play(self) -> None:
        """One step of learning by the reward."""
        questions, answers, rewards, means = self.collect(self.ask)
        better = torch.tensor(rewards - means, dtype=torch.float32)
        self.step(-(better * self.model.log_likelihood(questions, answers)).mean())
        self.answers += len(rewards)

    def step(self, loss: Tensor) -> None:
        """Follows the gradient of a loss."""
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1

    def save(self, path: Path) -> None:
        """Writes all that a run needs to go on as if it had not stopped."""
        parts = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
        randomness = {"generator": self.generator.get_state(), "random": self.random.bit_generator.state}
        progress = {"answers": self.answers, "steps": self.steps, "curve": self.curve}
        torch.save(parts | randomness | progress, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)

    def load(self, path: Path) -> None:
        """Goes on where a run stopped."""
        state = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.generator.set_state(state["generator"])
        self.random.bit_generator.state = state["random"]
        self.answers, self.steps, self.curve = state["answers"], state["steps"], state["curve"]


def learn(positions: Positions, reward: str, seed: int, answers: int, folder: Path, form_steps: int = 600) -> Learning:
    """A run, or the rest of one, with its curve: the number of answers, and what they lose then. Runs of a seed start alike."""
    run, start = Learning(positions, reward, seed), f"{positions.game}-{seed}".replace(":", "-")
    form, path = folder / f"{start}.pt", folder / f"{start}-{reward}.pt"
    folder.mkdir(parents=True, exist_ok=True)
    if not form.exists():
        run.learn_form(form_steps)
        run.save(form)
    run.load(path if path.exists() else form)
    run.optimizer.param_groups[0]["lr"] = 5e-4  # half of before: results and regrets are noisier than moves
    for mark in [*(mark for mark in MARKS if mark < answers), answers]:
        while run.answers < mark:
            run.learn_play()
            if run.steps % 50 == 0:
                run.save(path)
        if not run.curve or run.curve[-1]["mark"] < mark:
            run.curve.append({"mark": mark, "answers": run.answers, **positions.value_lost(run.model)})
            print(run.curve[-1], flush=True)
            run.save(path)
    return run


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="learns by the results of games or by regret")
    parser.add_argument("game", nargs="?", default="tictactoe")
    parser.add_argument("--reward", choices=["result", *REWARDS], default="regret")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--answers", type=int, default=20_000)
    parser.add_argument("--form-steps", type=int, default=600)
    parser.add_argument("--out", type=Path, default=Path("runs/exact-regret"))
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    known = Positions(chosen.game)
    print(f"Random legal moves lose {known.floor:.3f} in {len(known.test)} held-out positions.")
    learn(known, chosen.reward, chosen.seed, chosen.answers, chosen.out, chosen.form_steps)
