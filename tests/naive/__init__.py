"""A twin of each game's rules: slow, obvious, and written from the rulebook alone.

Twins share nothing with the compiled rules but the names of moves and the notation of positions. All have one shape:

    start(**settings)   the position that games start from
    player              who moves, 0 or 1; in a finished game, who would be next
    legal()             the names of the legal moves; none in a finished game
    play(move)          the position after a legal move
    outcome()           None in an unfinished game, or the results of both players
    text()              the position in the game's notation
    planes(seat)        what a seat observes, as nested lists
"""

from dataclasses import asdict

from ludus.envs import Game

from .connect_four import ConnectFour
from .nim import Nim
from .othello import Othello
from .quarto import Quarto
from .quixo import Quixo
from .tictactoe import TicTacToe

TWINS = {
    "nim": Nim,
    "tictactoe": TicTacToe,
    "quarto": Quarto,
    "quixo": Quixo,
    "othello": Othello,
    "connect_four": ConnectFour,
}

Twin = Nim | TicTacToe | Quarto | Quixo | Othello | ConnectFour


def twin_of(game: Game) -> Twin:
    """The start of a game, as its twin has it."""
    return TWINS[game.name].start(**asdict(game))


def leaves(position: Twin, depth: int) -> int:
    """The leaves of the game tree at a depth; a finished game counts one."""
    if depth == 0 or position.outcome() is not None:
        return 1
    return sum(leaves(position.play(move), depth - 1) for move in position.legal())
