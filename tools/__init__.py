"""Scripts that make data which ships with the package; they are no part of it. Each is run from the folder of the checkout.

python -m tools.othello_evaluation   the numbers by which Othello's oracle orders moves near the end
python -m tools.othello_patterns     the numbers of `minimax:evaluation=patterns`
python -m tools.othello_book         the opening book of `minimax:book=true`
python -m tools.suites               the suites of openings
python -m tools.only_moves           the puzzles of the page, positions in which exactly one move wins
python -m tools.networks RUN         the network of a finished run, for `alphazero` and `mcts`

`ludus solve quarto --book` makes Quarto's book.
"""
