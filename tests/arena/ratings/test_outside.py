"""Ratings from results of others: published numbers, those of Ordo, those of the arena; and what is wrong with files."""

import json
import math

import numpy as np
import pytest
from scipy.stats import binomtest

from ludus.arena import Score, rate, tournament
from ludus.arena.ratings.intervals import wilson
from ludus.arena.ratings.ratings import ELO
from ludus.arena.store.export import to_csv, to_text
from ludus.cli import main

from ...helpers.arena.league import LEAGUE

TEAMS = ["Baltimore", "Boston", "Cleveland", "Detroit", "Milwaukee", "NewYork", "Toronto"]
GAMES = "first,second,result\nAda,Bob,1-0\nBob,Ada,1/2-1/2\nAda,Cid,0.5\nCid,Bob,0\nBob,Cid,*\n"


def elo_of(rated, names):
    (ratings,) = rated.ratings.values()
    return [ratings.elo[name].elo for name in names]


# ---- counts


def test_a_score_of_counts_has_the_numbers_of_independent_games():
    score = Score.from_counts(17, 0, 9, a="Ada", b="Bob")
    assert (score.games, score.wins, score.draws, score.losses, score.points) == (26, 17, 0, 9, 17 / 26)
    assert score.interval() == wilson(17, 26)
    exact = binomtest(17, 26).proportion_ci(0.95, "exact")
    assert score.points_interval() == pytest.approx((exact.low, exact.high), abs=1e-6)
    assert score.p_value() == pytest.approx(binomtest(17, 26).pvalue, abs=1e-6)
    assert score.elo().elo == pytest.approx(400 * math.log10(17 / 9))
    assert "Ada against Bob in a game" in str(score)
    assert score.document()["nodes_a_game"] == (None, None)


def test_scores_of_counts_add_up_and_turn():
    both = Score.from_counts(3, 2, 1, seat=0) + Score.from_counts(1, 0, 4, seat=1)
    assert both.by_seat.tolist() == [[3, 2, 1], [1, 0, 4]]
    assert both.turned.by_seat.tolist() == [[4, 0, 1], [1, 2, 3]]
    assert both.turned.elo().elo == pytest.approx(-both.elo().elo)
    for counts, seat in (((-1, 0, 0), None), ((0.5, 0, 0), None), ((1, 0, 0), 2)):
        with pytest.raises(ValueError, match="it must be a whole number"):
            Score.from_counts(*counts, seat=seat)


# ---- other people's numbers


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ("first,second", [0, 1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271]),
        ("a,b", [0, 1.1077, 0.6839, 1.4364, 1.5814, 1.2476, 1.2945]),
    ],
)
def test_a_file_of_counts_gives_published_strengths_with_or_without_an_advantage_at_home(columns, expected, tmp_path):
    """A. Agresti, Categorical Data Analysis (2002), tables 10.10 and 10.11, for so many games that the prior is nothing."""
    rows = [f"{home},{away},{won * 10**6},0,{lost * 10**6}" for home, away, won, lost in LEAGUE]
    (tmp_path / "league.csv").write_text("\n".join([f"{columns},wins,draws,losses", *rows]))
    rated = rate(tmp_path / "league.csv", anchors={"Baltimore": 0}, resamples=0)
    assert elo_of(rated, TEAMS) == pytest.approx(ELO * np.array(expected), abs=0.02)
    (ratings,) = rated.ratings.values()
    assert ratings.first_move.elo == pytest.approx(ELO * 0.3023 if columns == "first,second" else 0, abs=0.02)


def test_a_pgn_gives_the_ratings_of_ordo(tmp_path):
    """Ordo 1.2.6, `ordo -p league.pgn -W -a 0 -N 2`; its scale has 76 % of the points at 202."""
    ordo = np.array([-189.06, 11.38, -65.57, 69.49, 94.76, 35.49, 43.51]) * 400 * math.log10(0.76 / 0.24) / 202
    many = [
        (home, away, result, 30 * count) for home, away, *of in LEAGUE for result, count in zip(("1-0", "0-1"), of, strict=True)
    ]
    texts = (
        f'[White "{home}"]\n[Black "{away}"]\n[Result "{result}"]\n\n{result}\n\n' * count for home, away, result, count in many
    )
    (tmp_path / "league.pgn").write_text("".join(texts))
    assert elo_of(rate(tmp_path / "league.pgn", resamples=0), TEAMS) == pytest.approx(ordo, abs=0.2)


