"""The oracle of Quixo: its tables against a slow twin, published numbers and the rules; its files; endings on 5×5 by search."""

import logging
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.core.native import cache
from ludus.envs import set_threads
from ludus.oracles import UNKNOWN, Solution, files
from ludus.oracles.quixo import QuixoOracle, endings, retrograde
from ludus.search import Watch

from ..helpers.system.processes import run
from ..naive.quixo import Quixo as Naive

THREE, FOUR, FIVE = (ludus.make_game("quixo", size=size) for size in (3, 4, 5))
KERNELS = cache.folder() / "kernels"


def use_folder(patch: pytest.MonkeyPatch, folder: Path) -> Path:
    """Moves the cache to a folder with no tables, but the kernels there are; gives where the table of 3×3 would lie."""
    patch.setenv("LUDUS_CACHE", str(folder))
    KERNELS.mkdir(parents=True, exist_ok=True)
    (folder / "kernels").symlink_to(KERNELS)
    return folder / "tables" / "quixo-3.table"


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory):
    """The tables of this file lie in a folder of its own, and are made there once."""
    place = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        use_folder(patch, place)
        yield place


@pytest.fixture
def file(tmp_path, monkeypatch):
    """The file of a table of 3×3 that is not there yet."""
    return use_folder(monkeypatch, tmp_path)


def random_boards(game, count, seed=0):
    """States whose cells are X, O or blank at random (B, 1), either player to move."""
    rng = np.random.default_rng(seed)
    cells = rng.integers(3, size=(count, game.size**2), dtype=np.uint64)
    powers = np.uint64(1) << np.arange(game.size**2, dtype=np.uint64)
    x, o = ((cells == 2) * powers).sum(axis=1), ((cells == 0) * powers).sum(axis=1)
    words = x | o << np.uint64(32) | np.uint64(game.size << 26) | rng.integers(2, size=count, dtype=np.uint64) << np.uint64(25)
    return words[:, None]


def every_reply(game, states):
    """The row and action of every action in these states, and the states they lead to."""
    rows, actions = np.nonzero(game.masks(states))
    return rows, actions, game.plays(states[rows], actions)


# ---- against a twin, and what is published


def naive_solutions():
    """Value and distance of all boards of 3×3, seen by X to move: decided one ply further from the end at a time."""
    boards = [Naive([[*cells[:3]], [*cells[3:6]], [*cells[6:]]]) for cells in product("-XO", repeat=9)]
    found = {board.text(): (board.outcome()[0], 0) for board in boards if board.outcome()}
    replies = {
        board.text(): {board.play(move).text().translate(str.maketrans("XO", "OX")) for move in board.legal()}
        for board in boards
        if board.text() not in found
    }
    distance = 0
    while replies:
        distance += 1
        decided = {}
        for board, after in replies.items():
            if any(found.get(reply, (0, 0))[0] == -1 for reply in after):
                decided[board] = (1, distance)
            elif all(found.get(reply, (0, 0))[0] == 1 for reply in after):
                decided[board] = (-1, distance)
        assert decided, "some board of 3×3 is drawn"
        found |= decided
        replies = {board: after for board, after in replies.items() if board not in decided}
    return found


def test_every_board_of_3x3_is_as_a_slow_twin_says():
    expected = naive_solutions()
    assert len(expected) == 3**9
    oracle, turned = QuixoOracle(THREE), [text.translate(str.maketrans("XO", "OX")) for text in expected]
    for texts in (expected, turned):
        states = np.array([THREE.parse(text) for text in texts])
        assert [*zip(oracle.values(states).tolist(), oracle.distances(states).tolist(), strict=True)] == [*expected.values()]


def test_3x3_is_a_win_in_7_plies():
    # Counts: all 3^9 boards for the side to move; "Quixo is solved" (arXiv 2007.15895): a first-player win.
    oracle = QuixoOracle(THREE)
    assert oracle.counts() == (12748, 6935, 0)
    assert oracle.solve(THREE.start) == Solution(1, tuple(range(20)), 7)


def test_4x4_is_a_win_in_21_plies_and_every_first_move_wins():
    oracle = QuixoOracle(FOUR)  # "Quixo is solved" (arXiv 2007.15895): a first-player win
    # Counted from this table once every board in it had been held to the rules as the boards below are.
    assert oracle.counts() == (26434489, 15003736, 1608496)
    assert oracle.solve(FOUR.start) == Solution(1, tuple(range(32)), 21)
    assert {reported.value for reported in oracle.after(FOUR.start).values()} == {1}


# ---- against the rules


