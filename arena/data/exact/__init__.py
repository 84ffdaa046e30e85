"""Positions with the exact value of every legal move, for training and for tests.

collecting.py   random games, their positions up to symmetry, equal shares of all strata
solving.py      what perfect play says about each position, and how hard it is
arrays.py       `ManyPositions`: planes, masks and the values of all actions
files.py        `positions`; JSON lines, Parquet, NumPy's archives, the folder of a dataset, and the data card
"""
