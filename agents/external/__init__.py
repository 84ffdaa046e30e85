"""Policies of other libraries: functions, torch modules, models of Stable-Baselines3."""
