"""Policies: what chooses actions. `make_policy` makes one from a spec, `as_policy` from anything that plays."""

from __future__ import annotations

from ..games.lines import GameLines
from ..games.linking import linked
from .external.nets import is_model, is_module
from .external.one_position import agent
from .policy import FunctionPolicy, Playing, Policy, SequencePolicy
from .registry import as_policy, make_policy, policies_for, policy_names, register_policy

__all__ = [
    "FunctionPolicy",
    "GameLines",
    "Playing",
    "Policy",
    "SequencePolicy",
    "agent",
    "as_policy",
    "is_model",
    "is_module",
    "linked",
    "make_policy",
    "policies_for",
    "policy_names",
    "register_policy",
]
