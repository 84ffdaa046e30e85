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


def test_pyright_resolves_an_editable_install(installed: Path, tmp_path: Path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "basic"}')
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", str(installed), "script.py"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert 'Type of "ludus.make_game("nim")" is "Game"' in printed
    assert 'Type of "quarto_v0.env()" is "AECGame"' in printed
    assert '"make_gane" is not a known attribute of module "ludus"' in printed
    assert "1 error" in printed


def test_mypy_resolves_an_editable_install(installed: Path, tmp_path: Path):
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "mypy", "--python-executable", str(installed), "--cache-dir", str(tmp_path), "script.py"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert 'Revealed type is "ludus.games.game.Game"' in printed
    assert 'Revealed type is "ludus.envs.aec.AECGame"' in printed
    assert 'no attribute "make_gane"' in printed
    assert "Found 1 error" in printed
