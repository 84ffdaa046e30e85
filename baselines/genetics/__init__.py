"""What genetic algorithms over rows of genes have in common."""
