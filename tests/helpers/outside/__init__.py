"""What somebody might add to Ludus, or break in it: games, policies, evaluations, faults."""
