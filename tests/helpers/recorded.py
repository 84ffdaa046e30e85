"""Games of random moves as files hold them, for tests of formats."""

from pathlib import Path

import numpy as np

import ludus
from ludus.cli.playing.live_game import LiveGame, save
from ludus.envs import make_game
from ludus.records import RecordedGame, write_games
from ludus.records.game import result_of

GAME = make_game("tictactoe")


def random_game(spec, seed=0, plies=None, start=False, **fields):
    """A game of random moves.

    Args:
        spec: the game.
        seed: draws its moves.
        plies: after how many moves it stops; None to play it to its end, or to 300 plies.
        start: whether it starts from a position a few plies from the game's own start.
        fields: what else is recorded of it.
    """
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


def write_examples():
    """Writes the files that the pages name as their reader's into the current folder."""
    names = {"header": {"Date": "2001"}, "players": ("Ada", "Bob")}
    games = [random_game("othello", seed, **names) for seed in range(2)]
    for path in ("club.pgn", "club.transcripts", "WTH_2001.wtb", "problems.obf"):
        write_games(path, games)
    Path("club.transcripts").rename("club.txt")
    write_games("evening.pgn", [random_game("quarto", 0, **names)])
    live = LiveGame(GAME, ludus.make_policy("random", GAME), "random", 0, 0, GAME.start, [0, 4])
    save(live, Path("saved.json"))
