"""Frozen sets of positions: they never change, their values are exact, and what they ask follows from the rules."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.arena.data.exact.files import read_records
from ludus.cli import main
from ludus.games.game import Game
from ludus.oracles import make_oracle
from ludus.text.bench.sets import ASKS, FROZEN, BenchPosition, frozen_set, make_set, position_set
from ludus.text.bench.sets import frozen as frozen_module
from ludus.text.bench.sets.demands import asks_of

from ...helpers.games import positions

CHECKSUMS = {
    "nim": "6477278c7f3a9f882475ca40434bb2785566c006e6caa75cffc72a7ddc6d0e50",
    "tictactoe": "13b5aeba3a010cfd5dfa513f0e620257c0dc5984c88db1b888f7bb39acdd4343",
    "quixo:size=3": "7cbd3d2774f7ba68fac31282d6770a0b404d0a4a548ece50cececa7ea3f4494e",
    "quixo:size=4": "b57d054ccb9706a5e8d0466eb97a3f3bb98fabfa1107eacbfed1336eca2a7044",
    "quarto": "6947be7af4efe924593d686ac3dd5659af23a9c5aae04d1f05f19f02b0bcd75b",
    "othello:size=6": "de97694abf0f821196dab5a431613618c929410647b82d37ad6042231134259e",
    "connect_four": "9140550a53b598a6ef905f0aa0c6a18ae6a1767bdba2673f6635581e556d8b18",
}
"""SHA-256 of the lines of each set: other positions would be a set of another name."""


def some_of(spec: str, count: int = 6) -> tuple[BenchPosition, ...]:
    """The first positions of a frozen set, which are spread as all are."""
    return frozen_set(spec).positions[:count]


def turns(game: Game, state: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """All ways to play a turn: the first action, and the position at the end of the turn."""
    mover, ends = game.player(state), []
    for action in game.legal_actions(state):
        after = game.play(state, action)
        again = game.outcome(after) is None and game.player(after) == mover
        ends += [(action, end) for _, end in turns(game, after)] if again else [(action, after)]
    return ends


def can_win(game: Game, state: np.ndarray) -> bool:
    mover = game.player(state)
    return any((game.outcome(end) or (0, 0))[mover] == 1 for _, end in turns(game, state))


def ask_by_the_rules(game: Game, state: np.ndarray) -> str:
    """What a position asks, turn by turn."""
    if can_win(game, state):
        return "win now"
    mover, saving = game.player(state), set[int]()
    for action, end in turns(game, state):
        outcome = game.outcome(end)
        if outcome[mover] != -1 if outcome else not can_win(game, end):
            saving.add(action)
    return "quiet" if saving == {*game.legal_actions(state)} else "stop a loss"


# ---- the sets that ship


def test_the_frozen_sets_are_the_published_ones():
    assert {spec: frozen_set(spec).checksum for spec in FROZEN} == CHECKSUMS
    assert {(frozen_set(spec).name, len(frozen_set(spec).positions)) for spec in FROZEN} == {("ludus-positions-1", 300)}


@pytest.mark.parametrize("spec", FROZEN)
def test_values_are_the_oracles_and_some_move_loses(spec: str):
    oracle = make_oracle(spec)
    game = oracle.game
    for each in some_of(spec):
        state = game.parse(each.position)
        after = oracle.after(state)
        known = [(game.move_name(action), move.value, move.distance) for action, move in after.items()]
        assert [(move.move, move.value, move.distance) for move in each.moves] == known
        solution = oracle.solve(state)
        assert (each.value, each.distance) == (solution.value, solution.distance)
        assert each.random_loses == sum(each.value - move.value for move in each.moves) / len(each.moves) > 0


@pytest.mark.parametrize("spec", FROZEN)
def test_what_a_position_asks_follows_from_the_rules(spec: str):
    game = ludus.make_game(spec)
    for each in some_of(spec):
        assert each.asks == ask_by_the_rules(game, game.parse(each.position))


@pytest.mark.parametrize("spec", ["nim:misere=true", "quixo:size=3"])
def test_a_move_that_loses_at_once_is_to_be_avoided(spec: str):
    game = ludus.make_game(spec)
    states = positions(game, 40, seed=1)
    asks = asks_of(game, states)
    assert {"stop a loss", "quiet"} <= {*asks}
    assert asks == [ask_by_the_rules(game, state) for state in states]


def test_a_file_that_was_changed_is_refused(monkeypatch: pytest.MonkeyPatch):
    frozen_module._read.cache_clear()
    monkeypatch.setitem(frozen_module.CHECKSUMS, "tictactoe", "0" * 64)
    with pytest.raises(ValueError, match="tictactoe any more: its SHA-256 is another"):
        frozen_set("tictactoe")


# ---- other sets


def test_another_seed_gives_other_positions_in_equal_shares():
    first, second = (make_set("quixo:size=4", 24, seed=seed) for seed in (3, 4))
    assert {each.position for each in first.positions}.isdisjoint(each.position for each in second.positions)
    kinds = zip((each.asks for each in first.positions), first.rules.players(first.states).tolist(), strict=True)
    assert Counter(kinds) == {(ask, player): 4 for ask in ASKS for player in (0, 1)}


def test_own_positions_are_taken_in_their_order_without_those_that_ask_nothing():
    texts = ["XX-OO---- X", "--------- X", "X-XXOXO-O O"]  # at the start every move draws
    own = position_set(ludus.make_game("tictactoe"), texts)
    assert [each.position for each in own.positions] == [texts[0], texts[2]]
    assert [each.asks for each in own.positions] == ["win now", "win now"]
    assert own.left_out == 1


def test_the_command_writes_a_fresh_set_that_the_bench_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "fresh.jsonl"
    assert main(["positions", "quixo:size=3", "--asks", "--count", "12", "--seed", "5", "--out", str(path), "--json"]) == 0
    printed, made = json.loads(capsys.readouterr().out), make_set("quixo:size=3", 12, seed=5)
    assert path.read_bytes() == made.lines
    assert printed["sha256"] == made.checksum
    assert printed["asks"] == Counter(each.asks for each in made.positions)
    assert read_records(path) == (made.rules, [each.position for each in made.positions])
