"""The page of a tournament: what it says is what was played, and it needs nothing beside it."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from ludus.arena import Tournament
from ludus.arena.grading.verdict import Judge, judge_of
from ludus.arena.matches.games import Pairing
from ludus.arena.pages import Replay, frames
from ludus.arena.planning.planning import make_plan
from ludus.arena.report.data import Report, report_of
from ludus.arena.report.page import page
from ludus.arena.store.store import Store
from ludus.core import words
from ludus.envs import game_names, make_game

from ...helpers.arena.played import EVIL, REASON, contest_in, join_pieces, random_games

VOID = {"meta", "link", "br", "input"}


@pytest.fixture(scope="module")
def contest() -> Tournament:
    """All games, a few of each."""
    return contest_in(*game_names())


@pytest.fixture(scope="module")
def report(contest: Tournament) -> Report:
    return report_of(contest, command="ludus arena --seed 3", graded=40)


@pytest.fixture(scope="module")
def text(report: Report) -> str:
    return page(report)


class Page(HTMLParser):
    """A page taken apart: its elements, its text, its tables by their regions, its scripts.

    Raises:
        AssertionError: an element is not closed, or closed twice.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements, self.text, self.scripts = list[tuple[str, dict[str, str | None]]](), list[str](), list[str]()
        self.tables: dict[str, list[list[str]]] = {}
        self._table, self._open = list[list[str]](), list[str]()
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if dict(attrs).get("role") == "region":
            self._table = self.tables[dict(attrs)["aria-label"] or ""] = []
        elif tag == "tr":
            self._table.append([])
        elif tag in ("td", "th"):
            self._table[-1].append("")

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        (self.scripts if self._open[-1:] == ["script"] else self.text).append(data)
        if {"td", "th"} & {*self._open}:
            self._table[-1][-1] += data


@pytest.fixture(scope="module")
def parsed(text: str) -> Page:
    return Page(text)


# ---- what it says


def test_every_game_has_a_section_and_every_policy_a_line_in_each(parsed: Page, contest: Tournament):
    for spec in contest.games:
        title = make_game(spec).title
        rows = parsed.tables[f"Standing in {title}"][1:]
        assert [row[1] for row in rows] == [*contest.ratings[spec].elo]
        assert {row[1] for row in rows} == {"random", "greedy", EVIL}
        assert [row[0] for row in rows] == ["1", "2", "3"]
    assert {attributes.get("id") for tag, attributes in parsed.elements if tag == "section"} == {
        "overview",
        *(spec.replace("_", "-") for spec in contest.games),
    }


def test_the_pairings_are_the_scores(parsed: Page, contest: Tournament):
    for spec in contest.games:
        rows = parsed.tables[f"Every pairing in {make_game(spec).title}"][1:]
        reported = [[row[0], row[1], *map(int, row[2:5])] for row in rows]
        assert reported == [[*s.pairing[1:], s.wins, s.draws, s.losses] for s in contest.scores_of(spec)]


def test_the_cross_table_has_the_points_of_the_row_against_the_column(parsed: Page, contest: Tournament):
    for spec in contest.games:
        names = [*contest.ratings[spec].elo]
        points = {(name, name): "" for name in names}
        for score in contest.scores_of(spec):
            points[score.pairing[1:]] = f"{100 * score.points:.0f}"
            points[score.pairing[:0:-1]] = f"{100 - 100 * score.points:.0f}"
        rows = parsed.tables[f"Points in {make_game(spec).title}, row against column"][1:]
        assert [row[1:] for row in rows] == [[points[name, other] for other in names] for name in names]


@pytest.mark.parametrize("spec", ["nim", "tictactoe"])
def test_grades_count_every_move_behind_the_opening(report: Report, contest: Tournament, parsed: Page, spec: str):
    (game,) = (one for one in report.games if one.game.spec == spec)
    judge, lost = judge_of(game.game), {name: [] for name in game.names}
    for record in contest.store.records():
        if record.pairing.game == spec:
            for ply, verdict in enumerate(judge.verdicts(record.actions)):
                if ply >= record.opening:
                    lost[record.players[ply % 2]].append(verdict.value_lost)  # in these games players take turns
    for row, name in zip(parsed.tables[f"Grades in {game.game.title}"][1:], game.names, strict=True):
        some, grade = lost[name], game.grades[name]
        assert (row[0], int(row[2]), row[3]) == (name, len(some), "100.0 %")
        assert (row[4], row[6]) == (words.percent(some.count(0) / len(some)), f"{np.mean(some):.3f}")
        assert (row[7], row[8]) == (words.percent(grade.random_optimal_rate), f"{grade.random_value_lost:.3f}")


