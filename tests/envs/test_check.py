"""`ludus check`: a correct game passes, and every fault planted in it is found, with the function and line at fault."""

import importlib
import importlib.util
import json
import sys
from dataclasses import replace

import numpy as np
import pytest

import ludus
from ludus.envs.check import check_game
from ludus.games.registry import GAMES

from ..helpers.system.processes import OUTSIDE

SOURCE = (OUTSIDE / "small_game.py").read_text()
FAULTS = {
    "a name of two words": ('str] = "small"', 'str] = "a small game"', "the form", "name"),
    "a move's name twice": ('tuple("abcdef")', 'tuple("abcdea")', "a name of its own", "moves"),
    "a word too few": ("return (0,)\n", "return ()\n", "as many 64-bit words", "start_words"),
    "a symmetry that is not a permutation": (" 0]", " 1]", "is a permutation", "symmetries"),
    "a variant that does not exist": ("= (name,)", '= (name, "small:size=3")', "Every variant", "variants"),
    "a class that can be changed": ("@dataclass(frozen=True)\n", "", "frozen", "SmallGame"),
    "a method forgotten": ("def picture(", "def drawn(", "every method", "SmallGame"),
    "the turn does not pass": (" ^ (ONE << TURN),)", ",)", "Both players get to move", "player"),
    "a player 2": ("return number(state[0] >> TURN)", "return 2 * number(state[0] >> TURN)", "0 or 1", "player"),
    "an action that does not exist": ("0b111111", "0b1111111", "one of the game's actions", "legal"),
    "an illegal action is legal": ("(state[0] | (state[0] >> u64(8)))", "state[0]", "after a legal action", "legal"),
    "a game without an end": ("0 if legal(state, 0) == u64(0) else ", "", "unfinished game has a legal action", "outcome"),
    "a result of 5": ("        return -1\n", "        return 5\n", "or player 0's result", "outcome"),
    "a plane with a 2": ("planes[2] = 1", "planes[2] = 2", "0 and 1 alone", "observe"),
    "a plane not written": ("    planes[2] = 1\n", "", "writes every cell", "observe"),
    "a cell beyond the plane": ("planes[1, cell] =", "planes[1, cell + 1] =", "every cell", "observe"),
    "a loop that never ends": ("return cells", "while cells != u64(0): pass\n    return cells", "comes to an end", "three"),
    "a word that is not a word": ("moved,", "number(moved),", "give a state", "permute"),
    "an opening that is not a position": ("return (0,)\n", "return (1,)\n", "The start", "text"),
    "permute forgets a colour": ("u64(0b1_0000_0001)", "u64(1)", "actions[a]", "permute"),
    "permute exchanges the players": ("moved,", "moved if cells[0] == 0 else moved ^ u64(1 << 16),", "keeps the player", "permute"),
    "actions that are not turned": (" cells)", " cells[[0, 0]])", "`permute(play", "permute"),
    "types that do not fit": ("bit(", "u64(0) if action > 2 else 'b'\n    mark = bit(", "compiles", "play"),
    "a text that loses a word": ("{'XO'[int(state[0]) >> 16]}\"", 'X"', "after a legal action", "text"),
    "parse that forgets who moves": (" | turn << 16]", "]", "read again", "parse"),
    "marks that nobody sees": ("has(state[0], 8 * (1 - seat) + cell)", "0", "nothing is hidden", "observe"),
    "parse takes anything": ('or turn != cells.count("X") - cells.count("O")', "", "read as it stands, or refused", "parse"),
    "parse breaks on bad text": ("len", "cells[0] == '' or len", "or refused", "parse"),
    "a drawing that is not well-formed": ("return pen.finish()", "return pen.finish()[:-1]", "well-formed", "svg"),
    "a drawing that fails": ("pen.text(40 * cell", "pen.text(40 / (cell - 3)", "SVG", "svg"),
    "cells that are clicked in the same place": ("Box(40 * action,", "Box(0,", "takes that action", "clicks"),
    "an empty picture": ("f\"{'", "'' and f\"{'", "picture is text", "picture"),
}
"""Faults planted in the small game: what it has, what takes its place, the fact that it breaks, and the function at fault."""
LINES = {
    "a name of two words": "a small game",
    "a move's name twice": "def moves|@cached_property",
    "a word too few": "@property",
    "a symmetry that is not a permutation": "@cached_property",
    "a variant that does not exist": "small:size=3",
    "a class that can be changed": "class SmallGame",
    "a method forgotten": "class SmallGame",
    "a cell beyond the plane": "planes[1, cell + 1]",
    "a loop that never ends": "while cells|pass",
    "types that do not fit": "'b'",
    "a drawing that fails": "40 / (cell - 3)",
}
"""What stands in the line that is named, where it is not the one that defines the function."""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """Where kernels of the small game are kept, and not among the user's."""
    return str(tmp_path_factory.mktemp("kernels"))


