"""The American League of 1987: A. Agresti, Categorical Data Analysis (2002), table 10.10."""

BASEBALL = """Milwaukee Detroit 4 3, Milwaukee Toronto 4 2, Milwaukee NewYork 4 3, Milwaukee Boston 6 1, Milwaukee Cleveland 4 2,
Milwaukee Baltimore 6 0, Detroit Milwaukee 3 3, Detroit Toronto 4 2, Detroit NewYork 4 3, Detroit Boston 6 0, Detroit Cleveland 6 1,
Detroit Baltimore 4 3, Toronto Milwaukee 2 5, Toronto Detroit 4 3, Toronto NewYork 2 4, Toronto Boston 4 3, Toronto Cleveland 4 2,
Toronto Baltimore 6 0, NewYork Milwaukee 3 3, NewYork Detroit 5 1, NewYork Toronto 2 5, NewYork Boston 4 3, NewYork Cleveland 4 2,
NewYork Baltimore 6 1, Boston Milwaukee 5 1, Boston Detroit 2 5, Boston Toronto 3 3, Boston NewYork 4 2, Boston Cleveland 5 2,
Boston Baltimore 6 0, Cleveland Milwaukee 2 5, Cleveland Detroit 3 3, Cleveland Toronto 3 4, Cleveland NewYork 4 3,
Cleveland Boston 4 2, Cleveland Baltimore 2 4, Baltimore Milwaukee 2 5, Baltimore Detroit 1 5, Baltimore Toronto 1 6,
Baltimore NewYork 2 4, Baltimore Boston 1 6, Baltimore Cleveland 3 4"""

LEAGUE = [(home, away, int(won), int(lost)) for home, away, won, lost in map(str.split, BASEBALL.replace("\n", " ").split(","))]
"""Who played at home against whom, and how many games the home team won and lost."""
