"""The page of a tournament: what it says is what was played, and it needs nothing beside it."""

import re
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.arena import Tournament
from ludus.arena.grading.verdict import Judge, judge_of
from ludus.arena.matches.games import Pairing
from ludus.arena.pages import Replay, frames
from ludus.arena.planning.planning import make_plan
from ludus.arena.report.data import Report, report_of
from ludus.arena.report.page import page, write_report
from ludus.arena.report.plots import CHARACTER, GAP, LINE, LONGEST, align_names
from ludus.arena.store.store import Store
from ludus.core import words
from ludus.envs import game_names, make_game

from ...helpers.arena.played import join_pieces, random_games
from ...helpers.arena.reported import EVIL, contest_in

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
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.text: list[str] = []
        self.scripts: list[str] = []
        self._open: list[str] = []
        self._table: list[list[str]] | None = None
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if dict(attrs).get("role") == "region":
            self._table = self.tables[dict(attrs)["aria-label"] or ""] = []
        elif tag == "script":
            self.scripts.append("")
        elif tag == "tr" and self._table is not None:
            self._table.append([])
        elif tag in ("td", "th") and self._table is not None:
            self._table[-1].append("")

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag
        if tag == "table":
            self._table = None

    def handle_data(self, data):
        if self._open and self._open[-1] == "script":
            self.scripts[-1] += data
        else:
            self.text.append(data)
        if self._table is not None and {"td", "th"} & {*self._open}:
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
        rows = parsed.tables[f"Points in {make_game(spec).title}, row against column"][1:]
        for name, row in zip(names, rows, strict=True):
            for other, cell in zip(names, row[1:], strict=True):
                points = [
                    s.points if s.pairing.a == name else 1 - s.points
                    for s in contest.scores_of(spec)
                    if {*s.pairing[1:]} == {name, other}
                ]
                assert cell == ("" if name == other else f"{100 * points[0]:.0f}")


@pytest.mark.parametrize("spec", ["nim", "tictactoe"])
def test_grades_count_every_move_behind_the_opening(report: Report, contest: Tournament, parsed: Page, spec: str):
    (game,) = (one for one in report.games if one.game.spec == spec)
    judge, lost = judge_of(game.game), {name: [] for name in game.names}
    for record in contest.store.records():
        if record.pairing.game == spec:
            for ply, verdict in enumerate(judge.verdicts(record.actions)):
                if ply >= record.opening:
                    lost[record.players[ply % 2]].append(verdict.value_lost)  # in these games players take turns
    rows = parsed.tables[f"Grades in {game.game.title}"][1:]
    reported = [(row[0], int(row[2]), row[4], row[6]) for row in rows]
    kept = {name: words.percent(some.count(0) / len(some)) for name, some in lost.items()}
    assert reported == [(name, len(lost[name]), kept[name], f"{np.mean(lost[name]):.3f}") for name in game.names]
    floors = [(words.percent(grade.random_optimal_rate), f"{grade.random_value_lost:.3f}") for grade in game.grades.values()]
    assert [(row[3], row[7], row[8]) for row in rows] == [("100.0 %", *floor) for floor in floors]


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
    assert not [tag for tag, _ in parsed.elements if tag == "img"]
    assert not [name for _, attributes in parsed.elements for name in attributes if name.startswith("on")]
    kinds = [attributes.get("type") for tag, attributes in parsed.elements if tag == "script"]
    assert kinds == ["application/json"] * len(game_names()) + ["module"]


def test_a_page_is_written_whole(contest: Tournament, tmp_path: Path):
    with pytest.raises(OSError, match="nowhere"):
        write_report(tmp_path / "nowhere" / "page.html", contest, graded=0, samples=0)
    assert [*tmp_path.iterdir()] == []


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
        decided = [record for record in records if record.result and record.ending == "rules"]
        found = {sample.title: sample.record for sample in game.samples}
        assert len({(record.pairing, record.number) for record in found.values()}) == len(found) <= 4
        if record := found.get("An upset"):
            surprises = [elo[r.players[r.result > 0]] - elo[r.players[r.result < 0]] for r in decided]
            assert elo[record.players[record.result > 0]] - elo[record.players[record.result < 0]] == max(surprises) > 0
        if record := found.get("The two strongest"):
            assert {*record.players} == {*game.names[:2]}
        if len(found) == 4 and "The longest" in found:
            assert len(found["The longest"].actions) >= len(found["The shortest"].actions)


# ---- small parts


@given(st.lists(st.tuples(st.floats(0, 300), st.floats(0, 200)), max_size=12), st.data())
def test_names_beside_points_cover_nothing(points, data):
    names = [data.draw(st.sampled_from(["a", "minimax:depth=3", "mcts:simulations=1000000"])) for _ in points]
    boxes = []
    for (x, y), name, align in zip(points, names, align_names(points, names, 300), strict=True):
        if align:
            width = CHARACTER * min(len(name), LONGEST)
            left = x + GAP if align == "left" else x - GAP - width
            boxes.append((left, left + width, y))
    for one, other in combinations(boxes, 2):
        assert one[1] <= other[0] or other[1] <= one[0] or abs(one[2] - other[2]) >= LINE
