"""Settings that suit a game, each only what differs from the defaults. Who names no preset, learns by the one named as the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Presets = Mapping[str, Mapping[str, Any]]

DEFAULTS: Presets = {"defaults": {}}

MASKABLE_PPO: Presets = DEFAULTS
PPO: Presets = DEFAULTS
DQN: Presets = DEFAULTS
