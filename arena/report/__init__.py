"""The report of a tournament: one HTML file that needs no other. In the order of the data:

data.py     gathers scores, ratings, grades of moves, and games to step through
tables.py   the tables
plots.py    draws a plot, with names beside its points
charts.py   the plots of a report
page.py     the pages, by page.html.jinja, game.html.jinja, standing.html.jinja and graded.html.jinja

What it shares with other pages is in arena/pages.
"""
