"""`ludus replay`: lists of games, single games step by step, and exports."""

import json
import os
import select
import subprocess
import sys
import time

import pytest

from ludus.arena.grading.verdict import judge_of
from ludus.arena.matches.record import parse, write
from ludus.arena.store.store import Store
from ludus.cli import main
from ludus.envs import make_game

from ..helpers.arena.played import plan_of, random_games

PLAN = plan_of("tictactoe", "quarto", policies=("random", "greedy", "mcts"), count=40)
GAMES = {pairing: random_games(pairing.game, range(40), n).records(pairing) for n, pairing in enumerate(PLAN.pairings)}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("replay") / "games.db"
    with Store.create(path, PLAN) as made:
        for n, pairing in enumerate(PLAN.pairings):
            made.add(pairing, random_games(pairing.game, range(40), n))
    return path


@pytest.fixture
def replay(capsys):
    """Runs the command, which must succeed: its output."""

    def command(*arguments):
        status = main(["replay", *map(str, arguments)])
        out, err = capsys.readouterr()
        assert (status, err) == (0, "")
        return out

    return command


@pytest.fixture
def document(replay):
    return lambda *arguments: json.loads(replay(*arguments, "--json"))


# ---- lists


def test_it_lists_pairings_and_some_of_their_games(store, document, replay):
    listed = document(store)
    assert [(p["pairing"], p["game"], p["a"], p["b"], p["games"]) for p in listed["pairings"]] == [
        (n, *pairing, 40) for n, pairing in enumerate(PLAN.pairings)
    ]
    for found, games in zip(listed["pairings"], GAMES.values(), strict=True):
        results = [game.result if game.number % 2 == 0 else -game.result for game in games]
        assert [found["wins"], found["draws"], found["losses"]] == [results.count(1), results.count(0), results.count(-1)]
    assert {game["pairing"] for game in listed["games"]} == set(range(6))
    assert [session["number"] for session in listed["sessions"]] == [1]
    out = replay(store)
    assert all(word in out for word in ["tictactoe", "quarto", "random", "greedy", "mcts", "a wins", "--pairing N --game N"])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_text_is_listed_like_a_store_in_the_encodings_that_windows_writes(tmp_path, document, encoding):
    text = tmp_path / "games.txt"
    text.write_text("\n".join(map(write, [GAMES[PLAN.pairings[1]][7], GAMES[PLAN.pairings[4]][2]])), encoding=encoding)
    listed = document(text)
    assert [(p["game"], p["games"]) for p in listed["pairings"]] == [("tictactoe", 1), ("quarto", 1)]
    assert [(game["pairing"], game["number"]) for game in listed["games"]] == [(0, 7), (1, 2)]
    assert listed["sessions"] == []


# ---- one game


@pytest.mark.parametrize(("number", "games"), [(0, range(8)), (4, [0, 2])])
def test_a_game_is_printed_position_by_position(store, replay, number, games):
    pairing = PLAN.pairings[number]
    for record in (GAMES[pairing][game] for game in games):
        out = replay(store, "--pairing", number, "--game", record.number)
        game, place, state = make_game(pairing.game), 0, make_game(pairing.game).start
        verdicts = judge_of(game).verdicts(record.actions)
        for ply, action in enumerate([None, *record.actions]):
            if action is not None:
                player = game.player(state)
                state = game.play(state, action)
                by = "the opening" if ply <= record.opening else record.players[player]
                said = f"{ply}. {game.moves[action]}, by {by} ({game.player_names[player]})\n"
                if ply > record.opening and (sentence := verdicts[ply - 1].sentence(game)):
                    said += f"   {sentence}\n"
                place = out.index(said, place)
            place = out.index(game.picture(state, action), place)
        last = out.rstrip().split("\n\n")[-1]
        winner = {1: record.players[0], -1: record.players[1], 0: "A draw"}[record.result]
        assert last.startswith(winner)
        assert " ".join(record.reason.split()) in last


