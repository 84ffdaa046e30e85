"""Learnt patterns as the evaluation of Othello on 8×8."""
