"""Trainers: what makes policies. They stand on the environments, the policies and the arena."""
