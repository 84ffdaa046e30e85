"""`ludus.check_game`: checks a game against every fact of the contract, and reports those that do not hold.

    finding.py     what is found: fact, function, file and line, position, action; the report
    readings.py    the rules run as plain Python, and compiled
    declared.py    facts about what the class states
    positions.py   facts about the rules at one position
    compiling.py   facts about kernels, whole games, perft
    notation.py    facts about text, moves and drawings
    views.py       facts about the environments
    check.py       the stages

A fact is stated once, as a function that yields what is wrong; the tests of the built-in games call the same functions.
"""

from __future__ import annotations

from .check import check_game
from .finding import Checked, Finding, Report

__all__ = ["Checked", "Finding", "Report", "check_game"]
