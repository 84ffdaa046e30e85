"""The examples of games from outside, Hex and Kalah: their moves and positions, and what is published about them.

test_elsewhere.py plays Hex.
"""

import importlib.util
import json
import sys
from dataclasses import dataclass

import pytest

import ludus
import ludus.data
from ludus.baselines.alphazero.selfplay.exact import oracle_of
from ludus.baselines.runs.plan import RunPlan
from ludus.cli import main
from ludus.oracles import UNKNOWN, Oracle, make_oracle
from ludus.oracles.values import is_searched, quick_oracle
from ludus.rules import Known, Reach

from ..helpers.games import forget
from ..helpers.system.processes import ROOT

pytestmark = pytest.mark.usefixtures("hexes")
EXAMPLES = ROOT / "examples"
PUBLISHED = {
    # Irving, Donkers, Uiterwijk: Solving Kalah, ICGA Journal 23 (2000), 139-147: won, drawn or lost by the first player,
    # houses by seeds 1 to 6
    1: "DLWLWD",
    2: "WLLLWW",
    3: "DWWWWL",
}


@pytest.fixture(scope="module", autouse=True)
def kalah():
    """The example, imported as a module; the game is forgotten after these tests."""
    spec = importlib.util.spec_from_file_location("kalah", EXAMPLES / "kalah.py")
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "kalah", module)
        spec.loader.exec_module(module)
        yield module
    forget(module.Kalah)


@pytest.mark.parametrize("spec", ["hex:size=3", "hex:size=5", "kalah", "kalah:houses=1,seeds=1", "kalah:houses=2,seeds=9"])
def test_the_check_finds_nothing(spec):
    report = ludus.check_game(spec, games=1)
    assert report.ok, report


@pytest.mark.parametrize(
    ("spec", "text", "why"),
    [
        ("hex:size=3", "", "9 cells"),
        ("hex:size=3", "--------- Z", "who moves"),
        ("hex:size=3", "OX-O----- X", "X moves first"),
        ("kalah", "4 4 4 4 4 4 0 / 4 4 4 4 4 4 0 2", "it takes the pits"),
        ("kalah", "4 4 4 4 4 4 1 / 4 4 4 4 4 4 0 0", "holds 49 seeds"),
        ("kalah", "0 0 0 0 0 0 24 / 4 4 4 4 4 4 0 0", "are empty"),
        ("hex:size=9", "", r"size.*3.*8"),
        ("kalah:houses=7", "", "1 to 6 houses"),
    ],
)
def test_a_position_or_a_board_that_cannot_be_is_refused_with_the_reason(spec, text, why):
    with pytest.raises(ValueError, match=why):
        ludus.make_game(spec).parse(text)


# ---- what is published


@pytest.mark.parametrize("size", [3, 4])
def test_the_first_player_wins_hex(size):  # Nash 1952
    game = ludus.make_game("hex", size=size)
    assert make_oracle(game).value(game.start) == 1


@pytest.mark.parametrize("houses", PUBLISHED)
def test_small_boards_are_worth_what_is_published(houses):
    for seeds, value in enumerate(PUBLISHED[houses], start=1):
        if houses * seeds <= 12:
            game = ludus.make_game("kalah", houses=houses, seeds=seeds)
            assert make_oracle(game).value(game.start) == {"W": 1, "D": 0, "L": -1}[value], (houses, seeds)


# ---- what it says of itself besides its rules


def test_trainers_list_its_presets_and_take_them_by_name(capsys):
    assert main(["train", "--list", "qlearning", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["qlearning"]["presets"]["kalah"] == {"games": 50_000}
    assert RunPlan.make("qlearning", "nim", 0, "kalah", {}).settings.games == 50_000
    assert RunPlan.make("qlearning", "nim", 0, None, {}).preset is None


def test_a_preset_with_a_wrong_setting_is_refused_by_a_sentence_that_names_its_module(kalah, monkeypatch):
    monkeypatch.setattr(kalah.Kalah, "known", Known(presets={"qlearning": {"kalah": {"gmes": 50_000}}}))
    wrong = "the preset 'kalah', of the module kalah, for the trainer 'qlearning' has no setting 'gmes'; did you mean 'games'"
    with pytest.raises(ValueError, match=wrong):
        RunPlan.make("qlearning", "kalah", 0, None, {})


@dataclass(frozen=True)
class Seer(Oracle):
    """An oracle that sees nothing, however deep it looks."""

    depth: int = 7

    def reaches(self, state):
        return False

    def _solve(self, state, watch=None):
        return UNKNOWN


def test_it_may_name_an_oracle_of_its_own_and_how_far_that_searches(kalah, monkeypatch):
    game = ludus.make_game("kalah:houses=3,seeds=2")
    monkeypatch.setattr(
        kalah.Kalah, "known", Known(oracle="kalah:Seer", reach={8: Reach({"depth": 3}, {"depth": 1}, {"depth": 2})})
    )
    monkeypatch.setattr(kalah, "Seer", Seer, raising=False)
    assert [quick_oracle(game).depth, quick_oracle(game, at_once=True).depth, oracle_of(game).depth] == [3, 1, 2]
    assert is_searched(game)
    assert make_oracle("kalah").depth == 7
    assert not is_searched(ludus.make_game("kalah:houses=2,seeds=1"))
