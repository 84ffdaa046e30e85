"""The server of the board in the browser: what it answers, and what it refuses."""

import random
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from ludus.agents import policies_for
from ludus.envs import game_names, make_game
from ludus.oracles import make_oracle
from ludus.oracles.oracle import Solution
from ludus.records.only_moves import puzzles_of
from ludus.web.offers import Offers
from ludus.web.positions import position_view

from ..helpers.outside.careful import CIRCLE, SPEC
from ..helpers.site import Client, connected, served


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with served() as host:
        yield host


@pytest.fixture
def page(host: str) -> Iterator[Client]:
    with connected(host) as page:
        yield page


def fetched(host: str, path: str = "/", **headers: str) -> tuple[int, dict[str, str], str]:
    request = urllib.request.Request(f"http://{host}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()


def random_line(spec: str, rng: random.Random, plies: int) -> list[str]:
    """The moves of a random game, as far as it goes."""
    game = make_game(spec)
    state, moves = game.start, list[str]()
    while game.outcome(state) is None and len(moves) < plies:
        action = rng.choice(game.legal_actions(state))
        moves.append(game.move_name(action))
        state = game.play(state, action)
    return moves


# ---- positions


@pytest.mark.parametrize("spec", ["quarto", "quixo:size=4", "nim:heaps=2+2,misere=true"])
def test_a_position_comes_with_its_drawing_and_its_legal_moves(page: Client, spec: str):
    game, moves = make_game(spec), random_line(spec, random.Random(1), 1 if spec.startswith("nim") else 5)
    state = game.play_line(map(game.action, moves))[-1]
    shown = page.ask("show", game=spec, moves=moves)
    assert shown["position"] == game.text(state)
    assert shown["player"] == game.player(state)
    assert shown["svg"] == game.svg(state, game.action(moves[-1]))
    places = {one["move"]: [place["box"] for place in one["places"]] for one in shown["legal"]}
    assert places == {
        game.move_name(action): [list(box) for box in game.clicks(state, action)] for action in game.legal_actions(state)
    }


@pytest.mark.parametrize(
    ("spec", "start", "names"),
    [
        ("quixo:size=3", "XO------- X", {"a1>a3": ["a1, X", "a3, empty"]}),
        ("quarto", None, {"give 7": ["give 7, dark, tall, square, solid"]}),
        ("nim:heaps=2+3", None, {"2-3": ["2-3, take 3 of heap 2"]}),
        ("connect_four", "-" * 38 + "X--- O", {"c": ["column c, falls to c6 on the bottom"], "d": ["column d, falls to d5 on X"]}),
    ],
)
def test_places_have_names_for_those_who_do_not_see_them(spec: str, start: str | None, names: dict[str, list[str]]):
    found = {one["move"]: [place["name"] for place in one["places"]] for one in position_view(spec, start, [])["legal"]}
    assert names.items() <= found.items()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"game": "chess"}, "no game 'chess'"),
        ({"game": "tictactoe", "moves": ["a1", "a1"]}, "a1 is not legal in 'X-------- O'"),
        ({"game": "<img src=x onerror=alert(1)>"}, "no game '<img src=x onerror=alert(1)>'"),
    ],
)
def test_what_is_no_position_is_answered_by_a_sentence(page: Client, fields: dict[str, object], said: str):
    answer = page.ask("show", **fields)
    assert answer.keys() == {"id", "error"}
    assert said in answer["error"]


# ---- policies


def test_a_policy_remembers_what_it_left_on_the_line_that_is_played():
    start, moves = CIRCLE
    with served(careful=SPEC) as host, connected(host) as page:
        line = {"game": "quixo:size=3", "start": start, "policy": "careful"}
        first = page.ask("answer", moves=moves[:1], **line)["move"]
        assert first == moves[1]
        assert page.ask("answer", moves=moves, **line)["move"] != first
        assert page.ask("answer", moves=moves[:1], **line)["move"] == first


@pytest.mark.parametrize("name", game_names())
def test_every_policy_that_is_offered_answers_a_legal_move(page: Client, name: str):
    (offer,) = (game for game in page.ask("offer")["games"] if game["name"] == name)
    assert [one["name"] for one in offer["policies"]] == [*policies_for(make_game(name))]
    for policy in ("random", "greedy", "minimax:depth=2", "mcts:simulations=50"):
        move = page.ask("answer", game=name, policy=policy)["move"]
        assert move in {one["move"] for one in page.ask("show", game=name)["legal"]}


def test_levels_are_policies_that_a_page_may_name_from_easy_to_perfect():
    for offer in Offers().document()["games"]:
        assert offer["name"] in offer["levels"]
        for levels in offer["levels"].values():
            assert [level["name"] for level in levels] == ["easy", "medium", "hard", "perfect"]
            for level in levels:
                assert Offers().policy(level["policy"]) == level["policy"]
                assert policies_for(make_game(offer["name"])).index(level["policy"].partition(":")[0]) >= 0


