"""Trainers that breed players, generation by generation. The files, in the order in which they use each other:

contest.py     what all share: random numbers, and the games that measure fitness
kernels.py     networks in compiled code; networks.py holds them as flat arrays, drawing.py draws one
evolution.py   networks as genomes, with a champion and a hall of fame: neat.py (populations.py) and layered_neat.py
breeding.py    how rows of genes are selected, crossed and mutated
genetic.py     rows of genes as genomes: evolved_table.py, evolved_preference.py and evolved_mixture.py
"""