@pytest.mark.parametrize("write", [to_text, to_csv])
def test_exported_games_have_the_ratings_of_the_arena(write, tmp_path):
    played = tournament(["tictactoe", "othello:size=4"], ["random", "greedy", "minimax:depth=2"], games_per_pair=20, seed=4)
    path = tmp_path / "games"
    write((record for pairing in played.plan.pairings for record in played.store.records(pairing)), path)
    rated = rate(path, resamples=10)
    assert rated.games == played.games
    for game in played.games:
        assert list(rated.ratings[game].elo) == list(played.ratings[game].elo)
        for name, rating in played.ratings[game].elo.items():
            assert rated.ratings[game].elo[name].elo == pytest.approx(rating.elo, abs=0.01)
        assert rated.ratings[game].first_move.elo == pytest.approx(played.ratings[game].first_move.elo, abs=0.01)
        assert rated.payoffs(game).document() == played.payoffs(game).document()
        ours, theirs = rated.standing(game), played.standing(game)
        assert {name: of.by_seat.tolist() for name, of in ours.items()} == {
            name: of.by_seat.tolist() for name, of in theirs.items()
        }


# ---- the model


def test_an_anchor_shifts_the_scale_and_several_are_kept(tmp_path):
    (tmp_path / "x.csv").write_text(GAMES)
    free, one, two = (rate(tmp_path / "x.csv", anchors=anchors) for anchors in ({}, {"Ada": 2000}, {"Ada": 2000, "Cid": 1500}))
    shifted = np.array(elo_of(one, ["Ada", "Bob", "Cid"])) - elo_of(free, ["Ada", "Bob", "Cid"])
    assert shifted == pytest.approx([2000 - elo_of(free, ["Ada"])[0]] * 3, abs=1e-3)
    assert (*elo_of(two, ["Ada"]), *elo_of(two, ["Cid"])) == (2000, 1500)
    assert "Anchored: Ada 2000; the scale is shifted to it." in str(one)
    assert "Anchored: Ada 2000, Cid 1500; these are kept, and the others fitted to them." in str(two)
    assert "1 unfinished game passed over." in str(free)
    assert elo_of(rate([Score.from_counts(9, 0, 0)], anchors={"a": 5, "b": 9}), ["a", "b"]) == [5, 9]


def test_where_one_player_always_moves_first_there_is_no_advantage_of_it():
    rated = rate([Score.from_counts(30, 10, 10, seat=0)], resamples=0).ratings["a game"]
    assert rated.first_move.elo == 0
    assert rated.elo["a"].elo - rated.elo["b"].elo == pytest.approx(ELO * math.log(3), abs=6)  # the prior takes a little


def test_players_whom_no_games_connect_are_said_to_be_apart():
    rated = rate([Score.from_counts(3, 0, 1, a="a", b="b"), Score.from_counts(1, 0, 3, a="c", b="d")], resamples=0)
    assert "whose ratings cannot be compared: a, b | c, d." in str(rated)
    assert rated.document()["payoffs"] == {"a game": None}


# ---- files

ROWS = [row.split(",") for row in GAMES.split()[1:]]


def pgn_of(row, moves):
    first, second, result = row
    result = {"1": "1-0", "0": "0-1", "0.5": "12-12"}.get(result, result)
    return f'[Event "x"] [White "{first}"]\n[Black "{second}"]\n[Result "{result}"]\n{moves}'


@pytest.mark.parametrize(
    "text",
    [
        GAMES.replace(",", ";").replace("first", "White ").replace("second", " black"),
        GAMES.replace("1/2-1/2", "½ - ½").replace("1-0", "1:0"),
        "\ufeff" + GAMES.replace(",", "\t").replace("\n", "\r\n\r\n"),
        "date,second,first,result\n" + "".join(f'"1, 2",{b},{a},{result}\n' for a, b, result in ROWS),
        "% a remark\n" + "".join(map(pgn_of, ROWS, ["", "\n1. e4 {\n[%clk 1]} e5 1-0\n\n", "\n", "*\n", ""])),
    ],
)
def test_files_of_all_manners_say_the_same(text, tmp_path):
    for name, content in (("a", GAMES), ("b", text)):
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert rate(tmp_path / "a").document() == rate(tmp_path / "b").document()


