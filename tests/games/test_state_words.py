"""The words of states hold, bit by bit, what the tables above the games' rules say."""

import re
import sys

import pytest

from ludus.games.registry import make_game

from ..helpers.games import VARIANTS, positions


def cells(text, *symbols):
    """The cells with one of some symbols, as bits."""
    return sum(1 << cell for cell, symbol in enumerate(text) if symbol in symbols)


def nim(game, text, player):
    packed = sum(int(size) << 8 * heap for heap, size in enumerate(text.split()))
    return [packed, player, int(game.misere), len(game.heaps), game.largest_take, max(game.heaps)]


def tictactoe(game, text, player):
    return [cells(text[:9], "X"), cells(text[:9], "O"), player]


def quarto(game, text, player):
    board, hand = text.split()
    pieces = [None if symbol == "-" else int(symbol, 16) for symbol in board]
    have = [sum(1 << cell for cell, piece in enumerate(pieces) if piece is not None and piece & bit) for bit in (1, 2, 4, 8)]
    given = {piece for piece in [*pieces, None if hand == "-" else int(hand, 16)] if piece is not None}
    held = (0, 0) if hand == "-" else (int(hand, 16), 1)
    return [*have, cells(board, *"0123456789abcdef"), sum(1 << piece for piece in given), *held, int(game.squares)]


def quixo(game, text, player):
    return [cells(text.split()[0], "X"), player, game.size, cells(text.split()[0], "O")]


def othello(game, text, player):
    board = text.split()[0]
    return [cells(board, "X"), cells(board, "O"), player, game.size]


def connect_four(game, text, player):
    packed = 0
    for column in range(game.columns):
        discs = text.split()[0][column :: game.columns][::-1].rstrip("-")
        packed |= (1 << len(discs) | cells(discs, "X")) << 7 * column
    return [packed, player, game.rows, game.columns, game.line]


CONTENTS = {of.__name__: of for of in (nim, tictactoe, quarto, quixo, othello, connect_four)}


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_words_of_states_are_those_of_the_table(spec):
    game = make_game(spec)
    rows = re.findall(r"^\| (\d) \| (\d+)(?: to (\d+))? \| ", sys.modules[type(game).__module__].__doc__, re.MULTILINE)
    fields = [(int(word), int(low), int(high or low)) for word, low, high in rows]
    for state in positions(game, 60):
        words = [int(word) for word in state]
        values = [words[word] >> low & (1 << high - low + 1) - 1 for word, low, high in fields]
        assert values == CONTENTS[game.name](game, game.text(state), game.player(state))
        named = sum(((1 << high - low + 1) - 1) << 64 * word + low for word, low, high in fields)
        assert sum(word << 64 * number for number, word in enumerate(words)) & ~named == 0, "a bit that the table does not name"
