"""What is to be played: pairings, in which order, and pinned protocols."""