def test_a_tournament_without_games_has_a_page_that_says_so():
    plan, cast = make_plan(["nim"], ["random", "greedy"], 4)
    empty = page(report_of(Tournament(Store.create(None, plan), cast)))
    assert "No game has been played yet" in empty
    Page(empty)


# ---- it needs nothing, and names do no harm


def test_the_page_asks_for_nothing_from_elsewhere(text: str, parsed: Page):
    assert {*re.findall(r"https?://[^\"\\ ]*", text)} <= {"http://www.w3.org/2000/svg"}
    assert "@import" not in text
    assert [target for target in re.findall(r"url\(([^)]*)", text) if not target.startswith("#")] == []
    asking = ("src", "srcset", "href", "xlink:href", "action", "data", "poster")
    targets = [attributes[name] or "" for _, attributes in parsed.elements for name in asking if name in attributes]
    assert [target for target in targets if not target.startswith(("#", "data:"))] == []


def test_what_people_name_is_written_as_text(text: str, parsed: Page):
    assert "<script>alert" not in text
    assert "<img" not in text
    assert EVIL in parsed.text
    assert REASON in "".join(parsed.text)
    assert "answered" not in text  # as nobody speaks
    assert not [tag for tag, _ in parsed.elements if tag == "img"]
    assert not [name for _, attributes in parsed.elements for name in attributes if name.startswith("on")]
    kinds = [attributes.get("type") for tag, attributes in parsed.elements if tag == "script"]
    assert kinds == ["application/json"] * len(game_names()) + ["module"]


# ---- games to step through


def test_frames_joined_are_the_drawings_again(game):
    record = random_games(game.spec, np.arange(2)).records(Pairing(game.spec, "a", "b"))[1]
    judge = Judge(game, None)
    film = frames.film(game, [Replay("", record, judge.verdicts(record.actions))])
    drawings = [join_pieces(film["pieces"], row) for row in film["games"][0]["frames"]]
    moves = zip(game.play_line(record.actions), (None, *record.actions), strict=True)
    assert drawings == [game.svg(*at) for at in moves]
    assert film["games"][0]["levels"] == [None] * len(drawings)


def test_moves_are_reported_with_their_verdicts():
    spec = "othello:size=4"
    game = make_game(spec)
    judge = judge_of(game)
    for record in random_games(spec, np.arange(6), seed=1).records(Pairing(spec, "a", "b")):
        verdicts = judge.verdicts(record.actions)
        (reported,) = frames.film(game, [Replay("why", record, verdicts)])["games"]
        states = game.play_line(record.actions)
        assert [move["move"] for move in reported["moves"]] == [game.move_name(action) for action in record.actions]
        assert [move["by"] for move in reported["moves"]] == [game.player(state) for state in states[:-1]]
        assert [move["verdict"] for move in reported["moves"]] == [verdict.sentence(game) for verdict in verdicts]
        values = [judge.solution(state).value * (1 - 2 * game.player(state)) for state in states]
        assert [np.sign(level) for level in reported["levels"]] == values
        blunders = [ply for ply, verdict in enumerate(verdicts, 1) if verdict.value_lost and ply > record.opening]
        assert reported["first"] == (blunders[-1] if blunders else len(record.actions))


def test_the_samples_are_what_they_are_called(report: Report, contest: Tournament):
    for game in report.games:
        elo = {name: rating.elo for name, rating in game.ratings.elo.items()}
        records = [record for record in contest.store.records() if record.pairing.game == game.game.spec]
        found = {sample.title: sample.record for sample in game.samples}
        assert len({(record.pairing, record.number) for record in found.values()}) == len(found) <= 4
        if record := found.get("An upset"):
            decided = [one for one in (record, *records) if one.result and one.ending == "rules"]
            first, *leads = (elo[one.players[one.result > 0]] - elo[one.players[one.result < 0]] for one in decided)
            assert first == max(leads) > 0
        if record := found.get("The two strongest"):
            assert {*record.players} == {*game.names[:2]}