def test_the_puzzles_of_a_game_are_those_beside_its_rules(page: Client):
    counts = {spec: count for game in page.ask("offer")["games"] for spec, count in game["puzzles"].items()}
    for spec in ("nim", "quixo:size=3"):
        puzzles = [puzzle._asdict() for puzzle in puzzles_of(make_game(spec))]
        assert page.ask("puzzles", game=spec)["puzzles"] == puzzles
        assert counts[spec] == len(puzzles)
    assert page.ask("puzzles", game="othello:size=4")["puzzles"] == []
    assert "chess" in page.ask("puzzles", game="chess")["error"]


def test_a_policy_that_takes_too_long_is_stopped_and_the_next_question_is_answered(host: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ludus.web.server.SECONDS", 0.3)
    with connected(host) as page:
        slow = page.ask("answer", game="othello", policy="minimax:depth=60")
        assert slow["error"] == "no answer after 0.3 seconds; choose lighter settings"
        monkeypatch.setattr("ludus.web.server.SECONDS", 60.0)
        assert "move" in page.ask("answer", game="othello", policy="random")


def test_others_are_answered_while_a_policy_thinks_and_a_page_that_goes_stops_it(host: str):
    with connected(host) as other:
        with connected(host) as page:
            page.send("answer", game="othello", policy="minimax:depth=60")
            assert "svg" in other.ask("show", game="othello")
        assert "move" in other.ask("answer", game="othello", policy="random")  # the one thinker is free again


# ---- perfect play


@pytest.mark.parametrize("spec", ["tictactoe", "nim", "quixo:size=3", "othello:size=4"])
def test_the_verdicts_on_positions_and_all_their_moves_are_those_of_the_oracle(page: Client, spec: str):
    game, rng, oracle = make_game(spec), random.Random(2), make_oracle(spec)
    for _ in range(20):
        moves = random_line(spec, rng, rng.randrange(6))
        state = game.play_line(map(game.action, moves))[-1]
        judged, solution = page.ask("judge", game=spec, moves=moves), oracle.solve(state)
        over = game.outcome(state) is not None
        expected = {} if over else {game.move_name(action): verdict(after) for action, after in oracle.after(state).items()}
        assert judged["moves"] == expected
        if not over:
            assert {name: judged[name] for name in ("value", "distance", "score")} == verdict(solution)


def verdict(solution: Solution) -> dict[str, int | None]:
    return {"value": solution.value, "distance": solution.distance, "score": solution.score}


def test_verdicts_of_a_search_come_move_by_move(page: Client):
    number = page.send("judge", game="othello", start="--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X")
    parts = [page.next()]
    while "left" in parts[-1]:
        parts.append(page.next())
    assert {part["id"] for part in parts} == {number}
    whole = parts.pop()
    assert whole["moves"] == {move: verdict for part in parts for move, verdict in part["moves"].items()} | whole["moves"]
    assert (whole["value"], whole["score"]) == (1, 18)


# ---- who may ask


def test_every_file_comes_with_a_strict_policy_for_its_content(host: str):
    for path in ("/", "/page/main.js", "/page/style.css", "/nothing"):
        _, headers, _ = fetched(host, path)
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/page/../server.py", "/page/%2e%2e/server.py", "/page//etc/passwd", "/server.py"])
def test_nothing_but_the_page_is_served(host: str, path: str):
    assert fetched(host, path)[0] == 404


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None])
def test_other_pages_cannot_open_the_socket(host: str, origin: str | None):
    with pytest.raises(InvalidStatus), connect(f"ws://{host}/socket", origin=origin):
        pass


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ('{"type": "show", "id": 7, "game": ' + "[" * 30_000, 7),
        ('{"type": "show", "id": 7, "game": "\\ud800"}', 7),
        ('{"type": "show", "id": 7, "game": "evil:X"}', 7),
        ('{"id": 7e3, "type": "show"}', None),
        ("[" * 60_000, None),
        ('{"type": "boo", "id": 1}', 1),
    ],
)
def test_a_message_that_is_refused_carries_its_number_where_it_has_one(
    page: Client, text: str, number: int | None, caplog: pytest.LogCaptureFixture
):
    page.say(text)
    answer = page.next()
    assert (answer.keys(), answer["id"]) == ({"id", "error"}, number)
    assert "svg" in page.ask("show", game="nim")
    assert caplog.records == []


@pytest.mark.parametrize(("message", "code"), [(b'{"type": "offer", "id": 1}', "1003"), ("x" * (1 << 20), "1009")])
def test_a_page_that_sends_bytes_or_too_much_is_closed_and_no_other(
    host: str, page: Client, message: str | bytes, code: str, caplog: pytest.LogCaptureFixture
):
    with connected(host) as other:
        other.say(message)
        with pytest.raises(ConnectionClosedError, match=code):
            other.next()
    assert "svg" in page.ask("show", game="nim")
    assert caplog.records == []
