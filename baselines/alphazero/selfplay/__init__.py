"""Games against oneself, many at a time: how they are played, by whom, and what is kept of them to learn from."""
