"""Networks from positions to priors of actions and values, and their evaluation in search."""
