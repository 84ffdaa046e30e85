"""Quarto's classic policies as sets of moves that they may choose, from nothing but the twin of the rules. Slow, and obvious."""

from __future__ import annotations

from .quarto import CELLS, COLUMNS, DIAGONALS, PIECES, ROWS, SQUARES, Piece, Quarto


def read(text: str, squares: bool) -> Quarto:
    """The twin of a position in the game's notation."""
    cells, hand = text.split()
    board = {CELLS[i]: PIECES[int(digit, 16)] for i, digit in enumerate(cells) if digit != "-"}
    in_hand = None if hand == "-" else PIECES[int(hand, 16)]
    return Quarto(squares, board, in_hand, (len(board) + (in_hand is not None)) % 2)


def lines_of(position: Quarto) -> list[list[str]]:
    return [line.split() for line in ROWS + COLUMNS + DIAGONALS + (SQUARES if position.squares else [])]


def empty(position: Quarto) -> list[str]:
    return [cell for cell in CELLS if cell not in position.board]


def wins_on(position: Quarto, piece: Piece) -> set[str]:
    """The cells on which a piece wins."""
    held = Quarto(position.squares, position.board, piece)
    return {cell for cell in empty(position) if any(cell in line and held.play(cell).wins(line) for line in lines_of(held))}


def safe(position: Quarto) -> list[Piece]:
    """The pieces with which the opponent does not win at once."""
    return [piece for piece in position.left() if not wins_on(position, piece)]


def give(piece: Piece) -> str:
    return f"give {PIECES.index(piece)}"


def easy_moves(position: Quarto) -> set[str]:
    if position.hand:
        return wins_on(position, position.hand) or set(position.legal())
    return {give(piece) for piece in safe(position)} or set(position.legal())


# ---- frontiers


def shared(pieces: frozenset[Piece], piece: Piece) -> int:
    return sum(all(other[a] == piece[a] for other in pieces) for a in range(4))


def score(position: Quarto, cell: str, piece: Piece) -> int:
    """What a cell scores for a piece."""
    total = 0
    for line in lines_of(position):
        pieces = frozenset(position.board[other] for other in line if other in position.board)
        if cell in line and pieces:
            total += shared(pieces, piece) * 10 ** (len(pieces) - 1)
    return total


def total_score(position: Quarto, piece: Piece) -> int:
    return sum(score(position, cell, piece) for cell in empty(position))


def threatened(position: Quarto) -> bool:
    off_board = [piece for piece in PIECES if piece not in position.board.values()]
    return any(wins_on(position, piece) for piece in off_board)


def frontiers_moves(position: Quarto, depth: int, highest: bool) -> set[str]:
    """The moves among which nothing but the key decides."""
    if position.hand is None:
        return frontiers_gifts(position, depth)
    if wins := wins_on(position, position.hand):
        return wins
    scores = {cell: score(position, cell, position.hand) for cell in empty(position)}
    if threatened(position):
        values = considered(position, depth)
        best = max(values.values())
        cells = [cell for cell in values if values[cell] == best]
        return among(cells, scores, max)
    leaving = [cell for cell in scores if len(position.board) == 15 or safe(position.play(cell))]
    return among(leaving or list(scores), scores, max if highest else min)


def among(cells: list[str], scores: dict[str, int], extreme) -> set[str]:
    wanted = extreme(scores[cell] for cell in cells)
    return {cell for cell in cells if scores[cell] == wanted}


def frontiers_gifts(position: Quarto, depth: int) -> set[str]:
    pieces = safe(position)
    if not pieces:
        return set(position.legal())
    if threatened(position):
        values = {piece: -value(position.play(give(piece)), depth - 1) for piece in pieces}
        pieces = [piece for piece in pieces if values[piece] == max(values.values())]
    totals = {piece: total_score(position, piece) for piece in pieces}
    return {give(piece) for piece in pieces if totals[piece] == min(totals.values())}


def considered(position: Quarto, turns: int) -> dict[str, int]:
    """The value of each cell that the search takes into account: of a positive score, unless all of those lose."""
    assert position.hand
    values = {cell: turn_value(position.play(cell), turns) for cell in empty(position)}
    positive = {cell: values[cell] for cell in values if score(position, cell, position.hand) > 0}
    return positive if max(positive.values(), default=-1) > -1 else values


def turn_value(placed: Quarto, turns: int) -> int:
    """What a position after placing is worth to the player who gives."""
    if len(placed.board) == 16:
        return 0
    return max((-value(placed.play(give(piece)), turns - 1) for piece in safe(placed)), default=-1)


def value(position: Quarto, turns: int) -> int:
    """What a position with a safe piece in hand is worth to the player who places it, by a search of so many turns."""
    return max(considered(position, turns).values()) if turns else 0


# ---- hard


def hard_moves(position: Quarto, budget: int) -> set[str]:
    """The moves among which nothing but the key decides."""
    if position.hand is None:
        pieces = safe(position)
        values = {give(piece): -negamax(position.play(give(piece)), 1, budget) for piece in pieces}
        return {move for move in values if values[move] == max(values.values())} or set(position.legal())
    if wins := wins_on(position, position.hand):
        return wins
    values = {cell: given_value(position.play(cell), 0, budget) for cell in empty(position)}
    best = {cell for cell in values if values[cell] == max(values.values())}
    if max(values.values()) == -1:
        best = {cell for cell in best if safe(position.play(cell))} or best
    start = len(values)
    if all((free * (free - 1)) ** (start - free) <= budget for free in range(1, start + 1)):
        left = {cell: len(safe(position.play(cell))) for cell in best}
        return {cell for cell in best if left[cell] == min(left.values())}
    return {cell for cell in best if blocks(position, cell)} or best


def blocks(position: Quarto, cell: str) -> bool:
    """Whether three pieces that share an attribute are on a line with the cell."""
    return any(cell in wins_on(position, piece) for piece in PIECES)


def negamax(position: Quarto, turns: int, budget: int) -> int:
    """What a position with a piece in hand is worth, so many turns after the search began."""
    assert position.hand
    if wins_on(position, position.hand):
        return 1
    free = len(empty(position))
    if (free * (free - 1)) ** turns > budget:
        return 0
    return max(given_value(position.play(cell), turns, budget) for cell in empty(position))


def given_value(placed: Quarto, turns: int, budget: int) -> int:
    if len(placed.board) == 16:
        return 0
    return max(-negamax(placed.play(give(piece)), turns + 1, budget) for piece in placed.left())
