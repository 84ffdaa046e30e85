"""Policies that others bring: functions, torch modules, models of Stable-Baselines3."""
