"""Policies: what chooses actions. `make_policy` makes one from a spec."""

from __future__ import annotations

from .policy import FunctionPolicy, Policy
from .registry import make_policy, policies_for, policy_names

__all__ = ["FunctionPolicy", "Policy", "make_policy", "policies_for", "policy_names"]
