"""`ludus.check_game`: checks a game against every fact of the contract, and reports those that do not hold.

    finding.py     what is found: fact, function, file and line, position, action; the result
    readings.py    the rules run as plain Python, and compiled
    declared.py    facts about what the class states
    positions.py   facts about the rules at one position
    compiling.py   facts about compiled rules, whole games, perft
    notation.py    facts about text, moves and drawings
    views.py       facts about the environments
    check.py       the stages

A fact is stated once, as a generator function that yields what is wrong; the tests of the built-in games call the same functions.
"""

from __future__ import annotations

from .check import check_game
from .finding import Checked, CheckResult, Finding

__all__ = ["CheckResult", "Checked", "Finding", "check_game"]
