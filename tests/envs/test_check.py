"""`ludus check`: a correct game passes, and every fault planted in it is found, with the function and line at fault."""

import importlib
import importlib.util
import json
import sys
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

import ludus
from ludus.envs import check
from ludus.envs.check import check_game, facts, readings
from ludus.games.registry import GAMES

from ..helpers.games import forget
from ..helpers.system.processes import OUTSIDE

SOURCE = (OUTSIDE / "small_game.py").read_text()


class Fault(NamedTuple):
    """A fault planted in the small game, the fact that it breaks, the function at fault, and what stands in the line named."""

    old: str
    new: str
    fact: str
    function: str
    line: str


FAULTS = {
    # ---- the class
    "a name of two words": Fault('str] = "small"', 'str] = "a small game"', "the form", "name", "a small game"),
    "a move's name twice": Fault('tuple("abcdef")', 'tuple("abcdea")', "a name of its own", "moves", "def moves|@cached_property"),
    "a word too few": Fault("return (0,)\n", "return ()\n", "as many 64-bit words", "start_words", "@property"),
    "a symmetry that is not a permutation": Fault(
        "[5, 4, 3, 2, 1, 0]", "[5, 4, 3, 2, 1, 1]", "is a permutation", "symmetries", "@cached_property"
    ),
    "a variant that does not exist": Fault("= (name,)", '= (name, "small:size=3")', "Every variant", "variants", "small:size=3"),
    "a class that can be changed": Fault("@dataclass(frozen=True)\n", "", "frozen", "SmallGame", "class SmallGame"),
    "a method forgotten": Fault("def picture(", "def drawn(", "every method", "SmallGame", "class SmallGame"),
    # ---- the rules
    "the turn does not pass": Fault(" ^ (ONE << TURN),)", ",)", "Both players get to move", "player", "def player"),
    "a player 2": Fault("return number(state[0] >> TURN)", "return 2 * number(state[0] >> TURN)", "0 or 1", "player", "def player"),
    "an action that does not exist": Fault(
        "ALL, TURN = 6, u64(0b111111)", "ALL, TURN = 6, u64(0b1111111)", "one of the game's actions", "legal", "def legal"
    ),
    "an illegal action is legal": Fault(
        "return ~(state[0] | (state[0] >> u64(8))) & ALL", "return ~state[0] & ALL", "after a legal action", "legal", "def legal"
    ),
    "a game without an end": Fault(
        "return 0 if legal(state, 0) == u64(0) else ONGOING",
        "return ONGOING",
        "unfinished game has a legal action",
        "outcome",
        "def outcome",
    ),
    "a result of 5": Fault("        return -1\n", "        return 5\n", "or player 0's result", "outcome", "def outcome"),
    "a plane with a 2": Fault("planes[2] = 1", "planes[2] = 2", "0 and 1 alone", "observe", "def observe"),
    "a plane not written": Fault("    planes[2] = 1\n", "", "writes every cell", "observe", "def observe"),
    "a cell beyond the plane": Fault("planes[1, cell] =", "planes[1, cell + 1] =", "every cell", "observe", "planes[1, cell + 1]"),
    "a loop that never ends": Fault(
        "    return cells & (cells",
        "    while cells != u64(0):\n        pass\n    return cells & (cells",
        "comes to an end",
        "three",
        "while cells|pass",
    ),
    "a word that is not a word": Fault(
        "    return (moved,)\n", "    return (number(moved),)\n", "give a state", "permute", "def permute"
    ),
    "an opening that is not a position": Fault("return (0,)\n", "return (1,)\n", "The start", "text", "def text"),
    "permute forgets a colour": Fault("u64(0b1_0000_0001)", "u64(1)", "actions[a]", "permute", "def permute"),
    "permute exchanges the players": Fault(
        "    return (moved,)\n",
        "    return (moved if cells[0] == 0 else moved ^ (ONE << TURN),)\n",
        "keeps the player",
        "permute",
        "def permute",
    ),
    "actions that are not turned": Fault(
        "Symmetries(cells, cells)",
        "Symmetries(cells, np.array([[0, 1, 2, 3, 4, 5], [4, 5, 3, 2, 0, 1]], np.int16))",
        "`permute(play",
        "permute",
        "def permute",
    ),
    # ---- compiling
    "types that do not fit": Fault(
        "    mark = bit(", "    mark = u64(0) if action > 2 else 'b'\n    mark = bit(", "compiles", "play", "'b'"
    ),
    # ---- notation and drawing
    "a text that loses a word": Fault("""{'XO'[int(state[0]) >> 16]}\"""", """X\"""", "after a legal action", "text", "def text"),
    "parse that forgets who moves": Fault(" | turn << 16]", "]", "read again", "parse", "def parse"),
    "marks that nobody sees": Fault(
        "planes[1, cell] = has(state[0], 8 * (1 - seat) + cell)",
        "planes[1, cell] = 0",
        "nothing is hidden",
        "observe",
        "def observe",
    ),
    "parse takes anything": Fault(
        'or turn != cells.count("X") - cells.count("O")', "", "read as it stands, or refused", "parse", "def parse"
    ),
    "parse breaks on bad text": Fault(
        "if len(cells) != CELLS or", "if cells[0] == '' or len(cells) != CELLS or", "or refused", "parse", "def parse"
    ),
    "a drawing that is not well-formed": Fault("return pen.finish()", "return pen.finish()[:-1]", "well-formed", "svg", "def svg"),
    "a drawing that fails": Fault("pen.text(40 * cell", "pen.text(40 / (cell - 3)", "SVG", "svg", "40 / (cell - 3)"),
    "cells that are clicked in the same place": Fault("Box(40 * action,", "Box(0,", "takes that action", "clicks", "def clicks"),
    "an empty picture": Fault(
        "return f\"{' '.join(self.moves)}", "return '' and f\"{' '.join(self.moves)}", "picture is text", "picture", "def picture"
    ),
}


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


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found_where_it_was_planted(fault, game_from):
    assert SOURCE.count(fault.old) == 1
    source = SOURCE.replace(fault.old, fault.new)
    result = check_game(game_from(source))
    assert not result.ok
    finding = result.findings[0]
    assert fault.fact in finding.fact
    assert finding.function in fault.function.split("|")
    file, _, line = finding.place.rpartition(":")
    assert file.endswith("broken_game.py")
    assert any(part in source.splitlines()[int(line) - 1] for part in fault.line.split("|"))


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


