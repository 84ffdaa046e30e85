"""One name for each number of a grade: in its document, in its frame, as its attribute, and on the page."""

import re

import numpy as np
import pytest

from ludus.arena import grade, grade_exact

from ...helpers.system.processes import ROOT

SAMPLED = grade("greedy", "tictactoe", games=20, calibration=None)
EXACT = grade_exact("greedy", "tictactoe")
ELSEWHERE = {
    "against": lambda score: score.pairing.b,
    "games": lambda score: score.games,
    "faults": lambda score: score.faults[0].sum(),
    "opening_plies": lambda score: score.opening_plies,
    "suite": lambda score: score.suite and score.suite.document(),
}
"""What the document of a sampled grade has of its score."""
RATES = ("win_rate", "draw_rate", "loss_rate")


def attribute_of(seat, name):
    """The attribute of a seat that the document calls so: `win_rate_vs_random` is `vs_random.win_rate`."""
    number, versus, whom = name.partition("_vs_")
    return getattr(getattr(seat, f"vs_{whom}"), number) if versus else getattr(seat, name)


def names_on_the_page():
    """The names in the tables of the page's section."""
    section = (ROOT / "docs" / "grading.md").read_text().partition("## The names of a grade")[2].partition("\n## ")[0]
    return {name for row in section.splitlines() if row.startswith("| `") for name in re.findall(r"`(\w+)`", row)}


def test_a_number_of_a_seat_has_one_name():
    document, rows = EXACT.document(), EXACT.to_frame().to_dict("records") if pytest.importorskip("pandas") else []
    for number, (seat, row) in enumerate(zip(EXACT.seats, rows, strict=True)):
        for name in seat.document(EXACT.game).keys() - {"line"}:
            value = attribute_of(seat, name)
            assert document[f"{name}_by_seat" if f"{name}_by_seat" in document else name][number] == value, name
            assert row[name] == value or (value is None and np.isnan(row[name])), name
        assert document["line"][number] == [EXACT.game.move_name(action) for action in seat.line]
        assert row["line"] == " ".join(document["line"][number])


def test_a_number_over_both_seats_has_one_name():
    document = EXACT.document()
    of_seats = {
        name.removesuffix("_by_seat") if name.endswith("_by_seat") else name for name in EXACT.seats[0].document(EXACT.game)
    }
    for name in document.keys() - of_seats - {"game", "by_ply", "by_choice", "calibration"}:
        if not name.endswith("_by_seat"):
            assert document[name] == getattr(EXACT, name), name
    for name in ("beatable", "exploitability", "value_lost_per_game"):
        assert document[name] == getattr(EXACT, name)
        assert document[f"{name}_by_seat"] == [getattr(seat, name) for seat in EXACT.seats]
    for name in RATES:
        assert document[f"{name}_vs_random"] == [*getattr(EXACT, f"{name}_vs_random")]


def test_a_number_of_a_sample_has_one_name():
    document, score = SAMPLED.document(), SAMPLED.score
    for name, value in document.items():
        if name in ELSEWHERE:
            assert value == ELSEWHERE[name](score)
        elif (rate := re.sub("_(by_seat|vs_random)$", "", name)) in RATES:
            assert value == score.rates_by_seat[:, RATES.index(rate)].tolist()
        elif name == "blunders":
            assert [*value.values()] == SAMPLED.blunders.sum(0).tolist()
        elif name not in ("game", "by_ply", "reasons", "calibration"):
            own = getattr(SAMPLED, name)
            assert value == (own.sum() if isinstance(own, np.ndarray) else own), name


def test_both_kinds_of_grades_call_the_same_things_alike():
    for entry in (SAMPLED.document()["by_ply"][0], EXACT.document()["by_ply"][0][0]):
        assert {"ply", "moves", "optimal_rate", "value_lost"} <= {*entry}
    shared = SAMPLED.document().keys() & EXACT.document().keys()
    assert {"game", "policy", "exact", "beatable", "value_lost", "random_value_lost", "graded_rate", "win_rate_vs_random"} <= shared


def test_the_page_has_every_name():
    def stem(name):
        return re.sub("^(draw|loss)_", "win_", re.sub("_(vs_random|vs_perfect|vs_best_response|by_seat)$", "", name))

    known = {stem(name) for name in names_on_the_page()}
    assert len(known) > 20
    assert not {stem(name) for grades in (SAMPLED, EXACT) for name in grades.document()} - known
