"""Fingerprints of sources: which changes make a result out of date, and which do not."""

import re
from functools import partial
from pathlib import Path

import pytest

from ..helpers.benchmark import SCRIPT, SOURCE, script

match_sources = script("provenance").match_sources
fingerprint = script("provenance.fingerprint").fingerprint
reached = script("provenance.imports").reached


@pytest.fixture
def tree(tmp_path: Path):
    """A function that writes a source and returns its fingerprint."""
    (tmp_path / "source").mkdir()
    place = tmp_path / "source" / "a.py"

    def of(text: str, name: str = "a.py") -> str:
        place.unlink(missing_ok=True)
        (tmp_path / "source" / name).write_text(text, encoding="utf-8")
        found = fingerprint(tmp_path, ["source"])
        (tmp_path / "source" / name).unlink()
        return found

    return of


GAME = """class Game:
    size = 3

    def __post_init__(self):
        if self.size < 1:
            raise ValueError(f"the size is {self.size}")

    def picture(self, state):
        return "board"

    def _parts(self):
        yield "won"

    def text(self, state):
        return "position"
"""
SAME = [
    ("Twice as much", "Two times"),
    ("# once more", "# again"),
    ('"""What this is."""\n', ""),
    ("from .here import", "from ..there.now import"),
    ("import helper", "import another, helper"),
    ("return helper(x) + x", "return (helper(x)\n            + x)"),
    ('    """Holds."""\n', '    """Holds."""\n\n    """And no more."""\n'),
    ('"board"', '"a board"'),
    ('"won"', '"is won"'),
    ('f"the size is {self.size}"', 'f"{self.size} is too small"'),
]
OTHER = [
    ("LIMIT = 3", "LIMIT = 4"),
    ("+ x", "- x"),
    ("import numpy as np", "import scipy as np"),
    ("size = LIMIT", "size = 1"),
    ("(x):", "(x, y=0):"),
    ("size < 1", "size < 2"),
    ('"position"', '"a position"'),
]
"""Changes of a source that do not and that do change its fingerprint."""


@pytest.mark.parametrize(("was", "now"), SAME + OTHER)
def test_only_changes_of_what_is_computed_change_a_fingerprint(tree, was, now):
    source = SOURCE if was in SOURCE else GAME
    assert source.count(was) == 1
    assert (tree(source.replace(was, now)) == tree(source)) == ((was, now) in SAME)


def test_what_is_shown_counts_where_a_part_is_what_a_command_prints(tmp_path):
    (tmp_path / "rules.py").write_text(GAME)
    before = [fingerprint(tmp_path, ["rules.py"], printed=printed) for printed in (False, True)]
    (tmp_path / "rules.py").write_text(GAME.replace('"won"', '"is won"'))
    after = [fingerprint(tmp_path, ["rules.py"], printed=printed) for printed in (False, True)]
    assert (before[0] == after[0], before[1] == after[1]) == (True, False)


def test_a_file_that_moves_and_definitions_that_change_places_do_not_change_a_fingerprint(tree, tmp_path):
    whole = tree(SOURCE)
    assert tree(SOURCE, "b.py") == whole
    head, middle, end = re.split(r"\n\n\n", SOURCE)
    assert tree(f"{head}\n\n\n{end}\n\n\n{middle}\n") == whole
    (tmp_path / "source" / "sub").mkdir()
    (tmp_path / "source" / "sub" / "part.py").write_text(end)
    assert tree(f"{head}\n\n\n{middle}\n") == whole


def test_other_files_count_by_their_bytes_and_missing_ones_are_named(tmp_path):
    (tmp_path / "weights.npz").write_bytes(b"1")
    before = fingerprint(tmp_path, ["weights.npz"])
    (tmp_path / "weights.npz").write_bytes(b"2")
    assert fingerprint(tmp_path, ["weights.npz"]) != before
    with pytest.raises(ValueError, match=r"the source agents/gone\.py is not in .*; where it was moved or renamed"):
        fingerprint(tmp_path, ["agents/gone.py"])


@pytest.mark.parametrize(
    ("was", "now", "same"),
    [
        ("RUNS = 3", "RUNS = 4", False),
        ("tool(RUNS)", "tool(1)", False),
        ("str(found", "repr(found", True),
        ('"one": measure', '"two": measure', True),
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_of_a_script_only_the_measuring_code_counts(tmp_path, was, now, same, wrapped):
    def measure():
        """Named as in the script."""

    work = partial(lambda: measure()) if wrapped else measure
    place = tmp_path / "script.py"
    place.write_text(SCRIPT)
    before = fingerprint(tmp_path, [], "script.py", work)
    place.write_text(SCRIPT.replace(was, now))
    assert (fingerprint(tmp_path, [], "script.py", work) == before) == same


def test_the_arguments_of_a_part_count(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    given = [fingerprint(tmp_path, [], "script.py", partial(len, value)) for value in ("nim", "nim", "quarto")]
    assert given[0] == given[1] != given[2]


def test_imports_are_followed_into_some_folders_alone(tmp_path):
    sources = {
        "a/first.py": "from .second import x\nfrom ..b import tool\nimport numpy",
        "a/second.py": "def later():\n    from ..b.deep import third",
        "b/__init__.py": "",
        "b/deep/__init__.py": "",
        "b/deep/third.py": "from ...c import far",
        "c/far.py": "",
    }
    for place, text in sources.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text)
    assert reached(tmp_path, ["a/first.py"], ("a", "b")) == ("a/first.py", "a/second.py", "b/__init__.py", "b/deep/third.py")


def test_a_match_depends_on_its_game_its_policies_and_what_they_search_with():
    found = match_sources("tictactoe", "minimax:depth=2")
    assert {"games/tictactoe/rules.py", "agents/minimax.py", "arena/matches/job.py"} <= {*found}
    assert any("alphabeta" in place for place in found)
    assert not any(word in place for word in ("mcts", "quarto", "oracles") for place in found)
    assert {"oracles/quarto/search.py", "oracles/quarto/plain.book"} <= {*match_sources("quarto", "perfect")}
