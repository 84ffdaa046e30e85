"""`ludus text bench`: how well language models play, in positions whose exact values are known.

sets/            positions to ask about: those that ship and never change, or any others
settings.py      whom the bench asks about which positions, and in which order
running.py       asks, and keeps each answer
controls.py      policies that answer in prose, and so stand beside the models
answers.py       the answer to each question, and the files that hold them
estimates.py     the measure and other numbers with their intervals
comparisons.py   variants and disguises beside the first one, with p-values
measures.py      `BenchReport`: all of it, from answers
tables.py        its tables
findings.py      what it says, in sentences
"""
