"""Tools that make shipped data make what ships: frozen sets, suites of openings, the book of Othello."""

from pathlib import Path

import pytest

from benchmarks.making import frozen_sets, suites
from benchmarks.making.othello_book import back_up, grow_book
from ludus.text.bench.sets import FROZEN, frozen_set
from ludus.text.bench.sets.frozen import FOLDER


def test_the_card_says_what_the_frozen_sets_hold():
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert card == frozen_sets.card({spec: frozen_set(spec) for spec in FROZEN})


@pytest.mark.parametrize("spec", ["nim", "tictactoe"])
def test_frozen_sets_are_made_again_byte_by_byte(spec: str):
    assert frozen_sets.make(spec).lines == frozen_set(spec).lines


def test_the_named_suites_are_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shipped = (suites.GAMES / "nim" / "nim.openings").read_text()
    (tmp_path / "nim").mkdir()
    (tmp_path / "nim" / "nim.openings").write_text("\n".join(shipped.splitlines()[:3]))
    monkeypatch.setattr(suites, "GAMES", tmp_path)
    suites.make_suites(["nim"])
    assert (tmp_path / "nim" / "nim.openings").read_text().splitlines()[4:] == shipped.splitlines()[4:]


def test_othellos_book_is_the_same_again_and_its_values_follow_from_each_other():
    first, second = ({name: node.value for name, node in book.items()} for book in (grow_book(60, 500), grow_book(60, 500)))
    assert first == second
    nodes = grow_book(60, 500)
    back_up(nodes)
    assert {name: node.value for name, node in nodes.items()} == first
    assert sum(bool(node.after) for node in nodes.values()) >= 5
