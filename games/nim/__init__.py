"""Nim: its rules."""

from .rules import Nim as Nim
