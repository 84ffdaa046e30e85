"""Loads the policies and networks of runs, and of models that Stable-Baselines3 saved; and exports networks as ONNX.

A run consists of JSON and arrays, and its trainer is looked up by name. So loading a run from a stranger runs none of their code.

An exported file takes `planes`, float32 (B, C, H, W), of any number of positions at a time, and gives what `Trainer.outputs` names.
Who plays applies the masks: the scores of illegal actions mean nothing. The metadata of the ONNX model say what the network plays.
"""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ... import __version__
from ...agents.policy import Policy
from ...agents.registry import POLICIES
from ...core.files.writing import check_target, making_whole, path_of
from ...core.numbers import several
from ...core.plugins import RefusedSpecError, UntrustedSpec
from ...core.plugins.loading import check_installed, libraries, load_object
from ...core.specs import quote, settings_in
from ...games.game import Game
from .folder import Folder, folder_of
from .plan import RunPlan
from .registry import EXTRAS, TRAINER_CLASSES, trainer_class


def load_run(folder: str | Path, game: Game, options: Mapping[str, str], *, trust: bool = False) -> Policy:
    """The policy of a run at its last checkpoint, for the game that it has learnt, with settings of the policy as text.

    Code that the run names runs only with `trust`, which only a policy made of other policies needs. ValueError where it is not a
    run, or of another game, or damaged; an option is unknown; or it needs untrusted code.
    """
    path = path_of(folder)
    run = Folder.open(path, trust=trust)
    plan = run.plan
    if plan.game != game:
        raise ValueError(f"the run {folder} has learnt {plan.game}; it does not play {game}")
    trainer, learnt = trainer_class(plan.trainer), run.learnt()
    try:
        policy = trainer.policy_of(plan.game, plan.settings, learnt)
    except RefusedSpecError:
        raise
    except ValueError as error:
        raise ValueError(f"{run.policy} does not fit its run: {error}; {run.how_to_repair(run.policy)}") from None
    title = f"run:{quote(str(path))}"
    if options:
        usual, policy = policy, trainer.policy_of(plan.game, plan.settings, learnt, **options)
        given = {name: getattr(policy, name, text) for name, text in options.items()}
        others = {name: value for name, value in given.items() if getattr(usual, name, None) != value}
        title = ",".join([title, *settings_in(others)])
    return policy.with_title(title)


def load_network(run: str | Path, *, trust: bool = False) -> Any:
    """The network of a run at its last checkpoint: a `torch.nn.Module` of its own, as `Run.network` gives it.

    Args:
        run: the folder of the run, as `run:DIR` or `DIR`.
        trust: whether code that the run names may run, as the function that makes a network of one's own.

    Raises:
        ValueError: it is not a run, or is damaged; its trainer has no network of torch; or it needs untrusted code, or a library
            that is not installed.
    """
    folder = Folder.open(folder_of(run), trust=trust)
    plan = folder.plan
    return trainer_class(plan.trainer).network_of(plan.game, plan.settings, folder.learnt())


def game_of_run(folder: str | Path) -> Game:
    """The game that a run has learnt; ValueError if it is not a run."""
    return Folder.open(path_of(folder)).plan.game


def is_foreign_run(folder: str | Path) -> bool:
    """Whether the trainer of a run does not come with ludus, or its settings name code, as a network of one's own; ValueError
    if it is not a run."""
    plan = Folder.open(path_of(folder)).plan
    named = [value for value in plan.settings.by_name().values() if isinstance(value, (str, UntrustedSpec))]
    in_settings = any(isinstance(value, UntrustedSpec) or POLICIES.is_foreign(value) for value in named)
    return in_settings or TRAINER_CLASSES.is_foreign(plan.trainer)


def load_model(file: str, game: Game, options: Mapping[str, str]) -> Policy:
    """The policy of a trusted model that Stable-Baselines3 saved for this game, as for `load_zip`; ValueError where it is not
    installed."""
    with libraries("a model of Stable-Baselines3", EXTRAS):
        return load_object("ludus.baselines.sb3.zips:load_zip")(file, game, options)


# ---- networks as ONNX


@dataclass(frozen=True)
class ExportedNetwork:
    """The result of an export: the plan of the run, how many numbers its network has learnt, and the file that was written."""

    plan: RunPlan
    parameters: int
    file: Path

    def document(self) -> dict[str, Any]:
        """The result as JSON."""
        return {"files": [str(self.file)], "parameters": self.parameters, **interface_of(self.plan)}

    def __str__(self) -> str:
        shape, outputs = " × ".join(map(str, self.plan.game.shape)), " and ".join(interface_of(self.plan)["outputs"])
        what = f"The network of {self.plan.trainer} for {self.plan.game}, {several(self.parameters, 'parameter')}"
        return f"{what}: from planes, float32, batch × {shape}, to {outputs}; written to {self.file}"


def interface_of(plan: RunPlan) -> dict[str, Any]:
    """The metadata of a file: what the network in it plays."""
    game, outputs = plan.game, [*trainer_class(plan.trainer).outputs]
    facts = {"game": game.spec, "trainer": plan.trainer, "planes": [*game.shape], "actions": game.num_actions, "outputs": outputs}
    return {**facts, "ludus": __version__}


def export_network(run: str | Path, *, onnx: str | Path, trust: bool = False) -> ExportedNetwork:
    """Writes the network of a run as ONNX, by torch's exporter.

    Args:
        run: the folder of the run, as `run:DIR` or `DIR`.
        onnx: the file to write.
        trust: whether code that the run names may run, as the function that makes a network of one's own.

    Raises:
        ValueError: the run has no network of torch; a library is not installed; or torch cannot write such a network.
        OSError: the file cannot be written.
    """
    file = path_of(onnx)
    with libraries("the network of a run", "rl"):
        import torch
    check_installed("a file of ONNX", "onnx")
    check_target(file, stream=False)
    net, plan = load_network(run, trust=trust), Folder.open(folder_of(run), trust=trust).plan
    interface = interface_of(plan)
    with making_whole(file) as partial, _torch_errors(file):
        program: Any = torch.onnx.export(
            net,
            (torch.zeros(2, *plan.game.shape),),
            dynamo=True,
            verbose=False,
            input_names=["planes"],
            output_names=interface["outputs"],
            dynamic_shapes=({0: torch.export.Dim("batch")},),
        )
        program.model.metadata_props.update({name: json.dumps(fact) for name, fact in interface.items()})
        program.save(str(partial), external_data=False)
    return ExportedNetwork(plan, sum(weights.numel() for weights in net.parameters()), file)


@contextmanager
def _torch_errors(file: Path) -> Generator[None]:
    """Silences torch, which warns of its own changes, and says in a sentence what it cannot write."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except OSError:
        raise
    except Exception as error:  # torch raises many kinds
        why = " ".join(str(error).split())[:300]
        raise ValueError(f"torch cannot write this network to {file}: {why}") from error
    finally:
        logger.setLevel(level)
