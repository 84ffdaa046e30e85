"""Openings whose value is known: legal, different up to symmetry, as their label says, and made again by their command."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from ludus.arena.data import openings
from ludus.cli import main
from ludus.data import make_openings
from ludus.games.game import Game
from ludus.games.registry import make_game
from ludus.oracles import make_oracle
from ludus.oracles.statespace.canonical import canonical
from ludus.records import read_positions
from ludus.rules import ONGOING

from ...helpers.sources import ROOT

SUITES = sorted(ROOT.glob("games/*/*.openings"))
SLOW = {"othello": 2, "othello-size-6": 1, "quixo": 1}
"""How many openings of a suite are judged again, where each takes a search of some tenths of a second; `make suites` judges all."""
JUDGED_ANEW = {"othello": 3}
"""By how much values may differ from the label of a suite: protocols keep suites, and the search has better numbers now."""


def read_suite(path: Path) -> tuple[Game, str, list[str]]:
    """The game of a suite, its label, and the words of its command."""
    game, label, command = (line.removeprefix("# ") for line in path.read_text().splitlines()[:3])
    return make_game(game.removeprefix("Game: ")), label, shlex.split(command)


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_openings_of_a_suite_are_legal_unfinished_and_different_up_to_symmetry(path: Path) -> None:
    game, _, command = read_suite(path)
    states = read_positions(path, game)
    assert (game.outcomes(states) == ONGOING).all()
    assert len(np.unique(canonical(game, states)[0], axis=0)) == len(states) == int(command[command.index("--count") + 1])


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_openings_of_a_suite_are_worth_what_its_label_says(path: Path) -> None:
    game, label, command = read_suite(path)
    states = read_positions(path, game)[: SLOW.get(path.stem)]
    options = dict(zip(command[3::2], command[4::2], strict=True))
    wanted = openings.WantedValue.read(options["--value"])
    if "--by" in options:
        assert label.startswith(f"searched by {options['--by']}: ")
        values = openings.by_search(game, options["--by"], wanted).values(states)
    else:
        assert label.startswith("proven by the oracle: ")
        known = make_oracle(game).position_values(states, scores=wanted.scored)
        values = known.scores if known.scores is not None else known.values
    if options["--value"] == "seats":
        assert values.tolist() == [1, -1] * (len(states) // 2)
    else:
        ((least, most),) = wanted.spans
        least, most = least - JUDGED_ANEW.get(path.stem, 0), most + JUDGED_ANEW.get(path.stem, 0)
        assert ((least <= values) & (values <= most)).all()


@pytest.mark.parametrize("path", [path for path in SUITES if path.stem not in SLOW], ids=lambda path: path.stem)
def test_the_command_of_a_suite_makes_it_again(path: Path, tmp_path: Path) -> None:
    command = read_suite(path)[2]
    assert main([*command[1:], "--out", str(tmp_path / "made.openings")]) == 0
    made, shipped = ((file.read_text().splitlines()) for file in (tmp_path / "made.openings", path))
    assert made[:3] + made[4:] == shipped[:3] + shipped[4:]  # the fourth line has the version


@pytest.mark.parametrize(("plies", "positions"), [(1, 3), (2, 12), (3, 38), (4, 108)])
def test_where_there_are_too_few_the_error_says_how_many(plies: int, positions: int) -> None:
    # positions of tic-tac-toe up to symmetry after each ply: OEIS A008907
    with pytest.raises(
        ValueError, match=f"of the {positions} positions of tictactoe after .* there are [0-9]+ drawn; ask for"
    ) as error:
        make_openings("tictactoe", plies=plies, count=1000)
    most = int(re.findall(r"ask for (\d+) or fewer", str(error.value))[0])
    assert len(make_openings("tictactoe", plies=plies, count=most).lines) == most


def test_a_search_to_the_end_agrees_with_the_oracle() -> None:
    by = [make_openings("tictactoe", plies=3, count=8, value="won", by=by) for by in ("oracle", "minimax:depth=9")]
    assert by[0].lines.tolist() == by[1].lines.tolist()
    assert [made.label for made in by] == [
        "proven by the oracle: won by the player to move with perfect play",
        "searched by minimax:depth=9: won by the player to move",
    ]


@pytest.mark.parametrize(
    ("game", "settings", "words"),
    [
        ("nim", {"value": "-2:2"}, r"nim has no scores; ask for won, drawn"),
        ("nim", {"value": "seats", "count": 3}, r"count is 3; with 'seats' it must be an even number"),
        ("nim", {"value": "even"}, r"there is no value 'even'; give won, drawn"),
        ("othello:size=6", {"by": "minimax", "value": "-2:2"}, r"the evaluation of minimax in othello:size=6 is no score"),
        ("quixo", {"plies": 3}, r"no value of 71 positions is known: the oracle of Quixo knows every board of 3×3 and 4×4; on 5×5"),
    ],
)
def test_what_cannot_be_made_is_refused_in_a_sentence(game: str, settings: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make_openings(game, **{"plies": 2, "count": 2, **settings})
