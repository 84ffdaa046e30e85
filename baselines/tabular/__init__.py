"""Learning by table: Q-learning and Monte Carlo, over all positions of a game or as many as a table has room for."""
