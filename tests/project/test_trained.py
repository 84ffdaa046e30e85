"""The tables of trained players: what a row of them says, and that a line has the seeds of the rule."""

from statistics import median
from typing import Any

import pytest

from benchmarks.runner import studies
from benchmarks.seeds import seeds_of
from benchmarks.strength.matches import REMEMBERING, TEN, show_circles
from benchmarks.strength.trained import (
    ALPHAZERO,
    JUDGED_LINES,
    NEAT,
    NTUPLES,
    SB3,
    STUDIES,
    TABLES,
    Measured,
    TrainedLine,
    figures_of,
    judged_measures,
    learn,
)
from benchmarks.strength.trainings import GAMES, PAIRS, SEEDS, duels_table

FAMILIES = [*zip(STUDIES, (TABLES, NTUPLES, NEAT, SB3, ALPHAZERO, JUDGED_LINES), strict=True)]


def test_a_line_says_the_command_that_trains_it():
    line = TrainedLine("layered_neat", "quixo:size=4", "original", {"generations": 20})
    assert (line.options, line.name) == ("layered_neat --preset original --generations 20", "layered_neat-original-quixo:size=4")


def test_each_line_has_the_seeds_of_what_its_runs_took():
    for study, lines in FAMILIES:
        rows = study.rows()
        for line in lines:
            seconds = [rows[cell]["seconds"] for seed in line.seeds if (cell := f"{line.name}-{seed}") in rows]
            assert not seconds or line.seeds == seeds_of(median(seconds)), line.name


@pytest.mark.parametrize(("name", "seeds", "took"), [("tabular_originals", SEEDS, "seconds"), ("circles", TEN, "learnt")])
def test_learners_that_meet_have_the_seeds_of_what_their_trainings_took(name: str, seeds: range, took: str):
    rows = studies()[name].rows().values()
    assert {seeds_of(row[took]) for row in rows if took in row} <= {seeds}


def test_runs_no_better_than_random_play_have_collapsed_whichever_way_is_better():
    points = Measured("points", [0.5, 0.4, 0.9, 0.7], 0.5)
    assert points.cells() == ["points", "60.0 %", "60.0 % (40.0 % to 90.0 %)", "40.0 % † (2)", "50.0 %"]
    lost = Measured("value lost", [0.0, 0.9, 0.1, 0.1], 0.8, max, "{:.1f}".format)
    assert lost.cells()[-2:] == ["0.9 † (1)", "0.8"]


def test_judged_runs_stand_beside_random_moves_in_the_positions_that_came_up():
    run = {"score": [1, 0, 1], "optimal_rate": 0.9, "value_lost": 0.1}
    runs = [run | {"random_optimal_rate": 0.8 - lost, "random_value_lost": lost} for lost in (0.2, 0.3, 0.7)]
    things = judged_measures(JUDGED_LINES[0], runs, {"`random`": {"score": [0, 1, 9]}})
    assert {name: thing.floor for name, thing in things.items()} == {"points": 0.05, "kept": 0.5, "lost": 0.3}
    assert things["lost"].cells()[1:] == ["0.100", "0.100", "0.100", "0.300"]


def test_a_row_has_what_was_learnt_and_the_table_a_line_for_each_thing_measured():
    line = TrainedLine("qlearning", "tictactoe", budget={"games": 20_000}, played=100)
    runs = {f"{line.name}-{seed}": learn(line, 1 + seed // 10) for seed in line.seeds}
    assert runs[f"{line.name}-1"] | {"seconds": 0} == runs[f"{line.name}-2"] | {"seconds": 0}
    assert (runs[f"{line.name}-1"]["done"], sum(runs[f"{line.name}-1"]["scores"]["random"])) == (20_000, 100)
    floor = {"random-tictactoe": {"scores": {"random": [430, 110, 460]}, "lost": 0.873}}
    figures = figures_of([line], floor | runs)
    _, _, points, lost = figures["table"].splitlines()
    assert points.startswith("| `qlearning --games 20000` | `tictactoe` | 20,000 games | 10 |")
    assert points.endswith("| 48.5 % |")
    assert lost.startswith("| | | | | | value lost a game, perfect opponent |")
    assert figures[f"{line.name}.lost.median"] in lost


def test_a_duel_stands_beside_what_random_play_makes_in_that_seat():
    def games(*shares: tuple[float, float]) -> list[list[list[float]]]:
        """The games by seat, result and plies, from the shares that were won and drawn in each seat."""
        return [[[share * GAMES // 2] for share in (won, drawn, 1 - won - drawn)] for won, drawn in shares]

    even = {f"{one} {other}": games((0.5, 0), (0.5, 0)) for one, other in (*PAIRS, ("random", "random"))}
    met = [even | {"qlearning montecarlo": games((seed / 20, 0.5), (0, 0))} for seed in SEEDS]
    for row in met:
        row["montecarlo random"] = games((1, 0), (0.5, 0.25))  # so random play makes 37.5 % as first and nothing as second
    first, second, *_ = duels_table({"original": met}).splitlines()[2:]
    assert first.startswith("| the project's | `qlearning` against `montecarlo` | first | 27.5, 50.0, 22.5 | 52.5 % | 52.5 % (")
    assert first.endswith(" | 30.0 % † (2) | 37.5 % |")
    assert second.endswith(" | second | 0.0, 0.0, 100.0 | 0.0 % | 0.0 % | 0.0 % † (10) | 0.0 % |")


def test_matches_in_circles_have_points_by_seed_beside_random_play():
    rows: dict[str, Any] = {f"random, seed {seed}": {"score": [0, 2, 18], "seconds": 1.0} for seed in TEN}
    rows |= {
        f"{spec}, seed {seed}": {"score": [5 + seed, 0, 15 - seed], "seconds": 2.0, "learnt": float(seed)}
        for spec in REMEMBERING
        for seed in TEN
    }
    figures = show_circles(rows)
    row = figures["table"].splitlines()[2]
    assert row.startswith(f"| `{REMEMBERING[0]}` | 105, 0, 95 | 52.5 % | 52.5 % (")
    assert row.endswith(") | 30.0 % | 5.0 % | 20 |")
    assert (figures["seeds"], figures["seconds"]) == ("10", "6")


def test_the_network_of_alphazero_alone_is_asked_in_positions_that_the_oracle_knows():
    pytest.importorskip("torch")
    row = learn(TrainedLine("alphazero", "tictactoe", budget={"positions": 512, "blocks": 1, "simulations": 2}, played=2), 1)
    assert 0 <= row["exam"]["optimal"] <= 1
    assert row["exam"]["value error"] > 0
