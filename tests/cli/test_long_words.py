"""Whatever text is given, however long, an error repeats its beginning alone: from Python, and on the command line."""

import gymnasium
import pettingzoo
import pytest

import ludus
from ludus import arena, baselines, data, oracles, records

MOST = 2_000
"""Characters of an error, with all that it lists, and the usage of a command."""
LONG = "X" * 2_000_000
FORMS = (LONG, "x " * 50_000, f"othello:{LONG}=6", f"minimax:{LONG}=1", f"python:{LONG}:f", f"run:{LONG}", f"/tmp/{LONG}")
CALLS = {
    "make_game": ludus.make_game,
    "make_policy": lambda text: ludus.make_policy(text, "nim"),
    "make_oracle": oracles.make_oracle,
    "evaluate": lambda text: arena.evaluate(text, "random", "nim", games=2),
    "train": lambda text: baselines.train(text, "nim"),
    "games": lambda text: data.games("nim", 1, policies=text),
    "check_data": data.check_data,
    "read_games": records.read_games,
    "read_positions": lambda text: records.read_positions("a", "nim", format=text),
    "openings": lambda text: records.load_openings(text, "nim"),
    "a setting": lambda text: pettingzoo.make("aec", "ludus/nim-v0", heaps=text),
    "opponent": lambda text: gymnasium.make("ludus/Nim-v0", opponent=text),
    "seat": lambda text: gymnasium.make("ludus/Nim-v0", seat=text),
    **{f"a move of {name}": ludus.make_game(name).action for name in ludus.game_names()},
    **{f"a position of {name}": ludus.make_game(name).parse for name in ludus.game_names()},
    **{f"where {name} begins": pettingzoo.make("aec", f"ludus/{name}-v0").reset for name in ludus.game_names()},
}
COMMANDS = (
    "solve nim {}; solve {}; perft nim --position {}; play nim --seat {}; play --load {}; arena {}; replay {}; convert {} a.pgn; "
    "arena nim --policies {} random; grade nim --games {}; train {} nim; export {}; puzzle {}; games {} --out a; list {}; {}; "
    "positions nim --ply {} --out a; check-data {}; text {}; list --{}; list --import {}; demo --report {}; convert a.pgn b --to {}"
)


@pytest.mark.parametrize("name", CALLS)
def test_an_error_repeats_the_beginning_of_what_was_given(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").touch()
    for text in FORMS:
        given = {"options": {"position": text}} if name.startswith("where") else {}
        with pytest.raises((ValueError, OSError)) as error:
            CALLS[name](**given) if given else CALLS[name](text)
        assert len(str(error.value)) < MOST


@pytest.mark.parametrize("command", COMMANDS.split("; "))
def test_a_command_repeats_the_beginning_of_what_was_given(command, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for text in FORMS[::3]:
        status, out, err = run(*(word.replace("{}", text) for word in command.split()))
        assert (status, out) == (2, "")
        assert len(err) < MOST
