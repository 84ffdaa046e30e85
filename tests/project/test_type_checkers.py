"""Type checkers find ludus in an editable install as described in docs/environments.md, and know its types."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from ..helpers.system.processes import checkout, run

SCRIPT = """
import ludus
from ludus import quarto_v0
reveal_type(ludus.make_game("nim"))
reveal_type(quarto_v0.env())
ludus.make_gane
"""
BUILD = "import sys, setuptools.build_meta as build; build.build_editable(sys.argv[1], {'editable_mode': 'strict'})"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment where ludus is installed as by `pip install -e . --config-settings editable_mode=strict`."""
    place = tmp_path_factory.mktemp("editable")
    source = checkout(place / "source")
    run("-c", BUILD, place, cwd=source)
    venv.create(place / "env")
    (wheel,) = place.glob("*.whl")
    packages = next((place / "env").glob("[Ll]ib*/**/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    return next((place / "env").glob("[bS]*/python*"))


CHECKERS = {
    # checker: what it is called with, and what it says
    "basedpyright": (
        "--pythonpath",
        ['make_game("nim")" is "Game"', 'env()" is "AECGame"', '"make_gane" is not', "1 error"],
    ),
    "mypy": ("--python-executable", ['"ludus.games.game.Game"', '"ludus.envs.aec.AECGame"', 'no attribute "make_gane"', "1 error"]),
}


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_type_checker_resolves_an_editable_install(checker: str, installed: Path, tmp_path: Path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "basic"}')
    option, words = CHECKERS[checker]
    command = [sys.executable, "-m", checker, option, str(installed), "script.py"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert all(word in printed for word in words), printed
