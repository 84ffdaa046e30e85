"""TorchRL on the AEC environment: one network plays both seats, with masks, and learns from the rewards of both seats (REINFORCE).

TorchRL says by `mask` whose turn it is, and rewards both seats at a game's last step: the loser's -1 arrives. It stumbles over
infos that hold the action mask beside something else: `MaskInObservation` leaves it in the observation alone.

python examples/neighbours/torchrl_aec.py --rounds 50
"""

import argparse

import pettingzoo
import torch
from pettingzoo.utils import BaseWrapper
from tensordict.nn import TensorDictModule, TensorDictSequential
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives.value.functional import reward2go

import ludus
from ludus.arena import evaluate


class MaskInObservation(BaseWrapper):
    @property
    def infos(self):
        return {seat: {"illegal": info["illegal"]} for seat, info in self.env.infos.items()}


def wrapped(name: str) -> PettingZooWrapper:
    return PettingZooWrapper(MaskInObservation(pettingzoo.make("aec", name)), use_mask=True, seed=0)


def actor(net: torch.nn.Module, seat: str) -> ProbabilisticActor:
    """The policy of a seat: masked logits of its observation, and an action drawn from them."""
    logits = TensorDictModule(lambda planes: net(planes.float()), [(seat, "observation", "observation")], [(seat, "logits")])
    keys = {"logits": (seat, "logits"), "mask": (seat, "action_mask")}
    return ProbabilisticActor(logits, keys, [(seat, "action")], distribution_class=MaskedCategorical)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rounds", type=int, default=50, help="number of rounds of 200 steps")
    torch.manual_seed(0)
    env = wrapped("ludus/tictactoe-v0")
    net = torch.nn.Sequential(torch.nn.Flatten(-3), torch.nn.Linear(27, 64), torch.nn.Tanh(), torch.nn.Linear(64, 9))
    actors = {seat: actor(net, seat) for seat in env.group_map}
    optimizer = torch.optim.Adam(net.parameters(), 1e-2)
    for _ in range(arguments.parse_args().rounds):
        with torch.no_grad():
            played = env.rollout(200, TensorDictSequential(*actors.values()), break_when_any_done=False)
        loss = torch.zeros(())
        for seat, player in actors.items():
            returns = reward2go(played["next", seat, "reward"], played["next", seat, "done"], gamma=1.0, time_dim=0)
            own = played[seat, "mask"].squeeze(-1)
            chances = player.get_dist(played[own]).log_prob(played[own][seat, "action"])
            loss = loss - (chances * returns[own].flatten(1)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(repr(evaluate(ludus.as_policy(net, "tictactoe", name="TorchRL"), "tictactoe", "random", games=1000, opening_plies=0)))
