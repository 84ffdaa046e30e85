"""TicTacToe: its rules."""

from .rules import TicTacToe as TicTacToe
