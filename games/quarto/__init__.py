"""Quarto: its rules."""

from .rules import Quarto as Quarto
