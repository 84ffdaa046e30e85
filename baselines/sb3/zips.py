"""`sb3:FILE.zip,trust=true`: a model that somebody saved with Stable-Baselines3, as a policy.

Such a file holds Python objects, pickled, and whoever unpickles them runs whatever code they name. So nothing of it is read
unless the spec says that its maker is trusted. A run's folder (`run:DIR`) holds weights and settings alone, and needs no trust.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stable_baselines3.common.save_util import load_from_zip_file
from stable_baselines3.common.utils import ConstantSchedule

from ...agents.policies.policy import Policy
from ...agents.registry import as_policy
from ...envs.games.game import Game
from ...envs.settings.specs import read
from .training import PlayOptions


@dataclass(frozen=True)
class ZipOptions(PlayOptions):
    """What stands behind the file in a spec.

    Args:
        trust: whether to run whatever code the file names.
    """

    trust: bool = False


def load_zip(file: str | Path, game: Game, options: Mapping[str, str]) -> Policy:
    """The policy of a model, by its network; the algorithm that made it does not matter.

    Args:
        file: what `model.save` wrote.
        game: what it is to play: the game that it was trained on.
        options: `trust`, `sample` and `masked`, as text.

    Raises:
        ValueError: it is not trusted, there is no such file, it is no model, or one for other observations or actions; or an
            option is unknown.
    """
    path, chosen = Path(file), ZipOptions(**read(ZipOptions, options, "a model of Stable-Baselines3"))
    if not path.is_file():
        raise ValueError(f"there is no file {path}; a model of Stable-Baselines3 is named as sb3:FILE.zip,trust=true")
    if not zipfile.is_zipfile(path) or "policy.pth" not in zipfile.ZipFile(path).namelist():
        raise ValueError(f"{path} is no model that Stable-Baselines3 saved: there is no policy.pth in it")
    if not chosen.trust:
        raise ValueError(
            f"{path} holds pickled objects, and loading them runs whatever code they name; if you trust whoever made it, say"
            f" sb3:{path},trust=true"
        )
    return as_policy(network_of(path), game, sample=chosen.sample, masked=chosen.masked, name=f"sb3:{file}")


def network_of(path: Path) -> Any:
    """The network of a trusted model, whatever code that runs.

    Raises:
        ValueError: it cannot be put together.
    """
    try:
        data, weights, _ = load_from_zip_file(path, device="cpu")
        assert data is not None
        network = data["policy_class"](
            data["observation_space"], data["action_space"], ConstantSchedule(0.0), **data["policy_kwargs"]
        )
        network.load_state_dict(weights["policy"])
    except Exception as error:  # whatever a stranger's objects come up with
        raise ValueError(f"{path} is no model that this version of Stable-Baselines3 can load: {error!r}") from error
    return network
