"""Tools that make shipped data make what ships: puzzles, frozen sets, openings, books, networks and the numbers of patterns."""

import json
import random
import sys
from dataclasses import replace

import numpy as np
import pytest

import ludus
from benchmarks.making import books, frozen_sets, networks, only_moves, othello_patterns, suites
from benchmarks.making.othello_book import back_up, grow_book
from benchmarks.making.othello_patterns import Examples, Round, features_of, learn
from ludus.baselines import train
from ludus.baselines.alphazero.networks.shipped import files_of, load_shipped_network
from ludus.games.evaluation import PLAIN
from ludus.games.quixo import Quixo
from ludus.games.tictactoe import TicTacToe
from ludus.oracles.book import forget_books
from ludus.oracles.connect_four.book import ConnectFourBook
from ludus.oracles.statespace.canonical import canonical
from ludus.records.only_moves import LEVELS, puzzles_of, read_only_moves
from ludus.search.patterns.evaluation import LENGTHS, MOVES, SIZE, STAGES, STARTS, mirror_classes, stage_of
from ludus.text.bench.sets import FROZEN, frozen_set
from ludus.text.bench.sets.frozen import FOLDER

from ..helpers.games import keys, positions
from ..helpers.training.alphazero import NEVER, TINY

OTHELLO = ludus.make_game("othello")


# ---- puzzles

SOME = 8
"""Puzzles of each game that the oracle is asked about; `python -m benchmarks.making.only_moves --check` asks about all."""


@pytest.mark.parametrize("spec", only_moves.PLIES)
def test_exactly_one_move_wins_and_no_two_puzzles_are_symmetric(spec):
    game = ludus.make_game(spec)
    puzzles = puzzles_of(game)
    assert only_moves.faults_of(game, random.Random(spec).sample(puzzles, min(SOME, len(puzzles)))) == []
    states = np.array([game.parse(puzzle.position) for puzzle in puzzles])
    assert len(np.unique(canonical(game, states)[0], axis=0)) == len(puzzles)
    assert {*game.players(states)} == ({0} if game.name == "nim" else {0, 1})  # the text of Nim's positions says no player
    assert 1 <= puzzles[0].level <= puzzles[-1].level <= LEVELS
    assert [*puzzles] == only_moves.in_order(game, reversed(puzzles))
    assert len(puzzles) <= sum(only_moves.SHARES)


def test_the_tool_makes_what_ships_and_a_wrong_answer_is_noticed(tmp_path, monkeypatch):
    game = ludus.make_game("tictactoe")
    shipped = puzzles_of(game)
    monkeypatch.setattr(TicTacToe, "known", replace(TicTacToe.known, puzzles=tmp_path))
    only_moves.make_puzzles(["tictactoe"], seed=1)
    assert read_only_moves((tmp_path / "tictactoe.puzzles").read_text()) == shipped
    first, second, *_ = shipped
    (fault,) = only_moves.faults_of(game, [first, second._replace(distance=7)])
    assert second.position in fault


# ---- frozen sets, openings and books


def test_the_card_says_what_the_frozen_sets_hold():
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert card == frozen_sets.card({spec: frozen_set(spec) for spec in FROZEN})


@pytest.mark.parametrize("spec", ["nim", "tictactoe"])
def test_frozen_sets_are_made_again_byte_by_byte(spec):
    assert frozen_sets.make(spec).lines == frozen_set(spec).lines


def test_the_named_suites_are_made_anew(tmp_path, monkeypatch):
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


def test_the_tool_ships_the_whole_book(tmp_path, monkeypatch, capsys):
    game, build = ludus.make_game("connect_four:rows=4,columns=4"), ConnectFourBook.build
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(ConnectFourBook, "usual", 6)
    monkeypatch.setattr(ConnectFourBook, "path", lambda game: tmp_path / "shipped.book")
    monkeypatch.setattr(ConnectFourBook, "build", lambda game, watch: build(game, None, watch, table_bits=12))
    monkeypatch.setattr(sys, "argv", ["books", game.spec])
    forget_books()
    books.main()
    layer = next(layer for discs, layer in enumerate(ConnectFourBook.layers(game)) if discs == 6)
    assert f"{len(layer):,} of {len(layer):,} positions are known" in capsys.readouterr().out
    assert ConnectFourBook.of(game).placed == 6
    forget_books()


# ---- networks


def test_a_finished_run_can_be_shipped_and_measured_again(tmp_path, monkeypatch):
    monkeypatch.setattr(Quixo, "known", replace(Quixo.known, networks=tmp_path / "trained"))
    monkeypatch.setattr(networks, "GAMES", 4)
    load_shipped_network.cache_clear()
    train("alphazero", "quixo:size=3", tmp_path / "a", measure=NEVER, **TINY)
    run = train("alphazero", "quixo:size=3", tmp_path / "b", start_from=f"run:{tmp_path / 'a'}", measure=NEVER, rate=0.0001)
    networks.ship_network(tmp_path / "b")
    states = positions(ludus.make_game("quixo:size=3"), 20)
    mine, theirs = (ludus.make_policy(spec, "quixo:size=3") for spec in (f"run:{tmp_path / 'b'}", "alphazero"))
    assert (mine.act(states, keys(20)) == theirs.act(states, keys(20))).all()
    how = files_of(theirs.game)[1]
    made = json.loads(how.read_text())
    assert made["without search"] == networks.without_search(theirs.game, theirs.evaluate)
    assert (made["from"]["run"], made["from"]["checksum"]) == (str(tmp_path / "a"), run.plan.origin.checksum)
    assert made["from"]["done"] == TINY["positions"]
    how.write_text(json.dumps(made | {"without search": {}}))
    networks.measure_again(run.plan.game)
    assert json.loads(how.read_text()) == made
    load_shipped_network.cache_clear()


def test_a_run_of_another_trainer_is_not_shipped(tmp_path):
    train("qlearning", "nim", tmp_path / "q", games=10, measure=NEVER)
    with pytest.raises(ValueError, match="not a finished run"):
        networks.ship_network(tmp_path / "q")


# ---- the numbers of Othello's patterns


def test_each_place_has_a_number_and_its_mirror_image_the_same():
    same, states = mirror_classes(), positions(OTHELLO, 60)
    assert (same[same] == same).all()
    for family, (start, length) in enumerate(zip(STARTS, LENGTHS, strict=True)):
        different = len(np.unique(same[start : start + 3**length]))
        # what a mirror image leaves as it is: the cells on the axis, and one of each pair
        fixed = {0: 3**5, 1: 3**10, 2: 3**6}.get(family, 3 ** ((length + 1) // 2))
        assert different == (3**length + fixed) // 2
    assert (same[MOVES:] == np.arange(MOVES, SIZE)).all()
    turned = OTHELLO.permuted(states, np.full(len(states), 3))
    np.testing.assert_array_equal(np.sort(features_of(states)), np.sort(features_of(turned)))


def test_a_round_learns_all_stages_the_same_each_time(monkeypatch):
    monkeypatch.setattr(othello_patterns, "STEPS", 2)
    nothing = [list[Examples]() for _ in range(STAGES)]
    (examples, tables), (_, again) = (learn(Round(60, 1, 40, (1, 2)), PLAIN, 1, nothing) for _ in range(2))
    assert [stage_of(int(each.states[0, 0] | each.states[0, 1]).bit_count()) for each in examples] == [*range(STAGES)]
    np.testing.assert_array_equal(again, tables)
