"""What the solvers of one-player problems come to."""