def test_a_game_that_is_named_by_its_module_is_checked(tmp_path, monkeypatch, kernels):
    monkeypatch.setenv("LUDUS_CACHE", kernels)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "named_game.py").write_text(SOURCE)
    assert check_game("named_game:SmallGame", games=1).ok
    forget(type(ludus.make_game("small")))


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


def test_the_same_seed_gives_the_same_result_and_no_trace_function_is_left_behind(game_from):
    before, game = sys.gettrace(), game_from(SOURCE.replace("        return -1\n", "        return 5\n"))
    assert check_game(game, seed=3) == check_game(game, seed=3)
    assert sys.gettrace() is before


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
    status, out, _ = run("check", "tictactoe", "--games", 1)
    assert status == 0
    assert out.rstrip().endswith("no fact is violated")


def test_the_command_without_a_game_checks_every_game(document, monkeypatch):
    monkeypatch.setattr("ludus.cli.commands.check.game_names", lambda: ("tictactoe", "nim"))
    checked = [one["game"] for each in document("check", "--games", 1)["reports"] for one in each["checked"]]
    assert checked == ["tictactoe", *ludus.make_game("nim").variants]


def test_a_game_that_is_not_there_is_refused(run):
    status, _, err = run("check", "chess")
    assert status == 2
    assert "there is no game 'chess'" in err


# ---- a board as data


@pytest.mark.parametrize(
    ("field", "kept", "position", "function", "words"),
    [
        ("symbols", 2, "XO------- X", "contents", "it writes 2; in the layout they are numbered from 0 to 1"),
        ("marks", 0, "XO------- X", "trace", "it writes 1; in the layout they are numbered from 0 to 0"),
        ("sites", 5, "XO------- X", "trace", "IndexError"),
    ],
)
def test_a_layout_that_lacks_what_its_game_writes_is_found(field, kept, position, function, words):
    game = ludus.make_game("tictactoe")
    state = game.parse(position)
    vars(game)["layout"] = replace(game.layout, **{field: getattr(game.layout, field)[:kept]})
    inspection = check._Inspection(game, 0, 1)
    at = readings.Position(game, readings.PYTHON, state)
    for fact in facts.NOTATION[:3]:
        inspection._hold(fact, at, at=at)
    (finding,) = inspection.findings
    assert (finding.function, words in finding.saw) == (function, True)
