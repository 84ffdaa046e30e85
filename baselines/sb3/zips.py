"""`sb3:FILE.zip,trust=true`: a model that somebody saved with Stable-Baselines3, as a policy.

Such a file holds pickled Python objects, and unpickling runs whatever code they name. So the file is read only if the spec says
that it is trusted. A run's folder (`run:DIR`) holds only weights and settings, and needs no trust.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from stable_baselines3.common.save_util import load_from_zip_file
from stable_baselines3.common.utils import ConstantSchedule

from ...agents.policy import Policy
from ...agents.registry import as_policy
from ...core.files.reading import open_regular
from ...core.files.writing import path_of
from ...core.specs import quote, read
from ...games.game import Game
from .training import PlayOptions


@dataclass(frozen=True)
class ZipOptions(PlayOptions):
    """The options after the file in a spec.

    Args:
        trust: whether code that the file names may run.
    """

    trust: bool = False


def load_zip(file: str | Path, game: Game, options: Mapping[str, str]) -> Policy:
    """The policy of a model for this game by its network, whatever algorithm made it; options are those of `ZipOptions`, as text.
    ValueError where it is not trusted, there is no such file, it is no model, or one for other observations or actions; or an
    option is unknown."""
    path, chosen = path_of(file), ZipOptions(**read(ZipOptions, options, "a model of Stable-Baselines3"))
    spec = f"sb3:{quote(str(path))}"
    try:
        open_regular(path).close()
    except OSError as error:
        raise ValueError(f"{error}; a model of Stable-Baselines3 is named as sb3:FILE.zip,trust=true") from None
    if not zipfile.is_zipfile(path) or "policy.pth" not in zipfile.ZipFile(path).namelist():
        raise ValueError(f"{path} is not a model that Stable-Baselines3 saved: it has no policy.pth")
    if not chosen.trust:
        raise ValueError(f"loading {path} runs whatever code it names; if you trust whoever made it, say {spec},trust=true")
    try:
        data, weights, _ = load_from_zip_file(path, device="cpu")
        assert data is not None
        spaces = data["observation_space"], data["action_space"]
        network = data["policy_class"](*spaces, ConstantSchedule(0.0), **data["policy_kwargs"])
        network.load_state_dict(weights["policy"])
    except Exception as error:  # a stranger's objects may raise anything
        raise ValueError(f"{path} is not a model that this version of Stable-Baselines3 can load: {error!r}") from error
    return as_policy(network, game, sample=chosen.sample, masked=chosen.masked, name=spec)
