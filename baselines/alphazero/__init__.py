"""AlphaZero: the trainer, its games against itself, and its networks."""
