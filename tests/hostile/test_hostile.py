"""Every command that takes a file is run on every file of a hostile folder: nothing runs, leaks, grows or breaks."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludus
from ludus.cli import main

from ..helpers.training.pictures import no_pictures
from .folder import GAME, HTML, build
from .words import SECRET

Place = tuple[Path, Path, list[Path]]
"""The folder, the file outside of it, and all that lies in the folder."""
WAYS = {
    "a saved game": ["play", "--load", "{}"],
    "an opponent": ["play", GAME, "--against", "{}"],
    "a run to play against": ["play", GAME, "--against", "run:{}"],
    "a table to play against": ["play", GAME, "--against", "table:path={}"],
    "a model to play against": ["play", GAME, "--against", "sb3:{}"],
    "a game": ["perft", "{}", "1"],
    "a store to go on with": ["arena", "--resume", "{}", "--report", "../new/page.html"],
    "a protocol": ["arena", "--protocol", "{}", "--policies", "random", "--store", "../new/a.sqlite"],
    "games": ["replay", "{}"],
    "one game": ["replay", "{}", "--pairing", "0", "--game", "0", "--json"],
    "games to write": ["replay", "{}", "--export", "../new/games.csv"],
    "games to write with what was said": ["replay", "{}", "--export", "../new/games.jsonl"],
    "one game to print": ["replay", "{}", "--pairing", "0", "--game", "0"],
    "games to convert": ["convert", "{}", "../new/games.pgn"],
    "positions to solve": ["solve", GAME, "{}"],
    "a policy to grade": ["grade", GAME, "--policy", "run:{}", "--games", "2", "--moves", "2"],
    "a run to go on with": ["train", "--resume", "{}"],
    "a run to learn on from": ["train", "--from", "{}", "--run", "../new/run", "--games", "10", "--evaluate-every", "never"],
    "data to check": ["check-data", "{}"],
    "stocks": ["puzzle", "portfolio:path={}", "--solvers", "genetic:calls=10"],
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The folder, the file outside of it, and all that lies in the folder."""
    place = tmp_path_factory.mktemp("place")
    folder, outside = place / "hostile", place / "outside.csv"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        no_pictures(patch)
        patch.chdir(folder)
        return folder, outside, build(folder, outside)


@pytest.fixture
def standing_there(hostile: Place, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Path]]:
    """The hostile folder is the current one, and a folder for what commands write lies beside it."""
    folder, outside, _ = hostile
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "evil", raising=False)  # which another test may have left
    monkeypatch.setattr("builtins.input", _quit)
    no_pictures(monkeypatch)
    (folder.parent / "new").mkdir(exist_ok=True)
    yield folder, outside
    ludus.set_threads(None)


@pytest.mark.parametrize("way", WAYS)
def test_every_file_is_refused_or_harmless(
    way: str, hostile: Place, standing_there: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
):
    folder, outside = standing_there
    before = _size(folder)
    paths = [path for path in hostile[2] if way != "a model to play against" or path.suffix == ".zip"]  # each takes a process
    for path in paths:
        name = path.name
        try:
            status = main([word.format(name) for word in WAYS[way]])
        except SystemExit as leaving:  # of argparse
            status = leaving.code
        printed = "".join(capsys.readouterr())
        assert status in (0, 2) or (status, way) == (1, "data to check"), f"{name}: {printed}"
        assert "\x1b" not in printed, f"{name}: {printed}"
        assert "traceback" not in printed.lower(), f"{name}: {printed}"
        assert SECRET not in printed or path.is_symlink(), f"{name}: {printed}"  # who names a link reads what it leads to
        assert not (folder / "executed").exists(), f"{name}: {printed}"
        assert "evil" not in sys.modules, f"{name}: {printed}"
        assert outside.read_text() == f"{SECRET},1,2\n", name
        _clear(folder.parent / "new")
    assert _size(folder) < before + (1 << 22)


def _quit(_: str = "") -> str:
    return "quit"


def _clear(folder: Path) -> None:
    """Removes what a command has written, after a look at its pages."""
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert SECRET.encode() not in content, path
            assert path.suffix != ".html" or HTML.encode() not in content, path
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


def _size(folder: Path) -> int:
    """How many bytes lie in a folder."""
    return sum(path.lstat().st_size for path in Path(folder).rglob("*"))