@pytest.fixture
def game_from(tmp_path, monkeypatch, kernels):
    """The class of the small game from a changed source, in a file of its own."""
    monkeypatch.setenv("LUDUS_CACHE", kernels)

    def made(source):
        file = tmp_path / "broken_game.py"
        file.write_text(source)
        spec = importlib.util.spec_from_file_location("broken_game", file)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "broken_game", module)
        spec.loader.exec_module(module)
        return module.SmallGame

    return made


def test_a_correct_game_has_no_findings(game_from):
    result = check_game(game_from(SOURCE))
    assert result.ok, result
    (checked,) = result.checked
    assert checked.stopped == ""
    assert checked.perft == (6, 30, 120, 360, 720, 720)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_where_it_was_planted(fault, game_from):
    old, new, fact, function = FAULTS[fault]
    assert SOURCE.count(old) == 1
    source = SOURCE.replace(old, new)
    result = check_game(game_from(source))
    assert not result.ok
    finding = result.findings[0]
    assert fact in finding.fact
    assert finding.function == function
    file, _, number = finding.place.rpartition(":")
    assert file.endswith("broken_game.py")
    assert any(part in source.splitlines()[int(number) - 1] for part in LINES.get(fault, f"def {function}").split("|"))


IS_STATE = "def is_state(state: State, start: State) -> bool:\n    return state[0] < u64(1 << WORDS)\n\n\ndef player("


def test_a_game_may_say_which_words_are_a_state_and_has_to_be_right(game_from):
    right, wrong = (SOURCE.replace("def player(", IS_STATE.replace("WORDS", bits), 1) for bits in ("17", "8"))
    game = game_from(right)
    assert check_game(game).ok
    with pytest.raises(ValueError, match="is not a state of small"):
        game().masks(np.array([[1 << 17]], np.uint64))
    finding = check_game(game_from(wrong)).findings[0]
    assert finding.function == "is_state"
    assert "def is_state" in wrong.splitlines()[int(finding.place.rpartition(":")[2]) - 1]


def test_a_result_names_fact_position_move_function_and_line(game_from):
    source = SOURCE.replace("return ~(state[0] | (state[0] >> u64(8))) & ALL", "return ~state[0] & ALL")
    result = check_game(game_from(source))
    (finding,) = result.findings
    cells, _, mover = finding.position.partition(" ")
    assert cells["abcdef".index(finding.move)] == "O" == "XO"[mover == "X"]
    assert (finding.game, finding.function) == ("small", "legal")
    for part in (finding.fact, finding.place, "legal", repr(finding.position), repr(finding.move)):
        assert part in str(result)
    assert "stopped after notation and drawing" in str(result)
    assert result.to_dict()["findings"][0]["position"] == finding.position


def test_a_variant_is_checked_alone_and_a_name_stands_for_all_variants():
    assert [one.game for one in check_game("nim:heaps=1+2", games=1).checked] == ["nim:heaps=1+2"]
    assert [one.game for one in check_game(ludus.make_game("nim:limit=2"), games=1).checked] == ["nim:limit=2"]
    assert [one.game for one in check_game("nim", games=1).checked] == list(ludus.make_game("nim").variants)


# ---- the command


def test_the_command_fails_where_something_is_found(run, game_from, monkeypatch):
    monkeypatch.setattr(GAMES, "_outside", {})
    monkeypatch.setattr(GAMES, "_homes", {})
    broken = game_from(SOURCE.replace("planes[2] = 1", "planes[2] = 2"))
    GAMES.add("small", broken, (broken.__module__, broken.__qualname__))
    status, out, _ = run("check", "small")
    assert status == 1
    assert "observe: Planes hold 0 and 1 alone." in out
    status, out, _ = run("check", "small", "tictactoe", "--json", "--games", 1)
    document = json.loads(out)
    assert status == 1
    assert [document["ok"], *(one["ok"] for one in document["reports"])] == [False, False, True]
    assert document["reports"][0]["findings"][0]["function"] == "observe"
    assert run("check", "tictactoe", "--games", 1)[0] == 0


# ---- a board as data


@pytest.mark.parametrize(("field", "kept", "function"), [("symbols", 2, "parse"), ("marks", 0, "trace"), ("sites", 5, "trace")])
def test_a_layout_that_lacks_what_its_game_writes_is_found(field, kept, function, monkeypatch):
    game = ludus.make_game("tictactoe")
    layout = replace(game.layout, **{field: getattr(game.layout, field)[:kept]})
    monkeypatch.setattr(type(game), "layout", layout)
    assert check_game("tictactoe", games=1).findings[0].function == function
