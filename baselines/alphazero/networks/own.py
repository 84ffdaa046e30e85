"""A network of one's own: a function `factory(game)`, named as `module:function`, that returns a module of torch.

    def factory(game):
        return TwoHeads(game.shape, game.num_actions)    # planes, float32 (B, C, H, W) → logits (B, A), values (B,) or (B, 1)

A run has the name alone: who opens a run of somebody else decides whether that code runs (core/plugins/trust.py).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from ....core.errors import describe_error
from ....core.numbers import short_repr
from ....core.plugins import UntrustedSpec, load_code, parse_code
from ....games.game import Game


def check_factory(name: str | UntrustedSpec | None) -> None:
    """Raises ValueError unless a setting names a function, or none; it is not imported."""
    if name is None or isinstance(name, UntrustedSpec):
        return
    code = parse_code(name) if isinstance(name, str) else None
    if code is None or code.settings:
        raise ValueError(
            f"network is {short_repr(name)}; it must be none, or name a function of the game that makes a network, as"
            " module:function"
        )


def make_own_net(name: str | UntrustedSpec, game: Game) -> nn.Module:
    """A network of the function of this name, by the present state of torch's generator. ValueError where a file names it and
    nobody trusts it, there is no such function, or what it makes is not a network for the game."""
    code = parse_code(name)
    assert code is not None  # the settings have checked it
    factory = load_code(code.name)
    try:
        net: Any = factory(game)
    except Exception as error:  # a stranger's function may raise anything
        raise ValueError(f"{code.name} made no network for {game}: {describe_error(error)}") from error
    if not isinstance(net, nn.Module):
        raise ValueError(f"{code.name} gave {short_repr(net)} for {game}; it must give a torch.nn.Module")
    if odd := [key for key, weights in net.named_parameters() if weights.dtype != torch.float32]:
        raise ValueError(f"{code.name} made a network whose {odd[0]} is not float32; AlphaZero learns in float32")
    _check_answers(net, code.name, game)
    return net


def _check_answers(net: nn.Module, name: str, game: Game) -> None:
    """Raises ValueError unless a network, called with the planes of two positions, gives logits and values."""
    planes = torch.from_numpy(
        game.observations(game.start[None].repeat(2, axis=0), game.players(game.start[None].repeat(2, axis=0)))
    )
    modes = [(part, part.training) for part in net.modules()]
    try:
        with torch.no_grad():
            answer = net.eval()(planes.float())
    except Exception as error:  # a stranger's network may raise anything
        raise ValueError(f"the network of {name} fails on planes {(2, *game.shape)} of {game}: {error!r}") from error
    finally:
        for part, training in modes:
            part.training = training
    shapes = [tuple(part.shape) for part in answer] if isinstance(answer, tuple) else type(answer).__name__
    if not isinstance(answer, tuple) or len(answer) != 2 or shapes[0] != (2, game.num_actions) or shapes[1] not in ((2,), (2, 1)):
        raise ValueError(
            f"the network of {name} gave {shapes} for planes {(2, *game.shape)} of {game}; it must give a tuple of logits"
            f" {(2, game.num_actions)} and values (2,) or (2, 1)"
        )
