"""Networks of one's own for AlphaZero, named as `module:function`; some are none."""

import torch


class TwoHeads(torch.nn.Module):
    """Logits and values in a column, with dropout while it learns."""

    def __init__(self, game):
        super().__init__()
        cells = game.shape[0] * game.shape[1] * game.shape[2]
        self.body = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(cells, 32), torch.nn.ReLU(), torch.nn.Dropout(0.2))
        self.logits, self.value = torch.nn.Linear(32, game.num_actions), torch.nn.Linear(32, 1)

    def forward(self, planes):
        seen = self.body(planes)
        return self.logits(seen), torch.tanh(self.value(seen))


class OneHead(TwoHeads):
    def forward(self, planes):
        return self.logits(self.body(planes))


class Flat(TwoHeads):
    def forward(self, planes):
        return super().forward(planes.flatten())


def double(game):
    return TwoHeads(game).double()


def none(game):
    return None
