"""What measures of strength say, beside exact error: a grid of trained policies on solved games, and its analysis."""