def test_json_shows_a_game_with_its_verdicts(store, document):
    pairing = PLAN.pairings[2]
    record = GAMES[pairing][3]
    found = document(store, "--pairing", 2, "--game", 3)
    game = make_game(pairing.game)
    assert (found["game"], found["a"], found["b"], found["number"], found["players"]) == (*pairing, 3, list(record.players))
    assert (found["key"], found["result"], found["ending"], found["opening"]) == (record.key, record.result, record.ending, 2)
    assert (found["start"], found["session"]["number"]) == (game.text(game.start), 1)
    assert [move["move"] for move in found["moves"]] == [game.moves[action] for action in record.actions]
    assert [move["policy"] is None for move in found["moves"]] == [ply < 2 for ply in range(len(record.actions))]
    for move, verdict in zip(found["moves"], judge_of(game).verdicts(record.actions), strict=True):
        values = move["before"]["value"], move["after"]["value"], move["word"], move["verdict"]
        assert values == (verdict.before.value, verdict.after.value, verdict.word, verdict.sentence(game))
        assert move["best"] == [game.move_name(action) for action in verdict.best]
    without = document(store, "--pairing", 2, "--game", 3, "--no-oracle")
    assert "verdict" not in without["moves"][0]


def test_at_a_terminal_one_steps_through_with_keys(store):
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "ludus.cli", "replay", str(store), "--pairing", "0", "--game", "1"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm"}) as process:
        os.close(theirs)
        seen, end = "", time.monotonic() + 600

        def until(words):
            nonlocal seen
            while words not in seen:
                assert select.select([ours], [], [], max(0, end - time.monotonic()))[0], seen
                seen += os.read(ours, 65536).decode()
            seen = seen.partition(words)[2]

        length = len(GAMES[PLAN.pairings[0]][1].actions)
        for press, page in (("", 0), ("\n", 1), ("n\x1b[C", 3), ("p", 2), ("l", length), ("\x1b[D", length - 1)):
            os.write(ours, press.encode())
            until(f"   {page}/{length}")
            until("quit: q")
        os.write(ours, b"q")
        assert process.wait(timeout=600) == 0
    os.close(ours)


# ---- exports


def test_games_are_written_for_other_programs(store, tmp_path, document, replay):
    path = tmp_path / "out.txt"
    assert document(store, "--export", path) == {"file": str(path), "games": 240}
    assert replay(store, "--pairing", 3, "--export", path) == f"40 games written to {path}\n"
    assert parse(path.read_text(encoding="utf-8")) == GAMES[PLAN.pairings[3]]
    replay(store, "--pairing", 3, "--game", 17, "--export", path)
    assert document(path) == {**document(store, "--pairing", 3, "--game", 17), "session": None}
    errors = sum(game.ending == "error" for games in GAMES.values() for game in games)
    assert document(store, "--ending", "error", "--export", path)["games"] == errors


# ---- files of other programs


def test_a_game_of_another_program_is_shown_with_its_players_or_names_for_them(tmp_path, replay, document):
    path = tmp_path / "a.txt"
    path.write_text("f5d6c3d3c4f4\n")
    (pairing,) = document(path, "--pairing", 0)["pairings"]
    assert [pairing[name] for name in ("games", "wins", "draws", "losses")] == [1, 0, 0, 0]  # unfinished, and no draw
    out = replay(path, "--no-oracle")
    assert out.startswith("othello, game 0: player 0 (black) – player 1 (white)\n")
    assert out.rstrip().endswith("The game is unfinished: black to move · 5 black, 5 white.")
    assert document(path, "--no-oracle")["result"] is None
    path.write_text('[White "Ada"]\n[Black "Bob"]\n[Start "XO------- X"]\n1. b2 c3 0-1\n[White "Cy"]\n1. a1')
    assert "pairing" in replay(path, "--spec", "tictactoe")
    out = replay(path, "--spec", "tictactoe", "--pairing", 0, "--game", 0)
    assert "the start\n\n" in out
    assert out.endswith("Bob (O) wins, as the file says.\n")
    found = document(path, "--spec", "tictactoe", "--pairing", 0, "--game", 0)
    assert (found["start"], found["ending"], found["result"]) == ("XO------- X", "declared", -1)
