"""Self-play: many games at the same time, and the samples of positions to learn from."""
