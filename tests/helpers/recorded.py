"""Games of random moves as files hold them, for tests of formats."""

import struct
from pathlib import Path

import numpy as np

import ludus
from ludus.cli.playing.live_game import LiveGame, save
from ludus.envs import make_game
from ludus.records import RecordedGame, write_games
from ludus.records.game import result_of

GAME = make_game("tictactoe")


def random_game(spec, seed=0, plies=None, start=False, **fields):
    """A game of random moves, which stops after some plies, at its end, or at 300; from the game's own start or, where `start` says
    so, from a position a few plies on. Other fields are recorded of it."""
    game, rng = make_game(spec), np.random.default_rng(seed)
    state, actions = game.start, []

    def step():
        nonlocal state
        actions.append(int(rng.choice(game.legal_actions(state))))
        state = game.play(state, actions[-1])

    if start:
        for _ in range(2):
            step()
        actions.clear()
    first = game.text(state) if start else None
    while game.outcome(state) is None and len(actions) < (300 if plies is None else plies):
        step()
    return RecordedGame(game.spec, first, tuple(actions), result=result_of(game, state), **fields)


# ---- files of Othello's other programs, which are read and not written here


GGS = """2
(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Ada]PW[Bob]RB[2197.01]TI[05:00//02:00]TY[8r20]RE[+64.000:r]
BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
B[F5//0.01]W[d6/-2.5/1.25]B[c3]W[d3//0.5]
B[c4];)(;GM[othello]PB[]PW[Cy]TY[8]RE[?]BO[8 ---------------------------O*------*O--------------------------- *]B[D3//2.991];)
"""
"""Two games of the server GGS, the first of which was given up."""
OBF = """% problems
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; b1:-4; % the first
"""


def wthor(*games, size=8, year=2001, count=None):
    """A file of WTHOR by its published layout: of each game the numbers of tournament, black and white, two scores, its moves."""
    records = [struct.pack("<3H2B", *numbers) + bytes(moves).ljust(60, b"\0") for *numbers, moves in games]
    header = struct.pack("<4BIHH4B", 20, 1, 12, 31, len(games) if count is None else count, 0, year, size, 0, 24, 0)
    return header + b"".join(records)


WTHOR_GAMES = (1, 0, 2, 40, 38, [56, 64, 33, 34, 43]), (0, 2, 3, 32, 32, [34])
ONLY_READ = {"ggf": GGS.encode(), "obf": OBF.encode(), "wthor": wthor(*WTHOR_GAMES)}


def write_examples():
    """Writes the files that the pages name as their reader's into the current folder."""
    names = {"header": {"Date": "2001"}, "players": ("Ada", "Bob")}
    games = [random_game("othello", seed, **names) for seed in range(2)]
    for path in ("club.pgn", "club.transcripts"):
        write_games(path, games)
    Path("WTH_2001.wtb").write_bytes(wthor(*WTHOR_GAMES))
    Path("problems.obf").write_text(OBF)
    Path("league.csv").write_text("first,second,result\nAda,Bob,1-0\nBob,Cid,1/2-1/2\n")
    Path("club.transcripts").rename("club.txt")
    write_games("evening.pgn", [random_game("quarto", 0, **names)])
    live = LiveGame(GAME, ludus.make_policy("random", GAME), "random", 0, 0, GAME.start, [0, 4])
    save(live, Path("saved.json"))
