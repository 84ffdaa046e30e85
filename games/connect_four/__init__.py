"""Connect Four: its rules."""

from .rules import ConnectFour as ConnectFour
