"""`ludus check`: a correct game passes, and every fault planted in it is found, with the function and line at fault."""

import importlib
import importlib.util
import json
import sys
from dataclasses import replace

import numpy as np
import pytest

import ludus
from ludus.envs import check
from ludus.envs.check import check_game, facts, readings
from ludus.games.registry import GAMES

from ..helpers.games import forget
from ..helpers.outside.planted import FAULTS
from ..helpers.system.processes import OUTSIDE

SOURCE = (OUTSIDE / "small_game.py").read_text()


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


IS_STATE = "def is_state(state: State, start: State) -> bool:\n    return state[0] WORDS\n\n\ndef player("


@pytest.mark.parametrize(("words", "ok"), [("< u64(1 << 17)", True), ("< u64(1 << 8)", False)])
def test_a_game_may_say_which_words_are_a_state_and_has_to_be_right(words, ok, game_from):
    source = SOURCE.replace("def player(", IS_STATE.replace("WORDS", words), 1)
    made = game_from(source)
    result = check_game(made)
    assert result.ok == ok, result
    if ok:
        with pytest.raises(ValueError, match="is not a state of small"):
            made().masks(np.array([[1 << 17]], np.uint64))
    else:
        assert result.findings[0].function == "is_state"
        assert "`is_state`, where a game has it, holds for every state" in result.findings[0].fact
        assert "def is_state" in source.splitlines()[int(result.findings[0].place.rpartition(":")[2]) - 1]


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


def test_the_same_seed_gives_the_same_result(game_from):
    source = SOURCE.replace("        return -1\n", "        return 5\n")
    game = game_from(source)
    assert check_game(game, seed=3) == check_game(game, seed=3)


def test_a_variant_is_checked_alone_and_a_name_stands_for_all_variants():
    assert [one.game for one in check_game("nim:heaps=1+2", games=1).checked] == ["nim:heaps=1+2"]
    assert [one.game for one in check_game(ludus.make_game("nim:limit=2"), games=1).checked] == ["nim:limit=2"]
    assert [one.game for one in check_game("nim", games=1).checked] == list(ludus.make_game("nim").variants)


def test_no_trace_function_is_left_behind():
    before = sys.gettrace()
    check_game("tictactoe", games=1)
    assert sys.gettrace() is before


@pytest.mark.parametrize("games", [0, -1, 1.5, "3", True])
def test_fewer_than_one_random_game_is_refused(games):
    with pytest.raises(ValueError, match=r"games is .*a whole number, 1 or more"):
        ludus.check_game("nim", games=games)


# ---- the command


def test_the_command_says_that_all_is_well(run):
    status, out, _ = run("check", "tictactoe", "--games", 1)
    assert status == 0
    assert "tictactoe: " in out
    assert out.rstrip().endswith("no fact is violated")


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
