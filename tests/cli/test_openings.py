"""`--openings` and `--opening-plies` of `ludus arena` and `ludus grade`: what the store keeps and everything printed names."""

from pathlib import Path

import pytest

from ludus.arena.store.store import Store
from ludus.records import load_openings

FILE = "# proven: drawn\na1 b2\n---XO---- X :\nb2 a1\n"


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    """A file of three openings in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    Path("mine.openings").write_text(FILE)
    return Path("mine.openings")


def test_a_tournament_from_a_file_names_it_everywhere_and_resumes_without_it(run, document, file):
    suite = load_openings(file, "tictactoe")
    named = {"name": "mine.openings", "count": 3, "label": "proven: drawn", "checksum": suite.checksum}
    sentence = f"the 3 openings of mine.openings (proven: drawn), checksum {suite.checksum}"
    shown = document("arena", "tictactoe", "--policies", "random", "greedy", "--openings", file, "--store", "a.sqlite")
    assert (shown["suites"], shown["pairs"][0]["suite"]) == ({"tictactoe": named}, named)
    assert shown["pairs"][0]["games"] == 6
    assert f"Games began with {sentence}" in Path(shown["report"]).read_text()
    file.unlink()
    _, out, _ = run("arena", "--resume", "a.sqlite", "--no-report")
    assert f"Games began with {sentence}, each from both seats." in out
    _, out, _ = run("replay", "a.sqlite")
    assert f"Games of tictactoe began with {sentence}, each from both seats." in out
    listed = document("replay", "a.sqlite")
    assert listed["suites"] == {"tictactoe": named}
    assert [game["start"] for game in listed["games"]] == [None, None, "---XO---- X", "---XO---- X", None, None]
    assert document("replay", "a.sqlite", "--pairing", 0, "--game", 2)["start"] == "---XO---- X"
    with Store.open("a.sqlite") as store:
        records = list(store.records())
    run("replay", "a.sqlite", "--export", "games.txt")
    again = document("replay", "games.txt")
    assert [game["start"] for game in again["games"]] == [record.start for record in records]


def test_openings_are_one_way_to_begin_and_are_fixed_by_protocols_and_stores(run, file):
    common = ("arena", "tictactoe", "--policies", "random", "greedy", "--no-report", "--openings", file)
    status, _, error = run(*common, "--opening-plies", 2)
    assert (status, "openings are given, and opening_plies is 2" in error) == (2, True)
    status, _, error = run("arena", "nim", "--protocol", "ludus-2", "--policies", "random", "--openings", file)
    assert (status, "--openings" in error and "--protocol fixes it" in error) == (2, True)
    run(*common, "--store", "a.sqlite")
    status, _, error = run("arena", "--resume", "a.sqlite", "--openings", file)
    assert (status, "the store fixes it" in error) == (2, True)
    status, _, error = run("arena", "nim", *common[2:])
    assert (status, "mine.openings" in error) == (2, True)
    status, _, error = run(*common[:-1], "gone.openings")
    assert (status, "there is no file gone.openings" in error) == (2, True)
    assert not Path("gone.sqlite").exists()


def test_a_grade_is_of_moves_after_the_openings(run, document, file):
    common = ("grade", "tictactoe", "--policy", "greedy", "--openings")
    graded = document(*common, file)
    assert (graded["games"], graded["beatable"], graded["suite"]["name"]) == (6, None, "mine.openings")
    assert {entry["ply"] for entry in graded["by_ply"]} <= {*range(9)}
    _, out, _ = run(*common, "balanced", "--games", 4)
    assert (
        "Games began with the first 2 of the 21 openings of balanced (proven by the oracle: drawn with perfect play), checksum"
        in out
    )
    status, _, error = run(*common, file, "--exact")
    assert (status, "an exact grade plays no games" in error) == (2, True)


GREEDY = ("grade", "tictactoe", "--policy", "greedy", "--games", 8)


@pytest.mark.parametrize(
    ("command", "plies", "sentence"),
    [
        (("arena", "tictactoe", "--policies", "random", "greedy", "--games", 8, "--store", "a.sqlite"), 2, "2 random plies, each"),
        (GREEDY, 0, "at the start, without random plies"),
        ((*GREEDY, "--opening-plies", 1), 1, "1 random ply, each opening from both seats"),
    ],
)
def test_results_say_with_how_many_random_plies_games_began(run, document, command, plies, sentence):
    shown = document(*command)
    assert shown.get("pairs", [shown])[0]["opening_plies"] == plies
    Path("a.sqlite").unlink(missing_ok=True)
    _, out, _ = run(*command)
    sentences = {" ".join(line.split()) for line in out.splitlines() if line.startswith("Games began")}
    assert [sentence in words for words in sentences] == [True]


@pytest.mark.parametrize("instead", [("--exact",), ("--games", "games.txt"), ("--openings", "mine.openings")])
def test_random_plies_begin_games_that_are_played_for_a_grade(run, document, instead):
    run("arena", "tictactoe", "--policies", "random", "greedy", "--games", 2, "--store", "a.sqlite", "--no-report")
    run("replay", "a.sqlite", "--export", "games.txt")
    who = () if "--games" in instead else ("--policy", "greedy")
    status, _, error = run("grade", "tictactoe", *who, *instead, "--opening-plies", 1)
    assert (status, "opening" in error) == (2, True)
