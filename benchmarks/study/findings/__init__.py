"""The answers to the questions of the study: each module finds one in the rows of the cells, and shows it in tables."""
