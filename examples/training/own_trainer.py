"""A trainer of your own: policy gradients (REINFORCE) with a small network, against any policy.

In the folder of this file `ludus --import own_trainer train reinforce tictactoe --run runs/mine` trains it, `--resume runs/mine`
resumes it, and `run:runs/mine` plays. Measuring, checkpoints, plots and `ludus export` are those of all trainers.

Source: Williams: Simple statistical gradient-following algorithms for connectionist reinforcement learning, 1992.
"""

from dataclasses import dataclass

import torch

import ludus
from ludus.baselines import Execution, Settings, Trainer, train
from ludus.envs.vector import BoardsEnv

BOARDS, PLIES, DISCOUNT = 256, 16, 0.9


@dataclass(frozen=True)
class ReinforceSettings(Settings):
    """Settings of policy gradients.

    Args:
        steps: the number of actions, on all boards together.
        rate: the learning rate.
        opponent: the spec of the policy to learn against.
    """

    steps: int = 200_000
    rate: float = 1.0
    opponent: str = "random"


@ludus.register_trainer
class Reinforce(Trainer[ReinforceSettings]):
    """Learns by policy gradients."""

    name, settings_class, unit, outputs = "reinforce", ReinforceSettings, "steps", ("logits",)
    grows = ()  # no array of the state has another length later

    def __init__(self, game, settings, seed):
        super().__init__(game, settings, seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed % 2**63)
            self.net = new_net(game)
        self.envs = BoardsEnv(BOARDS, game, opponent=settings.opponent, autoreset_mode="SameStep", arrays="torch")

    def advance(self):
        """Plays a part from new games on, and takes one step along the gradient: so the weights are all of the state."""
        key = (self.seed + self._done) % 2**63
        (observation, _), draws = self.envs.reset(seed=key), torch.Generator().manual_seed(key)
        steps, value, loss = [], torch.zeros(BOARDS), torch.zeros(())
        for _ in range(PLIES):
            logits = self.net(observation["observation"].float()).masked_fill(observation["action_mask"] == 0, -1e9)
            actions = torch.multinomial(logits.softmax(1), 1, generator=draws)
            observation, rewards, terminated, truncated, _ = self.envs.step(actions.flatten())
            steps.append((logits.log_softmax(1).gather(1, actions).flatten(), rewards.float(), terminated | truncated))
        for chances, rewards, ended in reversed(steps):
            value = torch.where(ended, rewards, DISCOUNT * value)  # 0 in games that go on after the part
            loss = loss - (chances * value).mean() / PLIES
        self.net.zero_grad()
        loss.backward()
        with torch.no_grad():
            for weights in self.net.parameters():
                weights -= self.settings.rate * weights.grad
        self._done += BOARDS * PLIES
        games = sum(int(ended.sum()) for _, _, ended in steps)
        return {
            "loss": float(loss.detach()),
            "games": games,
            "mean result": sum(float(r.sum()) for _, r, _ in steps) / max(games, 1),
        }

    def learnt(self):
        return {name: weights.detach().numpy().copy() for name, weights in self.net.state_dict().items()}

    def state(self):
        return {"done": torch.tensor([self._done]).numpy(), **self.learnt()}

    def restore(self, state):
        self._done = int(state.pop("done")[0])
        self.net.load_state_dict({name: torch.from_numpy(array) for name, array in state.items()})

    @classmethod
    def network_of(cls, game, settings, learnt):
        net = new_net(game).eval()
        net.load_state_dict({name: torch.from_numpy(array) for name, array in learnt.items()})
        return net

    @classmethod
    def policy_of(cls, game, settings, learnt, **options):
        if options:
            raise ValueError(f"a policy of {cls.name} has no settings, and {', '.join(options)} is given")
        return ludus.as_policy(cls.network_of(game, settings, learnt), game, name=cls.name)


def new_net(game):
    """From planes (B, C, H, W) to logits (B, A)."""
    size = torch.zeros(game.shape).numel()
    return torch.nn.Sequential(
        torch.nn.Flatten(), torch.nn.Linear(size, 64), torch.nn.ReLU(), torch.nn.Linear(64, game.num_actions)
    )


if __name__ == "__main__":
    torch.set_num_threads(1)  # fastest for small networks
    watch = Execution(watch=lambda run: print(run.rows[-1]) if run.parts % 20 == 0 else None)
    print(train("reinforce", "tictactoe", seed=1, execution=watch))