HEADER = "first,second,result\n"
WRONG = [
    ("", "line 1: the columns are ''; CSV begins with a header"),
    (HEADER, "line 1: there are no results of finished games"),
    (HEADER + "Ada,Bob,*\n", "line 1: there are no results of finished games"),
    ("one,two,result\nAda,Bob,1-0\n", "line 1: the columns are 'one, two, result'"),
    ("first,second,wins,losses\nAda,Bob,1,0\n", "line 1: the columns are"),
    ("first,secnd,result\nAda,Bob,1-0\n", "line 1: the columns are 'first, secnd, result'; did you mean 'second' by 'secnd'?"),
    ("first,second,first,result\nAda,Bob,Ada,1-0\n", "line 1: two columns are named first"),
    (HEADER + "\nAda,Bob,won\n", "line 3: the result is 'won'; it must be 1-0, 0-1, 1/2-1/2, 1, 0.5, 0"),
    (HEADER + "Ada,Bob,0-0\n", "line 2: the result is '0-0'"),
    (HEADER + "Ada,Ada,1-0\n", "line 2: 'Ada' plays itself"),
    (HEADER + "Ada,,1-0\n", "line 2: a player has no name"),
    (HEADER + "nim:a=1,b=2,Bob,1-0\n", "line 2: there are 4 columns, and 3 in the header; a name with a comma stands in quotes"),
    ("first,second,wins,draws,losses\nAda,Bob,1,0,2.5\n", "line 2: losses is '2.5'; it must be a whole number of games"),
    ('[White "Ada"]\n[Result "1-0"]\n\n1. e4 1-0\n', "line 1: the game that begins here has no Black"),
    ('[White "a"]\n[Black "b"]\n[Result "won"]\n', "line 3: the result is 'won'"),
    ('[Event "x"]\n[White "a"]\n[Black "a"]\n[Result "1-0"]\n', "line 4: 'a' plays itself"),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_what_is_wrong_with_a_file_is_a_sentence_with_its_line(text, said, tmp_path):
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(ValueError, match=r"x\.csv, line") as error:
        rate(tmp_path / "x.csv")
    assert said in str(error.value)


def test_a_name_cannot_control_the_terminal(tmp_path):
    (tmp_path / "x.csv").write_text("first,second,result,game\nA\x1b[2Jda,Bob,1-0,othello:\x1b[31m=1\n")
    rated = rate(tmp_path / "x.csv")
    assert r"A\x1b[2Jda" in str(rated)
    assert rated.games == ("a game",)


def test_scores_without_games_or_of_a_player_against_itself_are_not_rated():
    for scores, said in (([], "there are no games to rate"), ([Score.from_counts(1, 0, 0, a="x", b="x")], "'x' plays itself")):
        with pytest.raises(ValueError, match=said):
            rate(scores)


def test_the_command_prints_the_document_of_the_function(tmp_path, capsys):
    (tmp_path / "x.csv").write_text(GAMES)
    assert main(["rate", str(tmp_path / "x.csv"), "--anchor", "Ada=2000", "--seed", "5", "--json"]) == 0
    rated = rate(tmp_path / "x.csv", anchors={"Ada": 2000}, seed=5)
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(rated.document()))
    words = ["rate", str(tmp_path / "x.csv"), str(tmp_path / "x.csv"), "--resamples", "0", "--json"]
    assert main(words) == 0
    both = json.loads(capsys.readouterr().out)
    assert sum(pair["games"] for pair in both["pairs"]) == 2 * sum(pair["games"] for pair in rated.document()["pairs"])
    assert all(rating[1:] == [None, None] for rating in both["ratings"]["a game"].values())
    assert main(["rate", str(tmp_path / "x.csv"), "--anchor", "Ada=1", "--anchor", "Ada=2"]) == 2
    assert "'Ada' is an anchor twice" in capsys.readouterr().err
    for given, said in (("Adda=1", "did you mean 'Ada'?"), ("Ada", "it must be NAME=ELO"), ("Ada=nan", "it must be a number")):
        assert main(["rate", str(tmp_path / "x.csv"), "--anchor", given]) == 2
        assert said in capsys.readouterr().err
