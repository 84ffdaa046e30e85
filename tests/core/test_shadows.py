"""The folder that one stands in hides no library: it is looked at last, and for modules that the user names alone."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from ludus.agents.registry import POLICIES
from ludus.arena.store.store import Store
from ludus.baselines import Measure, train
from ludus.core.plugins import load_code, places, plug_in

from ..helpers.training.pictures import no_pictures

LIBRARIES = ("cloudpickle", "gymnasium", "jinja2", "llvmlite", "msgspec", "numpy", "pettingzoo", "rich", "scipy", "torch")
DRIVER = """
import json, sys
from ludus.cli import main

for words in json.loads(sys.argv.pop()):
    sys.argv[1:] = words
    print("exit of", words[0], main(), flush=True)
"""
"""As the script `ludus` calls it, one command after another."""
NIM = "nim:heaps=1+2"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A run's folder with a package in it for each library, which leaves its name in `shadows` where it is imported."""
    no_pictures(monkeypatch)
    here = tmp_path / "run"
    train("qlearning", NIM, here, measure=Measure("never"), games=10)
    for name in LIBRARIES:
        (here / name).mkdir()
        (here / name / "__init__.py").write_text(f"open({str(tmp_path / 'shadows')!r}, 'a').write({name!r} + ' ')\n1 / 0\n")
    (here / "late.py").write_text("def first(masks): return masks.argmax(1)\n")
    (here / "mine.py").write_text("def f(observations, masks):\n    import late\n    return late.first(masks)\n")
    return here


def test_commands_in_a_strangers_folder_import_nothing_that_lies_there(folder, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "ludus-script").write_text(DRIVER)
    commands = [
        ["play", NIM, "--against", "run:.", "--seat", "1"],
        ["arena", NIM, "--policies", "random", "run:.", "--games", "2", "--store", "../a.sqlite"],
        ["replay", "../a.sqlite", "--json"],
        ["puzzle", "setcover:items=6", "--solvers", "greedy", "--report", "../p.html"],
        ["grade", NIM, "--policy", "run:.", "--games", "2"],
        ["train", "--resume", "."],
        ["arena", NIM, "--policies", "random", "mine:f", "--games", "2", "--workers", "2", "--store", "../b.sqlite", "--no-report"],
    ]
    script = [sys.executable, str(tmp_path / "bin" / "ludus-script"), json.dumps(commands)]
    done = subprocess.run(script, cwd=folder, input="quit\n", capture_output=True, text=True, check=False)
    assert not (tmp_path / "shadows").exists(), (tmp_path / "shadows").read_text()
    assert done.returncode == 0, done.stderr
    assert re.findall(r"exit of (\w+ \d+)", done.stdout) == [f"{words[0]} 0" for words in commands]
    assert not any(record.reason for record in Store.open(tmp_path / "b.sqlite").records())  # what `mine` imports late was found


# ---- modules that the user names


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with modules to stand in; what is imported from it is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(places, "_plugged_in", {})
    loaded = {*sys.modules}
    yield tmp_path
    for name in {*sys.modules} - loaded:
        del sys.modules[name]


def test_a_module_in_the_current_folder_is_found_with_its_neighbours(here):
    (here / "lying_here.py").write_text(
        "import beside_it\n\nvalue = 5\n\n\ndef late():\n    import later\n    return later.value\n"
    )
    (here / "beside_it.py").write_text("")
    (here / "later.py").write_text("value = 7\n")
    before = [*sys.path]
    assert load_code("lying_here:value") == 5
    assert load_code("lying_here:late")() == 7
    plug_in("lying_here")
    assert sys.path == [*before, str(here)]  # at the end, where it hides no library


def test_what_a_folder_says_that_is_installed_there_is_not_loaded_where_the_user_names_a_module_in_it(here):
    (here / "of_mine.py").write_text("value = 5\n")
    (here / "evil_package.py").write_text("open('executed', 'w')\n")
    (here / "evil-1.dist-info").mkdir()
    (here / "evil-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1\n")
    (here / "evil-1.dist-info" / "entry_points.txt").write_text("[ludus.policies]\nevil = evil_package:Evil\n")
    plug_in("of_mine")
    assert load_code("of_mine:value") == 5
    assert str(here) in sys.path
    assert "evil" not in POLICIES.names()
    assert not POLICIES.has("evil")
    assert not (here / "executed").exists()


def test_a_module_that_is_installed_comes_before_one_of_its_name_in_the_current_folder(here, monkeypatch):
    (here / "site").mkdir()
    monkeypatch.syspath_prepend(here / "site")
    (here / "site" / "of_two.py").write_text("value = 'installed'\n")
    (here / "of_two.py").write_text("value = 'here'\n")
    before = [*sys.path]
    assert load_code("of_two:value") == "installed"
    assert sys.path == before
    with pytest.raises(ValueError, match=r"the module 'of_two' has no 'other' \(it is .*site.of_two\.py\)"):
        load_code("of_two:other")


def test_a_module_that_is_nowhere_is_an_error_also_in_a_folder_that_was_deleted(here, monkeypatch):
    before = [*sys.path]
    for place in (here, here / "gone"):
        place.mkdir(exist_ok=True)
        monkeypatch.chdir(place)
        shutil.rmtree(here / "gone", ignore_errors=True)
        with pytest.raises(ValueError, match="the module 'no_such' could not be imported"):
            load_code("no_such:value")
        assert sys.path == before
