"""Othello: its rules."""

from .rules import Othello as Othello
