"""Reading arguments, and printing results and progress."""
