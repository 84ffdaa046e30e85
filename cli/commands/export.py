"""`ludus export RUN --onnx FILE`: writes the network of a run for other programs."""

from __future__ import annotations

import argparse

from ...baselines.runs.loading import export_network
from ..terminal.options import pathname
from ..terminal.output import show


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("folder", metavar="RUN", help="folder of the run, as run:DIR or DIR")
    add("--onnx", action=pathname(), metavar="FILE", required=True, help="file to write as ONNX, for example for onnxruntime")
    add("--trust", action="store_true", help="allow code named in the run to run, as the function that makes its network")


def run(chosen: argparse.Namespace) -> None:
    """Writes the network."""
    show(export_network(chosen.folder, onnx=chosen.onnx, trust=chosen.trust), chosen.json)
