"""Scripts that make data which ships with the package; they are no part of it. Each is run from the folder of the checkout.

python -m benchmarks.making.othello_evaluation   the numbers by which Othello's oracle orders moves near the end
python -m benchmarks.making.othello_patterns     the numbers of `minimax:evaluation=patterns`
python -m benchmarks.making.othello_book         the opening book of `minimax:book=true`
python -m benchmarks.making.suites               the suites of openings
python -m benchmarks.making.only_moves           the puzzles of the page, positions in which exactly one move wins
python -m benchmarks.making.books GAME           the books of the oracles of Quarto and Connect Four
python -m benchmarks.making.networks RUN         the network of a finished run, for `alphazero` and `mcts`
"""
