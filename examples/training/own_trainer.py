"""A trainer of your own: policy gradients (REINFORCE) with a small network, against any policy.

In the folder of this file `ludus --import own_trainer train reinforce tictactoe --run runs/mine` trains it, `--resume runs/mine`
resumes it, and `run:runs/mine` plays. Measuring, checkpoints, plots and `ludus export` are those of all trainers.

Source: Williams: Simple statistical gradient-following algorithms for connectionist reinforcement learning, 1992.
"""

from dataclasses import dataclass

import torch

import ludus
from ludus.baselines import Execution, NetworkTrainer, Settings, train
from ludus.envs.vector import BoardsEnv

BOARDS, PLIES, DISCOUNT = 256, 16, 0.9


@dataclass(frozen=True)
class ReinforceSettings(Settings):
    """Settings: the number of actions, on all boards together; the learning rate; the spec of the opponent."""

    steps: int = 200_000
    rate: float = 1.0
    opponent: str = "random"


@ludus.register_trainer
class Reinforce(NetworkTrainer[ReinforceSettings]):
    """Learns by policy gradients."""

    name, settings_class, unit = "reinforce", ReinforceSettings, "steps"

    @classmethod
    def new_network(cls, game, settings):
        size = torch.zeros(game.shape).numel()
        hidden, last = torch.nn.Linear(size, 64), torch.nn.Linear(64, game.num_actions)
        return torch.nn.Sequential(torch.nn.Flatten(), hidden, torch.nn.ReLU(), last)

    def advance(self):
        """Plays a part from new games on, and takes one step along the gradient: so the weights are all of the state."""
        key = (self.seed + self._done) % 2**63
        envs = BoardsEnv(BOARDS, self.game, opponent=self.settings.opponent, autoreset_mode="SameStep", arrays="torch")
        (observation, _), draws = envs.reset(seed=key), torch.Generator().manual_seed(key)
        steps, value, loss = [], torch.zeros(BOARDS), torch.zeros(())
        for _ in range(PLIES):
            logits = self.net(observation["observation"].float()).masked_fill(observation["action_mask"] == 0, -1e9)
            actions = torch.multinomial(logits.softmax(1), 1, generator=draws)
            observation, rewards, terminated, truncated, _ = envs.step(actions.flatten())
            steps.append((logits.log_softmax(1).gather(1, actions).flatten(), rewards.float(), terminated | truncated))
        for chances, rewards, ended in reversed(steps):
            value = torch.where(ended, rewards, DISCOUNT * value)  # 0 in games that go on after the part
            loss = loss - (chances * value).mean() / PLIES
        self.net.zero_grad()
        loss.backward()
        torch.optim.SGD(self.net.parameters(), self.settings.rate).step()
        self._done += BOARDS * PLIES
        rewards, ended = (torch.stack(part) for part in list(zip(*steps, strict=True))[1:])
        return {"loss": float(loss.detach()), "mean result": float(rewards.sum() / ended.sum().clamp(min=1))}


if __name__ == "__main__":
    torch.set_num_threads(1)  # fastest for small networks
    watch = Execution(watch=lambda run: print(run.rows[-1]) if run.parts % 20 == 0 else None)
    print(train("reinforce", "tictactoe", seed=1, execution=watch))