@pytest.mark.parametrize("game", [THREE, FOUR], ids=str)
def test_values_and_distances_follow_from_those_one_ply_later(game):
    oracle, states = QuixoOracle(game), random_boards(game, 20000)
    values, distances = oracle.values(states), oracle.distances(states)
    results = game.outcomes(states) * (1 - 2 * game.players(states))
    over = game.outcomes(states) != 2
    assert np.array_equal(values[over], results[over])
    assert not distances[over].any()

    rows, _, after = every_reply(game, states)
    their_values, their_distances = oracle.values(after), oracle.distances(after)
    soonest, latest, drawn = np.full(len(states), 1000), np.full(len(states), -1), np.zeros(len(states), bool)
    np.minimum.at(soonest, rows[their_values == -1], their_distances[their_values == -1])
    np.maximum.at(latest, rows[their_values == 1], their_distances[their_values == 1])
    drawn[rows[their_values == 0]] = True
    wins = soonest < 1000
    expected = np.where(wins, 1, np.where(drawn, 0, -1))
    assert np.array_equal(values[~over], expected[~over])
    assert np.array_equal(distances[~over], np.where(wins, soonest + 1, np.where(drawn, -1, latest + 1))[~over])
    assert set(values.tolist()) == ({1, -1} if game.size == 3 else {1, 0, -1})


def test_one_thread_makes_the_same_table_as_several():
    try:
        set_threads(3)
        several = retrograde.file_of(4).table()
        set_threads(1)
        assert np.array_equal(retrograde.solve_size(4, Watch()), several)
    finally:
        set_threads(None)


# ---- the file


def test_a_table_is_kept_and_mapped_by_another_process(folder):
    QuixoOracle(FOUR).counts()
    program = """
import ludus
from ludus.oracles.quixo import QuixoOracle, retrograde
retrograde.solve_size = None  # this process cannot make one
oracle = QuixoOracle(ludus.make_game("quixo", size=4))
entries = retrograde.file_of(4).table()
print(oracle.counts(), oracle.solve(oracle.game.start).distance, entries.flags.writeable, entries.flags.owndata)
"""
    assert (folder / "tables" / "quixo-4.table").stat().st_size == 16 + 3**16
    said = run("-c", program, cwd=folder, LUDUS_CACHE=folder)
    assert said.split("\n")[-2] == "(26434489, 15003736, 1608496) 21 False False"


def test_a_damaged_or_half_written_file_is_named_and_made_again(file, monkeypatch, caplog):
    oracle = QuixoOracle(THREE)
    oracle.counts()
    content = file.read_bytes()
    for bad, why in ((content[:17] + bytes([content[17] ^ 4]) + content[18:], "checksum"), (content[:-1], "wrong length")):
        file.unlink()
        file.write_bytes(bad)
        monkeypatch.setattr(files, "_open", {})
        caplog.clear()
        assert oracle.solve(THREE.start).distance == 7
        assert [record.levelno for record in caplog.records] == [logging.WARNING]
        assert str(file) in caplog.text
        assert why in caplog.text
        assert file.read_bytes() == content
        assert [*file.parent.iterdir()] == [file]
    monkeypatch.setattr(files, "_open", {})
    caplog.clear()
    assert oracle.counts() == (12748, 6935, 0)
    assert not caplog.records


def test_a_limit_of_nodes_leaves_no_table_and_no_answer(file):
    oracle, watch = QuixoOracle(THREE), Watch(nodes=10**6)
    assert oracle.solve(THREE.start, Watch(nodes=1000)) == UNKNOWN
    assert oracle.counts(Watch(nodes=1)) is None
    assert not file.exists()
    assert oracle.solve(THREE.start, watch).value == 1
    # Boards of 3×3 up to symmetry: Burnside, (3^9 + 3^5 + 2 · 3^3 + 4 · 3^6) / 8.
    assert (watch.words[2:].tolist(), watch.fraction) == ([2862, 2862], 1)
    assert file.exists()
    assert oracle.solve(THREE.start, Watch(nodes=1)).value == 1


# ---- endings by search


@pytest.mark.parametrize("game", [THREE, FOUR], ids=str)
def test_endings_by_search_are_as_in_the_tables(game):
    oracle, answers = QuixoOracle(game), np.zeros(2**10, np.uint64)
    states = random_boards(game, 400, seed=4)
    states = states[game.outcomes(states) == 2]
    values, distances, words = oracle.values(states), oracle.distances(states), Watch().words
    rows, actions, after = every_reply(game, states)
    sooner = np.where(oracle.values(after) == -1, oracle.distances(after) + 1, 1000)
    for plies in range(1, 7):
        for row, state in enumerate(states):
            winning = game.kernel(endings.winning_actions)(state, plies, answers, words)
            assert winning == sum(1 << int(a) for a in actions[(rows == row) & (sooner <= plies)])
            lost = game.kernel(endings.is_lost)(state, plies, answers, words)
            assert lost == (values[row] == -1 and distances[row] <= plies)


def test_of_5x5_the_start_is_unknown_and_what_is_over_is_known():
    oracle = QuixoOracle(FIVE)
    with pytest.raises(ValueError, match="not 5×5"):
        oracle.counts()
    assert oracle.solve(FIVE.start) == UNKNOWN
    assert not oracle.reaches(FIVE.start)
    watch = Watch(nodes=100_000)
    assert oracle.solve(FIVE.start, watch) == UNKNOWN
    assert watch.stopped
    assert set(oracle.after(FIVE.start)) == set(range(44))
    over = FIVE.parse("XXXXX" + "O" * 4 + "-" * 16 + " O")
    assert oracle.reaches(over)
    assert oracle.solve(over) == oracle.solve(over, Watch(nodes=1)) == Solution(-1, (), 0)
