"""What holds: intervals, proofs, damaged files, what pages print."""
