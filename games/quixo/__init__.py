"""Quixo: its rules."""

from .rules import Quixo as Quixo
